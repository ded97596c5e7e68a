// The number of ranks in which a scenario can run, and their gain, without a run.
#pragma once

#include <string>

#include "scenario/scenario.h"

namespace headroom {

/// Cost of an exchange between two ranks, and of each of its frames: measured with Open MPI 4.1 on a loaded
/// machine, without frames and with 100.
inline constexpr double kExchangeSeconds = 1.3e-6, kExchangeFrameSeconds = 0.05e-6;

struct RankGain {
  int ranks = 1;
  double gain = 1;      ///< estimated factor between the times of one process and of `ranks`
  std::string refused;  ///< why the asked number of ranks is not possible; empty if it is
};

/// The largest of `asked`, `asked` ÷ 2, `asked` ÷ 4, … ranks in which the scenario can run. `seconds`: CPU
/// time of one process. The estimate divides this time equally and adds the exchanges of all windows. No gain
/// is assumed where rank 0 runs the hosts of all services.
/// REQUIRES: asked ≥ 1.
RankGain GainOfRanks(const Scenario& scenario, int asked, double seconds);

}  // namespace headroom
