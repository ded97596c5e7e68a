// Tables of a result in the format of a SONiC switch.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "report/csv/csv_rows.h"
#include "scenario/scenario.h"

namespace headroom {

/// Rows of numbers and names under a header. As in SONiC, a cell without data is "N/A".
struct OperatorTable {
  std::string title;  ///< printed above the header; may be empty
  std::vector<std::string> header;
  std::vector<std::vector<nlohmann::ordered_json>> rows;
};

/// The files of one run's result, as the tables need them.
class RunFiles {
 public:
  /// Throws ResultError if `dir` is not the result of one run. If it contains several, the message names one.
  explicit RunFiles(const std::filesystem::path& dir);

  const std::filesystem::path& dir() const { return dir_; }
  /// Names in the order of the topology.
  const std::vector<std::string>& switches() const { return switches_; }
  const CsvTable& ports() const { return ports_; }
  /// The rows of ports.csv about this node.
  const std::vector<size_t>& PortRows(const std::string& node) const { return port_rows_.at(node); }
  /// The entry of this switch in `buffer` of summary.json.
  const nlohmann::ordered_json& Buffer(const std::string& node) const { return buffers_.at(node); }
  /// The scenario of the run: resolved.yaml, read on first use. Throws ScenarioError.
  const Scenario& scenario() const;
  /// estats.csv, read at the first call, and its rows by host.
  const CsvTable& estats() const;
  const std::map<std::string, std::vector<size_t>>& EstatsRows() const { return estats(), estats_rows_; }

 private:
  std::filesystem::path dir_;
  CsvTable ports_;
  nlohmann::ordered_json buffers_;
  std::vector<std::string> switches_;
  std::map<std::string, std::vector<size_t>> port_rows_;
  mutable std::optional<Scenario> scenario_;
  mutable std::optional<CsvTable> estats_;
  mutable std::map<std::string, std::vector<size_t>> estats_rows_;
};

struct OperatorView {
  const char* name;  ///< the words of the command
  const char* says;
  /// The tables of one node.
  std::vector<OperatorTable> (*tables)(const RunFiles&, const std::string& node);
  /// The hosts that have this table; null if the table is about switches.
  std::vector<std::string> (*hosts)(const RunFiles&) = nullptr;
};

const std::vector<OperatorView>& OperatorViews();

// Each family of tables has its own file.
std::vector<OperatorTable> PfcCounters(const RunFiles&, const std::string& node);
std::vector<OperatorTable> GroupSharedWatermark(const RunFiles&, const std::string& node);
std::vector<OperatorTable> GroupHeadroomWatermark(const RunFiles&, const std::string& node);
std::vector<OperatorTable> GroupDrops(const RunFiles&, const std::string& node);
std::vector<OperatorTable> WatchdogStats(const RunFiles&, const std::string& node);
std::vector<OperatorTable> QueueCounters(const RunFiles&, const std::string& node);
std::vector<OperatorTable> QueueWredCounters(const RunFiles&, const std::string& node);
std::vector<OperatorTable> QueueWatermark(const RunFiles&, const std::string& node);
std::vector<OperatorTable> PoolWatermark(const RunFiles&, const std::string& node);
std::vector<OperatorTable> HeadroomPoolWatermark(const RunFiles&, const std::string& node);
std::vector<OperatorTable> EcnProfiles(const RunFiles&, const std::string& node);
std::vector<OperatorTable> EstatsTables(const RunFiles&, const std::string& host);
std::vector<std::string> EstatsHosts(const RunFiles&);

}  // namespace headroom
