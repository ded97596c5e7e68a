// Readers of the tables, each for a group of tables. Every reader removes its tables' rows from `rows`.
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

  /// The rows of a table, which counts as known afterwards.
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

/// Reads DEVICE_METADATA, PORT, CABLE_LENGTH.
void ReadDeviceTables(SonicTables& tables, SonicConfig& config, SonicFindings& findings);
/// Reads BUFFER_* and the tables of the dynamic model.
void ReadBufferRows(SonicTables& tables, SonicConfig& config, SonicFindings& findings);
/// Reads WRED_PROFILE, QUEUE, SCHEDULER, PORT_QOS_MAP and the maps.
void ReadQosTables(SonicTables& tables, SonicConfig& config, SonicFindings& findings);
/// Reads PFC_WD, and FLEX_COUNTER_TABLE|PFCWD.
void ReadWatchdogTable(SonicTables& tables, SonicConfig& config, SonicFindings& findings);
/// Adds a note for each remaining table that concerns buffers, queues or PFC.
void NoteUnusedTables(const SonicTables& tables, SonicFindings& findings);

/// Checks references between tables, thresholds against the mode of their pool, and groups that two rows
/// name.
void CheckSonicBuffers(const SonicConfig& config, SonicFindings& findings);
/// Checks references of the QoS tables, WRED thresholds, and times of the watchdog.
void CheckSonicQos(const SonicConfig& config, SonicFindings& findings);

}  // namespace headroom
