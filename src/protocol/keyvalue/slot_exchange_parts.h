// Part of slot_exchange.h: its two ends.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "protocol/keyvalue/slot_exchange.h"

namespace headroom {

/// An answer's immediate data: the slot in the lower bits, then its program's data.
inline constexpr uint32_t kSlotBits = 10;
inline constexpr uint32_t kKeyhash = 16;  ///< bytes at the end of a slot; zeros mean that it is empty

/// One end of a queue pair, and the number of work requests posted to it.
struct SlotExchange::SendQueue {
  QueuePair* qp = nullptr;
  NodeId host = 0;
  uint32_t number = 0;
  uint64_t posted = 0;
};

/// A request that has no answer yet.
struct SlotExchange::Call {
  uint32_t client = 0, server = 0, w = 0, token = 0;
  uint32_t generation = 0;  ///< generation of the calls in this place
  uint32_t bytes = 0;       ///< size of the request, once it has left
  bool open = false, sent = false;
  SlotExchangeTimes times;
  uint64_t step = 0;  ///< the step that made the call, then the step that last sent it
};

/// Buffers of equal size, with content.
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
  /// The first bytes of a buffer, for local use.
  Sge Local(size_t number, uint32_t from, uint32_t length) const {
    return {At(number) + from, length, region->lkey};
  }
};

/// A process of a client. It posts waiting calls while its core is free.
struct SlotExchange::Client final : CoreThread {
  struct ToServer {
    SendQueue* requests = nullptr;
    SendQueue* datagrams = nullptr;  ///< a UD queue pair, for answers and, if they are UD, requests
    QueuePair* answers = nullptr;    ///< the queue pair whose RECVs take answers; null: answers are written
    uint64_t next = 0;               ///< r of the next request
    uint32_t receives = 0;           ///< RECVs posted and not used
    uint32_t open = 0;               ///< requests that have left
    uint32_t spare = 0;              ///< RECVs for second answers to repeated requests
    uint16_t port = 0;               ///< source port of datagrams to this process
    Ring<uint32_t> blocked;          ///< calls that wait for their slots
  };
  struct Slot {
    uint32_t call = kNone;
  };
  /// A request that was repeated or given up, and is over. For one timeout, more answers to it may arrive.
  struct Late {
    uint32_t slot = 0;
    std::optional<uint32_t> mark;  ///< the mark of its answers
    uint32_t spare = 0;            ///< number of answers that may arrive
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
  std::vector<Slot> slots;             ///< indexed by server process and w
  Ring<Late> late;                     ///< in the order in which they ended
  Buffers requests, answers;           ///< requests indexed by slot; answers by slot, or by RECV
  std::vector<uint32_t> free_answers;  ///< buffers for RECVs
  Ring<uint32_t> waiting;              ///< calls that wait for the processor
  Ring<Deadline> deadlines;
  bool timing = false;
};

struct SlotExchange::Server {
  NodeId host = 0;
  size_t place = 0;    ///< index of the host among servers
  uint32_t local = 0;  ///< its number there
  Verbs* verbs = nullptr;
  CompletionQueue* cq = nullptr;
  std::optional<ServerProcess> process;
  SendQueue* datagrams = nullptr;
  std::vector<SendQueue*> answers;   ///< indexed by client, if they are connected
  std::vector<QueuePair*> receives;  ///< indexed by client; for SENDs by connection
  Buffers requests, staged;          ///< SENDs that arrived, and answers; both indexed by slot
  std::vector<uint32_t> client, w;   ///< indexed by slot: the origin of its request
  std::vector<uint16_t> ports;       ///< for datagrams, indexed by client
  std::vector<Origin> brought;       ///< indexed by slot: origin of its request
};

}  // namespace headroom
