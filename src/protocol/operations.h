// The operations of a run: begun by workloads, carried by services, recorded here.
//
// Each call concerns one client, and its part runs. Clients of different parts share no number, and no sum
// that depends on the order of their calls (sim/parts.h).
#pragma once

#include <functional>
#include <vector>

#include "protocol/trail.h"
#include "sim/parts.h"
#include "workload/io_span.h"
#include "workload/operation.h"

namespace headroom {

/// Set up before the run, called during the run, and collected once after the run. No call fails.
class Operations {
 public:
  /// Per kind of operation and workload, if no lines are kept. Beyond this number of latencies, percentiles
  /// have an error (Latencies).
  static constexpr uint64_t kExactLatencies = uint64_t{1} << 20;

  using OnDone = std::function<void(const OperationRecord&)>;

  /// Keeps a line for one operation in `one_in` of each workload and client; with 0, keeps no lines. Critical
  /// paths are followed unless it is 0. Percentiles exclude operations that start before `warmup`. `spans`:
  /// by workload, the span over which I/Os per second are counted. `trail`: of the critical paths.
  Operations(std::vector<IoSpan> spans, size_t hosts, uint32_t one_in, Time warmup, Trail trail = Trail());
  // Before the run:
  /// Called with each operation that has ended. The number of the operation may be reused afterwards. The
  /// call may begin other operations.
  void SetOnDone(OnDone done) { on_done_ = std::move(done); }

  /// An operation with a line, and the waits of its messages.
  using OnKept = std::function<void(const OperationRecord&, const std::vector<Itinerary::Wait>&)>;
  /// Operations with a line go to `kept` when they end, the open ones in Collect.
  void SetOnKept(OnKept kept) { on_kept_ = std::move(kept); }
  /// Percentiles are exact up to this number of latencies of a kind and workload.
  void KeepAtMost(uint64_t latencies);

  /// Sets the source of the parts of messages' times, or null. It must outlive this object.
  void SetTimes(const MessageTimes* times) { trail_.SetTimes(times); }

  // During the run:
  /// An operation begins now. Returns its number, which the request given to a service carries.
  uint32_t Begin(uint32_t workload, const OperationRequest& request, bool ramp);
  OperationRecord& operator[](uint32_t operation) { return open_[operation]; }
  /// The operation ends now, with the current step; its time is split along that step's causes. REQUIRES: the
  /// operation has begun and has not ended.
  void Complete(uint32_t operation, OperationStatus status);

  /// Null if no critical paths are followed.
  Trail* trail() { return one_in_ > 0 ? &trail_ : nullptr; }
  uint64_t unfinished() const { return Parts::Get().Sum(unfinished_); }
  /// The same, but in an event of a network that is cut: of the hosts of the current part.
  uint64_t open() const { return unfinished_; }
  uint64_t begun() const { return begun_; }
  // After the run:
  /// Call once: returns the totals by workload.
  std::vector<std::array<OperationTotals, kOperationKinds>> Collect(Time end);
  /// With several ranks (sim/parts.h): what this rank's hosts recorded, for rank 0, which joins it with its
  /// own before Collect. Call PackShare once, and nothing after it.
  void PackShare(Packer& to);
  void JoinShare(Unpacker& from);

 private:
  struct Share;
  void Keep(const OperationRecord& operation);

  std::vector<IoSpan> spans_;
  std::vector<Time> begun_at_;  ///< indexed by workload: start of the first operation; kNever if none
  std::vector<Time> ended_at_;  ///< indexed by workload: end of the last finished operation
  const uint32_t one_in_;
  const Time warmup_;
  Trail trail_;
  std::vector<OperationRecord> open_;  ///< indexed by number
  std::vector<uint32_t> free_;
  OnKept on_kept_;
  std::vector<Itinerary::Wait> waits_;  ///< of the operation that ends
  std::vector<std::array<OperationTotals, kOperationKinds>> totals_;
  /// Sums over the finished operations, indexed by workload and kind.
  std::vector<std::array<std::array<Time, kOperationParts>, kOperationKinds>> parts_;
  std::vector<std::vector<uint32_t>> numbers_;  ///< next number, indexed by workload and client
  uint64_t unfinished_ = 0;                     ///< of the part that runs
  uint64_t begun_ = 0;
  OnDone on_done_;
};

}  // namespace headroom
