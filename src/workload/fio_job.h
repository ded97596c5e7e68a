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

/// What reads and writes may have each for themselves.
struct IoJobSide {
  std::vector<IoBlock> split;     ///< bssplit; empty: least to most
  Bytes least{4096}, most{4096};  ///< bs or bsrange
  Bytes rate;                     ///< a second; 0: as fast as they go
  int64_t rate_iops = 0;          ///< the same in I/Os
  bool operator==(const IoJobSide&) const = default;
};

struct IoJob {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;  ///< as written, those of [global] too
  double time_scale = 1;  ///< simulated seconds for each of the file's, which times below are in already
  int reads = 100;        ///< per cent
  std::array<IoJobSide, 2> sides;  ///< reads, writes
  bool unaligned = false;          ///< sizes need not be multiples of the smallest
  IoAddresses addresses;
  int depth = 1;            ///< I/Os of a clone that are open
  int clones = 1;           ///< numjobs
  bool offload = false;     ///< a clone that waits for its rate does not wait for its open I/Os first
  bool poisson = false;     ///< rate_process
  Bytes offset, increment;  ///< of the first clone's region, and from clone to clone
  Bytes size;               ///< of the region
  Bytes total;              ///< that a clone asks for, unless time_based
  bool again = false;       ///< when the region is done and `total` is not, it begins again
  bool time_based = false;  ///< until `runtime`
  int64_t number_ios = 0;   ///< that a clone asks for at most; 0: any number
  Time runtime;             ///< behind the ramp; 0: until the run's end
  Time delay_spread;        ///< a clone begins up to so much later
  Time think;               ///< after this many I/Os, when all open ones have ended
  int64_t think_blocks = 1;
  bool think_issued = false;  ///< so many that began, else that ended
  Time think_every;           ///< and whenever so much time has passed; 0: not
  bool think_by_blocks = true;
  /// Of the earlier jobs of its file: the one `wall_back` places before, and those up to `walled`, must end
  /// before it begins (stonewall).
  int wall_back = 0, walled = 0;
  bool operator==(const IoJob&) const = default;

  bool Reads() const { return reads > 0; }
  bool Writes() const { return reads < 100; }
  bool EndsByItself() const { return !time_based || number_ios > 0; }
  /// I/Os a second of a clone that its rate allows, in the mean; none: any number.
  std::optional<double> MostIops() const;
  /// Most I/Os of a clone in a span; infinite without a limit.
  double MostIos(Time span) const;
};

}  // namespace headroom
