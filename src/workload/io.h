// I/Os of hosts' disks: in a closed loop, each the next when one before has ended, or at a rate.
//
// Each host begins when its disk is there. What an I/O is, read or write, how large and where, is drawn by
// random streams of the host and workload, so that another host changes nothing. Blocks are aligned to their
// size.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/random.h"
#include "workload/generator.h"
#include "workload/operation.h"

namespace headroom {

/// I/Os a second are of those that end after `from` and no later than `until`, whenever they began: while a
/// closed loop is at work, and neither while it begins nor while what is left ends.
struct IoSpan {
  Time from, until;
};
/// `from` is no earlier than the first I/O, which only the run knows.
inline IoSpan SpanOf(const IoArrivals& io, Time warmup, Time duration) {
  return {std::max(warmup, io.start + io.ramp), std::min(io.stop.value_or(duration), duration)};
}

class IoGenerator final : public EventTarget {
 public:
  /// `disk`: bytes of each host's. REQUIRES: workload.arrivals are IoArrivals.
  IoGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts, Bytes disk,
              OperationOffers& offers);
  void Start();
  /// The disk of this host is there.
  void OnAttached(NodeId host);
  /// One of its operations ended.
  void OnEnded(NodeId host);
  void OnEvent(uint64_t arg) override;

 private:
  enum What : uint64_t { kEnd, kBegin, kNext };
  struct Host {
    NodeId id = 0;
    EntityId entity = 0;
    RandomStream gaps, kinds, sizes, places;
    uint64_t events = 0;
  };
  Host* Find(NodeId host);
  void Schedule(Host& host, Time at, What what);
  void ScheduleArrival(Host& host, Time after);
  void Offer(Host& host);

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
