// A scenario's expectations against the results of its runs.
#pragma once

#include <string>
#include <vector>

#include "report/metric_value.h"
#include "scenario/experiment.h"

namespace headroom {

/// One line of `validate`. Texts are ready to print, with units.
struct JudgedExpectation {
  bool passed = false;  ///< true if it holds, or if it misses and the scenario says so
  FigureKind kind = FigureKind::ours;
  std::string metric;  ///< the measured metric, and the values of the varied keys
  std::string value;   ///< the expected value; "-" if the scenario states none
  std::string allowed;
  std::string range;      ///< the source of the bounds; may be empty
  std::string simulated;  ///< the mean over the seeds, ± half its 95 % interval; "-" where there is no value
  std::string problem;    ///< why there is no value, or why the value does not count; else empty
  std::string misses;     ///< the stated reason for a known miss; else empty
  std::string source;
  std::string file;
  int line = 0;

  bool KnownMiss() const { return passed && !misses.empty(); }
};

/// "ok", "miss" (a known miss) or "FAIL".
const char* VerdictWord(const JudgedExpectation& v);

/// Judges every expectation. One without a value for a varied key is judged at each of that key's values. The
/// value of a metric is its mean over the seeds. An expectation fails, with the reason, if its value is
/// missing, null, or censored on the side of the bound. A known miss passes while it misses, and fails once
/// it holds.
std::vector<JudgedExpectation> Judge(const Experiment& experiment, const std::vector<RunOutcome>& runs);

/// A table with the sources below it, then the causes of known misses, then the problems by file and line.
std::string VerdictTable(const std::vector<JudgedExpectation>& verdicts);

/// The verdicts on a scenario.
struct JudgedScenario {
  std::string name;
  std::vector<JudgedExpectation> verdicts;
};

/// The number of figures of each kind, of those that hold, and of known misses.
std::string VerdictCounts(const std::vector<JudgedScenario>& judged);

/// All verdicts as a page of Markdown: docs/validation.md.
std::string VerdictPage(const std::vector<JudgedScenario>& judged);

}  // namespace headroom
