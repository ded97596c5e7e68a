// Reads and writes of a service's disks, as plain data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "net/topology/topology.h"
#include "sim/shared_value.h"
#include "sim/units.h"
#include "workload/arrivals.h"
#include "workload/block_trace.h"
#include "workload/fio_job.h"
#include "workload/io_addresses.h"

namespace headroom {

/// Reads and writes of a service's disks, one disk at each host of `from`. Jobs of fio and traces are these,
/// too. Then the fields are means, and the derived types add the rest.
struct IoArrivals {
  using Block = IoBlock;
  uint32_t service = 0;      ///< index into the scenario's services
  std::vector<NodeId> from;  ///< of the service's compute hosts
  std::vector<NodeId> to;    ///< its extent nodes
  std::vector<Block> blocks;
  std::vector<Block> write_blocks;  ///< of writes, where theirs are others
  double reads = 1;                 ///< share of the I/Os that read, drawn for each
  int depth = 1;                    ///< closed loop: I/Os of a host that are open; or
  double rate = 0;                  ///< open loop: I/Os a second of a host; 0: closed
  bool even = false;                ///< open loop: gaps are equal, else exponential
  Time think;  ///< closed loop: from the end of an I/O to the start of the next in its place
  IoAddresses addresses;
  Time ramp;   ///< I/Os that start less than this after `start` are not in the percentiles
  Time start;  ///< not before the host's disk is ready
  std::optional<Time> stop;
  SharedValue<IoJob> job;         ///< none: a type other than fio
  SharedValue<BlockTrace> trace;  ///< none: a type other than trace

  const std::vector<Block>& BlocksOf(bool writes) const {
    return writes && !write_blocks.empty() ? write_blocks : blocks;
  }
  bool operator==(const IoArrivals&) const = default;
};
/// f(writes, size, share of all I/Os) for each size that there is.
template <class F>
void ForEachBlock(const IoArrivals& io, F&& f) {
  for (const bool writes : {false, true}) {
    const double of_all = writes ? 1 - io.reads : io.reads;
    if (of_all <= 0) continue;
    for (const IoBlock& b : io.BlocksOf(writes)) f(writes, b.size, b.share * of_all);
  }
}
inline double MeanBlock(const IoArrivals& io) {
  const auto mean_of = [&](bool writes) {
    double mean = 0;
    for (const IoBlock& b : io.BlocksOf(writes)) mean += b.share * static_cast<double>(b.size.v);
    return mean;
  };
  return io.write_blocks.empty() ? mean_of(false)
                                 : io.reads * mean_of(false) + (1 - io.reads) * mean_of(true);
}
inline Bytes LargestBlock(const IoArrivals& io) {
  Bytes largest;
  ForEachBlock(io, [&](bool, Bytes size, double) { largest = std::max(largest, size); });
  return largest;
}

/// The type is fio if it has a job, trace if it has a trace, else io.
std::unique_ptr<Arrivals> ArrivalsFrom(IoArrivals a);

}  // namespace headroom
