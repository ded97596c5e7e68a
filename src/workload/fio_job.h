// A job of a fio job file as plain data, in simulated time. Fields without a comment are as in fio's manual
// (HOWTO.rst).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/units.h"
#include "workload/io_addresses.h"

namespace headroom {

/// Settings that reads and writes may have separately.
struct IoJobSide {
  std::vector<IoBlock> split;     ///< bssplit; empty: sizes are from least to most
  Bytes least{4096}, most{4096};  ///< bs or bsrange
  Bytes rate;                     ///< per second; 0: as fast as possible
  int64_t rate_iops = 0;          ///< the same limit in I/Os
  bool operator==(const IoJobSide&) const = default;
};

struct IoJob {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;  ///< as written, including those of [global]
  double time_scale = 1;           ///< simulated seconds per second of the file; the times below include it
  int reads = 100;                 ///< in per cent
  std::array<IoJobSide, 2> sides;  ///< for reads, and for writes
  bool unaligned = false;          ///< sizes need not be multiples of the smallest
  IoAddresses addresses;
  int depth = 1;            ///< open I/Os of a clone
  int clones = 1;           ///< numjobs
  bool offload = false;     ///< a clone that waits for its rate does not first wait for its open I/Os
  bool poisson = false;     ///< rate_process
  Bytes offset, increment;  ///< offset of the first clone's region, and increment from clone to clone
  Bytes size;               ///< size of the region
  Bytes total;              ///< bytes that a clone requests, unless time_based
  bool again = false;       ///< when the region is done and `total` is not reached, the clone begins again
  bool time_based = false;  ///< runs until `runtime`
  int64_t number_ios = 0;   ///< maximum number of I/Os of a clone; 0: no limit
  Time runtime;             ///< time after the ramp; 0: until the run's end
  Time delay_spread;        ///< a clone begins up to this much later
  Time think;               ///< pause after this many I/Os, when all open ones have ended
  int64_t think_blocks = 1;
  bool think_issued = false;  ///< counts I/Os that began; otherwise I/Os that ended
  Time think_every;           ///< also pauses whenever this much time has passed; 0: never
  bool think_by_blocks = true;
  /// Stonewall: the job begins only after earlier jobs of the file have ended, namely the job `wall_back`
  /// places before it and the jobs up to `walled`.
  int wall_back = 0, walled = 0;
  bool operator==(const IoJob&) const = default;

  bool Reads() const { return reads > 0; }
  bool Writes() const { return reads < 100; }
  bool EndsByItself() const { return !time_based || number_ios > 0; }
  /// Mean I/Os per second that a clone's rate permits; none: no limit.
  std::optional<double> MostIops() const;
  /// Maximum number of I/Os of a clone in a span; infinite without a limit.
  double MostIos(Time span) const;
};

}  // namespace headroom
