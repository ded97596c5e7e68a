// Tables of a result in the form in which a SONiC switch shows them.
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

/// Rows of numbers and names under a header; a cell that nothing is known of is "N/A", as in SONiC.
struct OperatorTable {
  std::string title;  ///< printed above the header; may be empty
  std::vector<std::string> header;
  std::vector<std::vector<nlohmann::ordered_json>> rows;
};

/// The files of one run's result, as the tables need them.
class RunFiles {
 public:
  /// Throws ResultError where `dir` is not the result of one run; where it holds several, names one.
  explicit RunFiles(const std::filesystem::path& dir);

  const std::filesystem::path& dir() const { return dir_; }
  /// In the order of the topology.
  const std::vector<std::string>& switches() const { return switches_; }
  const CsvTable& ports() const { return ports_; }
  /// Rows of ports.csv that are about this node.
  const std::vector<size_t>& PortRows(const std::string& node) const { return port_rows_.at(node); }
  /// `buffer` of summary.json, of this switch.
  const nlohmann::ordered_json& Buffer(const std::string& node) const { return buffers_.at(node); }
  /// The scenario of the run: resolved.yaml, read on first use. Throws ScenarioError.
  const Scenario& scenario() const;
  /// estats.csv, read when first asked for, and its rows by host.
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
  /// The hosts that it has tables of; null: it is about switches.
  std::vector<std::string> (*hosts)(const RunFiles&) = nullptr;
};

const std::vector<OperatorView>& OperatorViews();

// Each family of tables is a file.
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
