// One run: from a scenario to its record. Once per process, for ns-3's simulator is global.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "run/records.h"
#include "scenario/scenario.h"
#include "sim/simulator.h"

namespace headroom {

/// How far a run is; for the progress line.
struct Progress {
  Time now;
  uint64_t events = 0;
  uint64_t messages_finished = 0, messages_offered = 0;
};

#ifdef NDEBUG
inline constexpr bool kAssertions = false;
#else
inline constexpr bool kAssertions = true;
#endif

struct RunOptions {
  Driver driver = Driver::fast;
  /// Buffer identities after every change, not at the end alone. Builds with assertions always check.
  bool check = kAssertions;
  /// Services' operations are kept and judged (RunRecord::histories); I/Os carry their data then.
  bool histories = false;
  std::vector<std::string> captures;  ///< ports to capture at: NODE or NODE:PORT, or patterns
  std::filesystem::path capture_dir;  ///< where to
  bool lanes = true;                  ///< false: wheel and heap for all events; for measurement
  std::vector<NodeId> build_order;    ///< of nodes; empty: ascending. It changes no result
  /// Called with each part of the set-up as it begins: a large network takes minutes.
  std::function<void(const std::string& what)> on_setup;
  std::function<void()> on_start;  ///< the network is built, nothing has happened in it
  /// Called after each `progress_every` events; returns false to end the run, as interrupted.
  std::function<bool(const Progress&)> on_progress;
  uint64_t progress_every = FastSimulator::kPulseEvents;
};

/// Throws std::invalid_argument where the network cannot be built as described, std::logic_error where an
/// identity is violated under `check`.
RunRecord Run(const Scenario& scenario, const RunOptions& options);

}  // namespace headroom
