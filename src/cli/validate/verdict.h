// A scenario's expectations against the results of its runs.
#pragma once

#include <string>
#include <vector>

#include "report/metric_value.h"
#include "scenario/experiment.h"

namespace headroom {

/// One line of `validate`. Texts are ready to print, with units.
struct Verdict {
  bool passed = false;  ///< it holds, or misses as it is known to
  FigureKind kind = FigureKind::ours;
  std::string metric;  ///< what was measured, and at which values of the varied keys
  std::string value;   ///< the expected one; "-" where the scenario does not say
  std::string allowed;
  std::string range;      ///< where the bounds come from; may be empty
  std::string simulated;  ///< the mean over the seeds, ± half its 95 % interval; "-" where there is no value
  std::string problem;    ///< why there is no value, or why it does not count; else empty
  std::string misses;     ///< why it is known not to hold; else empty
  std::string source;
  std::string file;
  int line = 0;

  bool KnownMiss() const { return passed && !misses.empty(); }
};

/// "ok", "miss" (it is known to) or "FAIL".
const char* VerdictWord(const Verdict& v);

/// Judges every expectation, one without a value for a varied key at each of that key's values. The value of
/// a metric is its mean over the seeds. What is missing, null, or censored on the side of the bound fails and
/// says so. A known miss passes as long as it misses, and fails once it holds.
std::vector<Verdict> Judge(const Experiment& experiment, const std::vector<RunOutcome>& runs);

/// A table with the sources below it, then the causes of known misses, then the problems by file and line.
std::string VerdictTable(const std::vector<Verdict>& verdicts);

/// The verdicts on a scenario.
struct JudgedScenario {
  std::string name;
  std::vector<Verdict> verdicts;
};

/// How many figures there are of each kind, how many hold, and how many miss as they are known to.
std::string VerdictCounts(const std::vector<JudgedScenario>& judged);

/// All of it as a page of Markdown: docs/validation.md.
std::string VerdictPage(const std::vector<JudgedScenario>& judged);

}  // namespace headroom
