// One run: from a scenario to its record.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "run/recording/records.h"
#include "scenario/scenario.h"
#include "sim/exchange.h"
#include "sim/simulator.h"

namespace headroom {

/// The progress of a run, for the progress line.
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
  /// Check buffer identities after every change, not only at the end. Builds with assertions always check.
  bool check = kAssertions;
  /// Keep and judge services' operations (RunRecord::histories); I/Os then carry their data.
  bool histories = false;
  std::vector<std::string> captures;  ///< ports to capture: NODE or NODE:PORT, or patterns
  std::filesystem::path capture_dir;  ///< folder for the captures
  /// Takes the records that end, on rank 0. REQUIRES: set there if, and only if, the scenario has
  /// `results: stream`.
  std::shared_ptr<EndedRecords> ended{};
  bool lanes = true;                ///< false: wheel and heap for all events; for measurement
  std::vector<NodeId> build_order;  ///< of nodes; empty: ascending. The order changes no result
  /// The part of each node, from 0 on (sim/parts.h); empty: the network is not cut. They change no result.
  /// REQUIRES: WhyNotCut (scenario/paths/cut.h) returns nothing, and the driver is the fast one.
  std::vector<int> parts;
  /// Count what so many processes would gain (RunRecord::work); 0: do not. REQUIRES: at least as many parts.
  int estimate_ranks = 0;
  /// Joins the ranks that run the network; null: this process runs it alone. Only rank 0 gets the record.
  /// REQUIRES: there are parts, and the first rank has HostsOfFirstRank (scenario/paths/cut.h).
  Exchange* exchange = nullptr;
  /// Called at the beginning of each part of the set-up, because a large network takes minutes.
  std::function<void(const std::string& what)> on_setup;
  std::function<void()> on_start;  ///< called when the network is built, before any event
  std::function<void()> on_end;    ///< called after the last event
  /// Called after each `progress_every` events; returns false to end the run as interrupted.
  std::function<bool(const Progress&)> on_progress;
  uint64_t progress_every = FastSimulator::kPulseEvents;
};

/// The record is empty on every rank but 0. Throws std::invalid_argument if the network cannot be built as
/// described, std::logic_error if an identity is violated under `check`.
RunRecord Run(const Scenario& scenario, const RunOptions& options);

}  // namespace headroom
