// A completion queue: the results of work requests, in the order in which they became known.
//
// A slot of a send queue is free when the completion of its work request, or of a later one, has been polled.
// So in a queue of S slots, at most S − 1 work requests in a row may be unsignalled. A slot of a receive
// queue is free when its completion has been polled.
//
// Phase: programs may call the public functions at any time. Completions arrive only in events of the run.
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

  /// Moves up to wc.size() completions to `wc` and returns their number. Never fails: 0 means that the queue
  /// is empty. Frees the slots of the polled work requests and RECVs.
  int Poll(std::span<Wc> wc);
  /// Moves one completion to `wc`. Returns false if the queue is empty.
  bool Poll(Wc& wc) { return Poll(std::span(&wc, 1)) == 1; }
  uint32_t size() const { return entries_.Size(); }
  /// Returns true if a completion did not fit. This completion and all later completions are lost, and their
  /// queue pairs fail.
  bool overrun() const { return overrun_; }

  /// The handler runs once per RequestNotify, when a completion arrives, in a separate event. It usually
  /// polls until the queue is empty, and calls RequestNotify again. Replaces the previous handler.
  void SetHandler(std::function<void()> handler) { handler_ = std::move(handler); }
  /// Arms the handler, like ibv_req_notify_cq. Completions already in the queue do not count.
  /// `solicited_only`: only a RECV that its sender marked as solicited, or an error, triggers it. REQUIRES: a
  /// handler is set.
  void RequestNotify(bool solicited_only = false) { armed_ = solicited_only ? Armed::solicited : Armed::any; }

 private:
  friend class QueuePair;
  friend class Verbs;
  enum class Armed : uint8_t { no, solicited, any };
  struct Entry {
    Wc wc;
    uint32_t* slots = nullptr;  ///< count of occupied slots; polling frees some
    uint32_t frees = 0;
    NodeId peer = 0;
  };

 public:
  /// Memory of this process per completion.
  static constexpr size_t kEntryBytes = sizeof(Entry);

 private:
  /// Returns false if the queue is full. `wake`: the handler must run.
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
