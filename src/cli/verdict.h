// What a scenario expects, against what its runs gave.
#pragma once

#include <string>
#include <vector>

#include "cli/metric_value.h"
#include "scenario/experiment.h"

namespace headroom {

/// One line of `validate`. Texts are ready to print, with units.
struct Verdict {
  bool passed = false;
  std::string metric;     ///< what was measured, and at which values of the varied keys
  std::string published;  ///< "-" where the scenario does not say
  std::string allowed;
  std::string simulated;  ///< the mean over the seeds, ± half its 95 % interval; "-" where there is no value
  std::string problem;    ///< why there is no value, or why it does not count; else empty
  std::string source;
  std::string file;
  int line = 0;
};

/// Judges every expectation, one without a value for a varied key at each of that key's values. The value of
/// a metric is its mean over the seeds. What is missing, null, or censored on the side of the bound fails and
/// says so.
std::vector<Verdict> Judge(const Experiment& experiment, const std::vector<RunOutcome>& runs);

/// A table with the sources below it, then the problems by file and line.
std::string VerdictTable(const std::vector<Verdict>& verdicts);

}  // namespace headroom
