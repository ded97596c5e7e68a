// Progress of a run: a line that is overwritten on a terminal. Elsewhere, prints a line every ten seconds on
// request, or else one line that names a long step before the run.
#pragma once

#include <chrono>
#include <string>

#include "run/run.h"

namespace headroom {

enum class ProgressTo { nobody, terminal, log };

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;
  /// Progress goes to stderr. To a log, the first line appears after `every`, and later lines at the same
  /// interval. Otherwise a line appears only for a step that begins after `patience_cpu_s` of CPU time.
  explicit ProgressLine(ProgressTo to, double patience_cpu_s = 3,
                        Clock::duration every = std::chrono::seconds(10));
  ~ProgressLine() { Clear(); }
  /// Shows the name of a step before or after the run, when the step begins.
  void Step(const std::string& what);
  /// The run begins.
  void Start();
  /// `name`: name of the run.
  void Update(const std::string& name, const Scenario& scenario, const Progress& progress);
  void Clear();

 private:
  /// Whether another line is due; if so, the next follows after `every`.
  bool IsDue(Clock::duration every);
  void Show(const std::string& text);

  ProgressTo to_;
  bool told_ = false;
  double patience_cpu_s_;
  Clock::duration every_;
  bool shown_ = false;
  Clock::time_point start_, last_;
};

/// For example "two-racks  1.204 of 5.000 ms  12 M events/s  823 of 1024 messages done  about 4 s left".
std::string ProgressText(const std::string& name, const Scenario& scenario, const Progress& progress,
                         double wall_seconds);

}  // namespace headroom
