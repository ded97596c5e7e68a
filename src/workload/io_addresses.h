// The addresses of a stream of I/Os on its disk, as plain data.
#pragma once

#include <optional>
#include <vector>

#include "sim/units.h"

namespace headroom {

/// A size of I/Os.
struct IoBlock {
  Bytes size;
  double share = 1;  ///< share of the I/Os; shares sum to 1
  bool operator==(const IoBlock&) const = default;
};

/// A part of the disk, behind the previous one.
struct IoZone {
  double ios = 0, space = 0;  ///< shares of the I/Os, and of the disk
  bool operator==(const IoZone&) const = default;
};

struct IoAddresses {
  enum class Order { uniform, sequential, zipf, pareto, normal, zones };
  Order order = Order::uniform;
  double parameter = 0;  ///< for zipf θ, for pareto h, for normal the deviation as a share of the disk
  std::optional<double>
      centre;  ///< place of the hot part, as a share of the disk; none: random, for normal ½
  std::vector<IoZone> read_zones, write_zones;
  bool once = false;        ///< uniform: each block once, then all blocks again
  int random_reads = 100;   ///< not sequential: per cent of reads with a place by `order`; other
  int random_writes = 100;  ///< reads follow the previous I/O; per cent of writes, in the same sense
  int run = 1;              ///< not sequential: number of consecutive I/Os at each place
  bool repeated = false;    ///< all I/Os of a run use the same place
  /// Sequential: distance from the end of one I/O to the next. Negative: backwards, restarting from the
  /// region's end at its beginning.
  Bytes hole;
  bool operator==(const IoAddresses&) const = default;
  bool Plain() const { return *this == IoAddresses{}; }
};

}  // namespace headroom
