// An operation: a workload's request to a service, such as an I/O of a disk, and its outcome. It consists of
// messages, as these consist of packets.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "net/topology/topology.h"
#include "nic/transport/message_parts.h"
#include "nic/verbs/work_request.h"
#include "sim/units.h"
#include "workload/latencies.h"
#include "workload/operation_kind.h"

namespace headroom {

enum class OperationStatus : uint8_t { ok, corrupt, failed };
constexpr const char* OperationStatusName(OperationStatus status) {
  constexpr const char* names[] = {"ok", "corrupt", "failed"};
  return names[static_cast<size_t>(status)];
}

/// What an operation's time went to, along its critical path (protocol/trail.h). The parts sum to it.
enum class OperationPart : uint8_t {
  core,        ///< a core worked
  core_queue,  ///< for a core that worked on something else
  credits,     ///< for a credit of the receiver's, or a landing there
  chunk,       ///< for the chunk before it in its stream
  memory,      ///< for registered memory
  device,      ///< of a disk, its queue included
  network,  ///< from posting a work request to its completion, or to that of the RECV it took, if not split
  connection,  ///< for a queue pair to be joined anew
  order,       ///< for what came before it to the same extent
  timeout,     ///< for an answer that did not come in time
  // Of applications: times of threads that sleep and copy (protocol/event_loop.h), and their waits.
  copy,    ///< a core copied data
  wake,    ///< for a sleeping thread to run
  buffer,  ///< for room in a buffer of the peer, or for its registration
  peer,    ///< for the peer to be ready: its clear-to-send, its metadata
  other,   ///< what is older than what is remembered (Trail::kRemembered)
  // What else would be `network`, split as the times of messages are.
  first_of_messages
};
inline constexpr size_t kOwnOperationParts = static_cast<size_t>(OperationPart::first_of_messages);
inline constexpr size_t kOperationParts =
    kOwnOperationParts + kMessageParts - 1;  ///< `other` of messages is none
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

/// The hosts that take part in an operation beside its client, in order of their last requests.
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
  /// The last one; `otherwise` without any.
  NodeId Last(NodeId otherwise) const { return any_ ? last_ : otherwise; }
  std::vector<NodeId> All() const {
    std::vector<NodeId> all = before_;
    if (any_) all.push_back(last_);
    return all;
  }

 private:
  std::vector<NodeId> before_;  ///< empty for most: one host is no allocation
  NodeId last_ = 0;
  bool any_ = false;
};

struct OperationRecord {
  uint32_t workload = 0;  ///< index into the scenario's workloads
  uint32_t number = 0;    ///< counts those of one workload at one client, from 0
  NodeId client = 0;
  Participants participants;
  OperationKind kind = OperationKind::read;
  OperationStatus status = OperationStatus::ok;
  bool ramp = false;    ///< began in its workload's ramp: not in the percentiles
  uint64_t target = 0;  ///< as its request says
  uint32_t thread = 0;  ///< as its request says
  uint32_t retries = 0;
  uint32_t qp = 0;  ///< of the client's request
  Bytes bytes;
  Time start;
  Time completed = kNever;
  /// T1 … T4 of the request's work request; T5, T6 of the completion that brought the answer (RDMA Estats,
  /// Bai et al., NSDI 2023). kNever for missing ones.
  OperationTimes times;
  std::array<Time, kOperationParts> parts{};  ///< where they are kept
  uint32_t first_wait = 0, waits = 0;         ///< in the waits of all operations, where lines are kept
  bool Finished() const { return completed != kNever; }
};

/// All operations of one kind of a workload. Those of its ramp and of the warm-up are counted in `ramp`
/// alone.
struct OperationTotals {
  uint64_t offered = 0, finished = 0, failed = 0;  ///< finished: also failed and corrupt ones
  uint64_t corrupt = 0, retries = 0, ramp = 0;
  int64_t bytes = 0, finished_bytes = 0;  ///< finished well
  Time first_start = kNever, last_completed;
  /// Operations that succeeded within a span (workload/io_span.h), including the ramp.
  uint64_t steady = 0;
  int64_t steady_bytes = 0;
  Time span;                                       ///< its length
  Latencies latencies;                             ///< of finished ones, in that order
  std::vector<Time> unfinished;                    ///< ages of the others at the end of the run
  std::array<double, kOperationParts> parts_us{};  ///< sums over those that finished
};

/// An operation as a service meets it.
struct OperationRequest {
  uint32_t operation = 0;  ///< number for reports of its outcome
  NodeId client = 0;
  OperationKind kind = OperationKind::read;
  uint32_t bytes = 0;
  /// What it is done to: an address of the client's disk, the number of a key or of one of the client's
  /// connections, each from 0.
  uint64_t target = 0;
  uint32_t thread = 0;  ///< of the asking client: a process of keys, a clone of fio's
};

/// Where generators put their operations.
class OperationOffers {
 public:
  virtual void Offer(uint32_t workload, const OperationRequest& request, bool ramp) = 0;
  /// A generator has no more to offer of its own accord.
  virtual void OnExhausted() = 0;
  /// All requests of this workload at a host have ended, and no more follow.
  virtual void OnOver(uint32_t /*workload*/, NodeId /*host*/) {}

 protected:
  ~OperationOffers() = default;
};

}  // namespace headroom
