// Readers of the tables, a group of them each. Every reader takes its tables' rows out of `rows`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sonic/tables/config.h"
#include "sonic/tables/findings.h"
#include "sonic/tables/rows.h"

namespace headroom {

class SonicTables {
 public:
  SonicTables(const nlohmann::ordered_json& json, SonicFindings& findings)
      : rows_(SonicRows(json, findings)) {}

  /// The rows of a table, which is then known.
  std::vector<SonicJsonRow> Take(const std::string& table) {
    const auto found = rows_.find(table);
    if (found == rows_.end()) return {};
    std::vector<SonicJsonRow> rows = std::move(found->second);
    rows_.erase(found);
    return rows;
  }
  const std::map<std::string, std::vector<SonicJsonRow>>& left() const { return rows_; }

 private:
  std::map<std::string, std::vector<SonicJsonRow>> rows_;
};

/// DEVICE_METADATA, PORT, CABLE_LENGTH.
void ReadDeviceTables(SonicTables& tables, SonicConfig& config, SonicFindings& findings);
/// BUFFER_* and the dynamic model's.
void ReadBufferRows(SonicTables& tables, SonicConfig& config, SonicFindings& findings);
/// WRED_PROFILE, QUEUE, SCHEDULER, PORT_QOS_MAP and the maps.
void ReadQosTables(SonicTables& tables, SonicConfig& config, SonicFindings& findings);
/// PFC_WD, and FLEX_COUNTER_TABLE|PFCWD.
void ReadWatchdogTable(SonicTables& tables, SonicConfig& config, SonicFindings& findings);
/// A note for each table that is left and touches buffers, queues or PFC.
void NoteUnusedTables(const SonicTables& tables, SonicFindings& findings);

/// References between tables, thresholds against the mode of their pool, groups that two rows name.
void CheckSonicBuffers(const SonicConfig& config, SonicFindings& findings);
/// References of the QoS tables, WRED thresholds, times of the watchdog.
void CheckSonicQos(const SonicConfig& config, SonicFindings& findings);

}  // namespace headroom
