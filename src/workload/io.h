// I/Os of hosts' disks: in a closed loop, each the next when one before has ended, or at a rate.
//
// Each host begins when its disk is there. What an I/O is, read or write, how large and where, is drawn by
// random streams of the host and workload, so that another host changes nothing. Blocks are aligned to their
// size; where addresses are not drawn evenly, to the smallest size.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "workload/client_generator.h"
#include "workload/io_arrivals.h"
#include "workload/io_offsets.h"

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
class IoGenerator final : public ClientGenerator {
 public:
  IoGenerator(const IoArrivals& arrivals, const WorkloadParameters& workload, uint32_t index,
              const OperationGround& ground);
  void OnEnded(const OperationRecord& ended) override;

 private:
  struct Draws {
    RandomStream kinds, sizes, places;
    std::unique_ptr<IoOffsets> offsets;  ///< null: places are drawn evenly
  };
  void Begin(Client& host, uint32_t) override;
  void Offer(Client& host, uint32_t) override;
  int64_t Address(Draws& draws, bool writes, int64_t bytes);

  const IoArrivals arrivals_;
  const Bytes disk_;
  std::vector<Draws> draws_;  ///< by host
};

}  // namespace headroom
