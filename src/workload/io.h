// I/Os of hosts' disks: in a closed loop, each the next when one before has ended, or at a rate.
//
// Each host begins when its disk is there. What an I/O is, read or write, how large and where, is drawn by
// random streams of the host and workload, so that another host changes nothing. Blocks are aligned to their
// size; where addresses are not drawn evenly, to the smallest size.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/random.h"
#include "workload/io_offsets.h"
#include "workload/operation_generator.h"

namespace headroom {

/// I/Os a second are of those that end after `from` and no later than `until`, whenever they began: while a
/// closed loop is at work, and neither while it begins nor while what is left ends. Of a job of fio the ramp
/// counts from its first I/O, and one that ends by itself is over with its last.
struct IoSpan {
  Time from, until;
  Time ramp;          ///< from the first I/O on
  bool ends = false;  ///< by itself
  bool Counts(Time ended) const { return ended > from && ended <= until; }
  /// Its first I/O begins.
  void Begin(Time first) { from = std::max(from, first + ramp); }
  /// Of a run that ended at `end`, whose first I/O began at `first` and whose last ended at `last`.
  Time Length(Time first, Time last, Time end) const {
    const Time over = std::min(until, ends ? std::min(last, end) : end);
    return std::max(over - std::max(from, first), Time(0));
  }
};
inline IoSpan SpanOf(const IoArrivals& io, Time warmup, Time duration) {
  const Time until = std::min(io.stop.value_or(duration), duration);
  if (io.job) return {std::max(warmup, io.start), until, io.ramp, io.job->EndsByItself()};
  return {std::max(warmup, io.start + io.ramp), until, {}, io.trace != nullptr};
}

class IoGenerator final : public OperationGenerator {
 public:
  /// `disk`: bytes of each host's. REQUIRES: workload.arrivals are IoArrivals.
  IoGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts, Bytes disk,
              OperationOffers& offers);
  void Start() override;
  void OnAttached(NodeId host) override;
  void OnEnded(const OperationRecord& ended) override;
  void OnEvent(uint64_t arg) override;

 private:
  enum What : uint64_t { kEnd, kBegin, kNext };
  struct Host {
    NodeId id = 0;
    EntityId entity = 0;
    RandomStream gaps, kinds, sizes, places;
    std::unique_ptr<IoOffsets> offsets;  ///< null: places are drawn evenly
    uint64_t events = 0;
  };
  Host* Find(NodeId host);
  void Schedule(Host& host, Time at, What what);
  void ScheduleArrival(Host& host, Time after);
  void Offer(Host& host);
  int64_t Address(Host& host, bool writes, int64_t bytes);

  IoArrivals arrivals_;
  uint32_t index_;
  Time stop_;
  Bytes disk_;
  OperationOffers& offers_;
  EntityId entity_;
  std::vector<Host> hosts_;
  std::vector<uint32_t> host_of_;  ///< by node: place in hosts_, plus one
};

}  // namespace headroom
