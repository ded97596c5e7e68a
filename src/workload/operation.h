// An operation: a workload's request to a service, such as an I/O of a disk, and its result. It consists of
// messages, as messages consist of packets.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "net/topology/topology.h"
#include "nic/transport/message_parts.h"
#include "nic/verbs/work_request.h"
#include "sim/units.h"
#include "workload/distributions/latencies.h"
#include "workload/message_record.h"
#include "workload/operation_kind.h"

namespace headroom {

enum class OperationStatus : uint8_t { ok, corrupt, failed };
constexpr const char* OperationStatusName(OperationStatus status) {
  constexpr const char* names[] = {"ok", "corrupt", "failed"};
  return names[static_cast<size_t>(status)];
}

/// The parts of an operation's time, along its critical path (protocol/trail.h). Their sum is the operation's
/// time.
enum class OperationPart : uint8_t {
  core,        ///< a core worked
  core_queue,  ///< waiting for a core that worked on something else
  credits,     ///< waiting for a credit from the receiver, or for a landing there
  chunk,       ///< waiting for the previous chunk in its stream
  memory,      ///< waiting for registered memory
  device,      ///< time of a disk, including its queue
  network,  ///< from posting a work request to its completion, or to that of the RECV it used, if not split
  connection,  ///< waiting until a queue pair is connected again
  order,       ///< waiting for earlier writes to the same extent
  timeout,     ///< waiting for an answer that did not arrive in time
  // For applications: times of threads that sleep and copy (protocol/event_loop.h), and their waits.
  copy,    ///< a core copied data
  wake,    ///< waiting until a sleeping thread runs
  buffer,  ///< waiting for room in a buffer of the peer, or for its registration
  peer,    ///< waiting for the peer to be ready: its clear-to-send, its metadata
  other,   ///< time before the remembered steps (Trail::kRemembered)
  // Time that would otherwise be `network`, split like the times of messages.
  first_of_messages
};
inline constexpr size_t kOwnOperationParts = static_cast<size_t>(OperationPart::first_of_messages);
inline constexpr size_t kOperationParts =
    kOwnOperationParts + kMessageParts - 1;  ///< the part `other` of messages is left out
constexpr OperationPart OperationPartOf(MessagePart part) {
  return static_cast<OperationPart>(kOwnOperationParts + static_cast<size_t>(part));
}
/// Parts that only operations of applications have.
constexpr bool OfApplications(OperationPart part) {
  return part >= OperationPart::copy && part <= OperationPart::peer;
}
constexpr const char* OperationPartName(OperationPart part) {
  constexpr const char* names[] = {"core",   "core_queue", "credits",    "chunk", "memory",
                                   "device", "network",    "connection", "order", "timeout",
                                   "copy",   "wake",       "buffer",     "peer",  "other"};
  const auto i = static_cast<size_t>(part);
  return i < kOwnOperationParts ? names[i]
                                : MessagePartName(static_cast<MessagePart>(i - kOwnOperationParts));
}

/// The hosts that take part in an operation, except its client, in the order of their last requests.
class Participants {
 public:
  void Add(NodeId host) {
    if (any_ && host != last_) {
      std::erase(before_, host);
      before_.push_back(last_);
    }
    any_ = true;
    last_ = host;
  }
  size_t size() const { return before_.size() + (any_ ? 1 : 0); }
  /// The last host; `otherwise` if there is none.
  NodeId Last(NodeId otherwise) const { return any_ ? last_ : otherwise; }
  std::vector<NodeId> All() const {
    std::vector<NodeId> all = before_;
    if (any_) all.push_back(last_);
    return all;
  }
  template <class P>
  void Pack(P& pack) {
    pack(before_, last_, any_);
  }

 private:
  std::vector<NodeId> before_;  ///< usually empty: a single host needs no allocation
  NodeId last_ = 0;
  bool any_ = false;
};

struct OperationRecord {
  uint32_t workload = 0;  ///< index into the scenario's workloads
  uint32_t number = 0;    ///< number among the operations of one workload at one client, from 0
  NodeId client = 0;
  Participants participants;
  OperationKind kind = OperationKind::read;
  OperationStatus status = OperationStatus::ok;
  bool ramp = false;    ///< began in its workload's ramp, so percentiles exclude it
  uint64_t target = 0;  ///< from its request
  uint32_t thread = 0;  ///< from its request
  uint32_t retries = 0;
  uint32_t qp = 0;  ///< queue pair of the client's request
  Bytes bytes;
  Time start;
  Time completed = kNever;
  /// T1 … T4 of the request's work request; T5, T6 of the completion that carried the answer (RDMA Estats,
  /// Bai et al., NSDI 2023). kNever for missing times.
  OperationTimes times;
  std::array<Time, kOperationParts> parts{};  ///< set if parts are recorded
  uint32_t first_wait = 0, waits = 0;         ///< range in the waits of all operations, if lines are kept
  bool Finished() const { return completed != kNever; }
  template <class P>
  void Pack(P& pack) {
    pack(workload, number, client, participants, kind, status, ramp, target, thread, retries, qp, bytes,
         start, completed, times, parts, first_wait, waits);
  }
};

inline RowKey RowKeyOf(const OperationRecord& o) { return {o.start, o.workload, o.client, o.number}; }

/// Totals of the operations of one kind of a workload. Operations in the ramp or the warm-up count only in
/// `ramp`.
struct OperationTotals {
  uint64_t offered = 0, finished = 0, failed = 0;  ///< finished: includes failed and corrupt ones
  uint64_t corrupt = 0, retries = 0, ramp = 0;
  int64_t bytes = 0, finished_bytes = 0;  ///< finished_bytes: of operations that ended well
  Time first_start = kNever, last_completed;
  /// Number of operations that succeeded within a span (workload/io_span.h), including the ramp.
  uint64_t steady = 0;
  int64_t steady_bytes = 0;
  Time held;  ///< sum of the times within that span in which its operations were open, including the ramp
  Time span;  ///< length of that span
  Latencies latencies;                             ///< latencies of finished operations
  std::vector<Time> unfinished;                    ///< ages of unfinished operations at the end of the run
  std::array<double, kOperationParts> parts_us{};  ///< sums over the finished operations

  /// Adds the totals of other operations of this workload.
  void Join(const OperationTotals& other);
  template <class P>
  void Pack(P& pack) {
    pack(offered, finished, failed, corrupt, retries, ramp, bytes, finished_bytes, first_start,
         last_completed, steady, steady_bytes, held, latencies);
  }
};

/// An operation from a service's view.
struct OperationRequest {
  uint32_t operation = 0;  ///< number for reports of its result
  NodeId client = 0;
  OperationKind kind = OperationKind::read;
  uint32_t bytes = 0;
  /// The target: an address of the client's disk, the number of a key or of one of the client's connections,
  /// each from 0.
  uint64_t target = 0;
  uint32_t thread = 0;  ///< thread of the client: a process of keys, a clone of fio
};

/// Receives the operations of generators.
class OperationOffers {
 public:
  virtual void Offer(uint32_t workload, const OperationRequest& request, bool ramp) = 0;
  /// A generator will start no further operations by itself.
  virtual void OnExhausted() = 0;
  /// All requests of this workload at a host have ended, and no more will follow.
  virtual void OnOver(uint32_t /*workload*/, NodeId /*host*/) {}

 protected:
  ~OperationOffers() = default;
};

}  // namespace headroom
