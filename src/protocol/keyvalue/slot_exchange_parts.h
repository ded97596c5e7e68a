// Part of slot_exchange.h: its two ends.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "protocol/keyvalue/slot_exchange.h"

namespace headroom {

/// An answer's immediate data: the slot in the lower bits, then its program's own.
inline constexpr uint32_t kSlotBits = 10;
inline constexpr uint32_t kKeyhash = 16;  ///< bytes at the end of a slot; zero says that it is empty

/// A queue pair's end, and how many work requests it was given.
struct SlotExchange::SendQueue {
  QueuePair* qp = nullptr;
  NodeId host = 0;
  uint32_t number = 0;
  uint64_t posted = 0;
};

/// A request that has no answer yet.
struct SlotExchange::Call {
  uint32_t client = 0, server = 0, w = 0, token = 0;
  uint32_t generation = 0;  ///< of calls in this place
  uint32_t bytes = 0;       ///< of the request, once it has gone out
  bool open = false, sent = false;
  SlotExchangeTimes times;
  uint64_t step = 0;   ///< that asked, then that sent it last
  uint64_t first = 0;  ///< that sent it first
};

/// Buffers of so many bytes each, with content.
struct Buffers {
  std::vector<uint8_t> bytes;
  uint32_t each = 0;
  MemoryRegion* region = nullptr;

  void Make(Verbs& verbs, size_t count, uint32_t size, unsigned access) {
    each = size;
    bytes.resize(count * size);
    region = verbs.RegMr(0, bytes.size(), access, bytes);
  }
  uint64_t At(size_t number) const { return uint64_t{each} * number; }
  std::span<uint8_t> operator[](size_t number) { return std::span(bytes).subspan(At(number), each); }
  std::span<const uint8_t> Read(size_t number, uint32_t from, uint32_t length) const {
    return std::span(bytes).subspan(At(number) + from, length);
  }
  /// As a buffer for local use, of its first bytes.
  Sge Local(size_t number, uint32_t from, uint32_t length) const {
    return {At(number) + from, length, region->lkey};
  }
};

/// A process of a client. It posts what waits while its core is free.
struct SlotExchange::Client final : CoreThread {
  struct ToServer {
    SendQueue* requests = nullptr;
    SendQueue* datagrams = nullptr;  ///< of UD, for answers and, if they are UD, requests
    QueuePair* answers = nullptr;    ///< whose RECVs take answers; null: they are written
    uint64_t next = 0;               ///< r of the next request
    uint32_t receives = 0;           ///< posted and not used up
    uint32_t open = 0;               ///< requests that have gone out
    uint32_t spare = 0;              ///< RECVs for second answers to requests that went out again
    uint16_t port = 0;               ///< of datagrams to this process
    Ring<uint32_t> blocked;          ///< calls that wait for their slots
  };
  struct Slot {
    uint32_t call = kNone;
  };
  /// A request that was sent again, or given up, and is over: more answers to it may come for a timeout.
  struct Late {
    uint32_t slot = 0;
    std::optional<uint32_t> mark;  ///< of its answers
    uint32_t spare = 0;            ///< answers that may come
  };
  struct Deadline {
    uint32_t call = 0, generation = 0;
    Time at;
  };

  Client(SlotExchange& of, uint32_t its_number, const ServiceHost& at);
  void Next() override { exchange.Work(*this); }
  using CoreThread::NextOrder, CoreThread::Occupy, CoreThread::Taken, CoreThread::Wake,
      CoreThread::WakeWhenFree;

  SlotExchange& exchange;
  const uint32_t number;
  const NodeId host;
  Verbs* const verbs;
  CompletionQueue* cq = nullptr;
  std::vector<ToServer> servers;
  std::vector<Slot> slots;             ///< by server process and w
  Ring<Late> late;                     ///< in the order in which they were over
  Buffers requests, answers;           ///< requests by slot; answers by slot, or of RECVs
  std::vector<uint32_t> free_answers;  ///< buffers for RECVs
  Ring<uint32_t> waiting;              ///< calls for the processor
  Ring<Deadline> deadlines;
  bool timing = false;
};

struct SlotExchange::Server {
  NodeId host = 0;
  size_t place = 0;    ///< of the host among servers
  uint32_t local = 0;  ///< its number there
  Verbs* verbs = nullptr;
  CompletionQueue* cq = nullptr;
  std::optional<ServerProcess> process;
  SendQueue* datagrams = nullptr;
  std::vector<SendQueue*> answers;   ///< by client, where they are connected
  std::vector<QueuePair*> receives;  ///< by client, of SENDs by connection
  Buffers requests, staged;          ///< of SENDs; answers, both by slot
  std::vector<uint32_t> client, w;   ///< by slot: the origin of its request
  std::vector<uint16_t> ports;       ///< of datagrams, by client
  std::vector<Origin> brought;       ///< by slot: its request
  std::vector<uint64_t> served;      ///< by client and w: the step that served its last request
};

}  // namespace headroom
