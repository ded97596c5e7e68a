#include "cli/show/operator_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/result.h"
#include "report/result_scenario.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

/// The results of single runs below a directory of several, at most two levels down, sorted.
std::vector<std::string> RunsBelow(const fs::path& dir) {
  std::vector<std::string> runs;
  std::error_code error;
  for (fs::recursive_directory_iterator at(dir, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename() == "ports.csv") runs.push_back(at->path().parent_path().string());
    if (at.depth() == 2) at.disable_recursion_pending();
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

const fs::path& RequireRun(const fs::path& dir) {
  if (fs::exists(dir / "ports.csv")) return dir;
  if (!fs::is_directory(dir)) throw ResultError(fmt::format("{}: there is no such result", dir.string()));
  const std::vector<std::string> runs = RunsBelow(dir);
  if (runs.empty()) throw ResultError(fmt::format("{}: is not a result: it has no ports.csv", dir.string()));
  throw ResultError(fmt::format("{}: holds {} runs; name one of them, such as {}", dir.string(), runs.size(),
                                runs.front()));
}

}  // namespace

RunFiles::RunFiles(const fs::path& dir) : dir_(RequireRun(dir)), ports_(dir / "ports.csv") {
  for (size_t row = 0; row < ports_.rows(); ++row) port_rows_[ports_.At(row, "node")].push_back(row);
  buffers_ = ReadSummary(dir).at("buffer");
  for (const auto& [name, unused] : buffers_.items()) {
    switches_.push_back(name);
    port_rows_[name];  // a switch without a used port has no rows
  }
}

const Scenario& RunFiles::scenario() const {
  if (!scenario_) scenario_ = ReadScenarioOfResult(dir_);
  return *scenario_;
}

const std::vector<OperatorView>& OperatorViews() {
  static const std::vector<OperatorView> views = {
      {"pfc counters", "PFC frames received and sent, by port and priority", PfcCounters},
      {"priority-group watermark shared", "maximum bytes of each priority group in its shared pool",
       GroupSharedWatermark},
      {"priority-group watermark headroom", "maximum headroom used by each priority group",
       GroupHeadroomWatermark},
      {"priority-group drop counters", "packets that each priority group lost at ingress", GroupDrops},
      {"queue counters", "packets that each queue sent, and that were dropped before it", QueueCounters},
      {"queue wredcounters", "packets that each queue marked (ECN)", QueueWredCounters},
      {"queue watermark unicast", "maximum bytes of each queue in its shared pool", QueueWatermark},
      {"buffer_pool watermark", "maximum bytes used of each shared pool", PoolWatermark},
      {"headroom-pool watermark", "maximum bytes used of each pool's headroom", HeadroomPoolWatermark},
      {"pfcwd stats", "pause storms of each watched queue, and their cost", WatchdogStats},
      {"ecn", "marking thresholds of each class, as ecnconfig -l lists WRED profiles", EcnProfiles},
      {"estats", "of hosts: times of operations, by connection (RDMA Estats)", EstatsTables, EstatsHosts},
  };
  return views;
}

}  // namespace headroom
