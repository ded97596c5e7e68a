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

/// Reads and writes of a service's disks, with one disk at each host of `from`. Jobs of fio and traces use
/// this structure, too. In that case the fields are means, and the derived types add the rest.
struct IoArrivals {
  using Block = IoBlock;
  uint32_t service = 0;      ///< index into the scenario's services
  std::vector<NodeId> from;  ///< some of the service's compute hosts
  std::vector<NodeId> to;    ///< the service's extent nodes
  std::vector<Block> blocks;
  std::vector<Block> write_blocks;  ///< blocks of writes, if they differ
  double reads = 1;                 ///< share of reads among the I/Os, drawn for each
  int depth = 1;                    ///< closed loop: open I/Os of a host; or
  double rate = 0;                  ///< open loop: I/Os per second of a host; 0: closed
  bool even = false;                ///< open loop: gaps are equal, otherwise exponential
  Time think;                       ///< closed loop: from the end of an I/O to the start of its successor
  IoAddresses addresses;
  Time ramp;   ///< percentiles exclude I/Os that start earlier than this after `start`
  Time start;  ///< not before the host's disk is ready
  std::optional<Time> stop;
  SharedValue<IoJob> job;         ///< none: a type other than fio
  SharedValue<BlockTrace> trace;  ///< none: a type other than trace

  const std::vector<Block>& BlocksOf(bool writes) const {
    return writes && !write_blocks.empty() ? write_blocks : blocks;
  }
  bool operator==(const IoArrivals&) const = default;
};
/// Calls f(writes, size, share of all I/Os) for each size.
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

/// The type is fio if there is a job, trace if there is a trace, else io.
std::unique_ptr<Arrivals> ArrivalsFrom(IoArrivals a);

}  // namespace headroom
