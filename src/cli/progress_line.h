// The line on a terminal that says how far a run is; elsewhere, one that says what takes its time before a
// run.
#pragma once

#include <chrono>
#include <string>

#include "run/run.h"

namespace headroom {

class ProgressLine {
 public:
  /// Writes to stderr; where `enabled` is false only of a step that begins after so much CPU time.
  explicit ProgressLine(bool enabled, double patience_cpu_s = 3);
  ~ProgressLine() { Clear(); }
  /// What is being done before or after the run, as it begins.
  void Step(const std::string& what);
  /// The run begins.
  void Start();
  void Update(const Scenario& scenario, const Progress& progress);
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;
  void Show(const std::string& text);

  bool enabled_, told_ = false;
  double patience_cpu_s_;
  bool shown_ = false;
  Clock::time_point start_, last_;
};

/// "two-racks  1.204 of 5.000 ms  12 M events/s  823 of 1024 messages done  about 4 s left".
std::string ProgressText(const Scenario& scenario, const Progress& progress, double wall_seconds);

}  // namespace headroom
