// The operations of a run: begun by workloads, carried by services, recorded here.
#pragma once

#include <functional>
#include <vector>

#include "protocol/trail.h"
#include "workload/io_span.h"
#include "workload/operation.h"

namespace headroom {

/// Set up before the run, asked during it, and collected once after it. No call fails.
class Operations {
 public:
  /// Of each kind of a workload, if no lines are kept. Beyond this number, percentiles have an error
  /// (Latencies).
  static constexpr uint64_t kExactLatencies = uint64_t{1} << 20;

  using OnDone = std::function<void(const OperationRecord&)>;

  /// A line is kept of one in `one_in` of each workload and client, of none for 0, and critical paths are
  /// followed unless it is 0. What starts before `warmup` is not in the percentiles.
  /// `spans`: by workload, what I/Os a second are counted in.
  Operations(std::vector<IoSpan> spans, size_t hosts, uint32_t one_in, Time warmup);
  // Before the run.
  /// Called with each operation that has ended. Its number may be reused afterwards. The call may begin
  /// others.
  void SetOnDone(OnDone done) { on_done_ = std::move(done); }

  /// Who knows where the time of messages goes; null: nobody. Outlives this.
  void SetTimes(const MessageTimes* times) { trail_.SetTimes(times); }

  // During the run.
  /// One begins now. Returns its number, which the request given to a service carries.
  uint32_t Begin(uint32_t workload, const OperationRequest& request, bool ramp);
  OperationRecord& operator[](uint32_t operation) { return open_[operation]; }
  /// It ends now, with the step that is being done, which its time is split along. REQUIRES: it has begun and
  /// has not ended.
  void Complete(uint32_t operation, OperationStatus status);

  /// Null: no critical paths are followed.
  Trail* trail() { return one_in_ > 0 ? &trail_ : nullptr; }
  uint64_t unfinished() const { return unfinished_; }
  uint64_t begun() const { return begun_; }
  // After the run.
  /// Once: those that are kept, with those that are still open, and the totals by workload.
  void Collect(Time end, std::vector<OperationRecord>& kept,
               std::vector<std::array<OperationTotals, kOperationKinds>>& totals);
  /// Once: the waits of its kept messages along their paths.
  std::vector<Itinerary::Wait> TakeWaits() { return std::move(waits_); }

 private:
  std::vector<IoSpan> spans_;
  std::vector<Time> begun_at_;  ///< by workload: the first; kNever
  std::vector<Time> ended_at_;  ///< by workload: the last that ended
  const uint32_t one_in_;
  const Time warmup_;
  Trail trail_;
  std::vector<OperationRecord> open_;  ///< by number
  std::vector<uint32_t> free_;
  std::vector<OperationRecord> kept_;
  std::vector<Itinerary::Wait> waits_;
  std::vector<std::array<OperationTotals, kOperationKinds>> totals_;
  std::vector<std::vector<uint32_t>> numbers_;  ///< next, by workload and client
  uint64_t unfinished_ = 0, begun_ = 0;
  OnDone on_done_;
};

}  // namespace headroom
