// Where on its disk a stream of I/Os goes, as plain data.
#pragma once

#include <optional>
#include <vector>

#include "sim/units.h"

namespace headroom {

/// A size of I/Os.
struct IoBlock {
  Bytes size;
  double share = 1;  ///< of the I/Os; shares sum to 1
  bool operator==(const IoBlock&) const = default;
};

/// A part of the disk, behind the one before it.
struct IoZone {
  double ios = 0, space = 0;  ///< shares of the I/Os, and of the disk
  bool operator==(const IoZone&) const = default;
};

struct IoAddresses {
  enum class Order { uniform, sequential, zipf, pareto, normal, zones };
  Order order = Order::uniform;
  double parameter = 0;          ///< of zipf θ, of pareto h, of normal the deviation as a share of the disk
  std::optional<double> centre;  ///< place of the hot part, as a share of the disk; none: drawn, for normal ½
  std::vector<IoZone> read_zones, write_zones;
  bool once = false;        ///< uniform: each block once, then all of them again
  int random_reads = 100;   ///< not sequential: per cent of the reads that are where the order says; the
  int random_writes = 100;  ///< others follow the one before them; and of the writes
  int run = 1;              ///< not sequential: so many I/Os follow each other at each place
  bool repeated = false;    ///< those of a run all go to one place
  /// Sequential: from the end of one I/O to the next. Negative: backwards, from the region's end when they
  /// come to its beginning.
  Bytes hole;
  bool operator==(const IoAddresses&) const = default;
  bool Plain() const { return *this == IoAddresses{}; }
};

}  // namespace headroom
