// A completion queue: what became of work requests, in the order in which it became known.
//
// A slot of a send queue is free again when the completion of its work request, or of a later one, has been
// polled: of a queue of S slots at most S − 1 work requests in a row may be unsignalled. A slot of a receive
// queue is free when its completion has been polled.
#pragma once

#include <functional>
#include <span>

#include "nic/verbs/work_request.h"
#include "sim/ring.h"

namespace headroom {

class VerbsNic;

class CompletionQueue {
 public:
  CompletionQueue(VerbsNic& nic, uint32_t number, uint32_t cqe)
      : nic_(nic), number_(number), capacity_(cqe) {}

  /// Fills `wc` from the front; returns how many.
  int Poll(std::span<Wc> wc);
  /// One, if there is one.
  bool Poll(Wc& wc) { return Poll(std::span(&wc, 1)) == 1; }
  uint32_t size() const { return entries_.Size(); }
  /// A completion did not fit: what came after the first `cqe` is lost, and its queue pair has failed.
  bool overrun() const { return overrun_; }

  /// What runs once after RequestNotify, when a completion comes; it will usually poll until there is nothing
  /// and request the next.
  void SetHandler(std::function<void()> handler) { handler_ = std::move(handler); }
  /// REQUIRES: a handler. As ibv_req_notify_cq: completions that are there already do not count;
  /// `solicited_only`: only a RECV that its sender marked so, or an error.
  void RequestNotify(bool solicited_only = false) { armed_ = solicited_only ? Armed::solicited : Armed::any; }

 private:
  friend class QueuePair;
  friend class Verbs;
  enum class Armed : uint8_t { no, solicited, any };
  struct Entry {
    Wc wc;
    uint32_t* slots = nullptr;  ///< count of occupied slots, of which polling frees some
    uint32_t frees = 0;
    NodeId peer = 0;
  };

 public:
  /// Of this process's memory, of each completion.
  static constexpr size_t kEntryBytes = sizeof(Entry);

 private:
  /// False: it is full. `wake`: the handler is to run.
  bool Add(const Entry& entry, bool solicited, bool* wake);
  /// Forgets the completions of a queue pair that is reset.
  void Clean(uint32_t qp_num);
  VerbsNic& nic_;
  uint32_t number_;
  uint32_t capacity_;
  bool overrun_ = false;
  Armed armed_ = Armed::no;
  Ring<Entry> entries_;
  std::function<void()> handler_;
};

}  // namespace headroom
