#include "sonic/tables/read.h"

#include <fmt/format.h>

#include "sonic/tables/expand.h"
#include "sonic/tables/json_text.h"
#include "sonic/tables/tables.h"

namespace headroom {

SonicSyntaxError::SonicSyntaxError(const std::string& file, int line, int column, const std::string& what)
    : std::runtime_error(fmt::format("{}:{}:{}: {}", file, line, column, what)),
      line_(line),
      column_(column),
      reason_(what) {}

namespace {

/// Reads the tables of `json`, which the result takes over.
SonicConfig ReadTables(nlohmann::ordered_json json, const std::string& file, SonicFindings& findings) {
  SonicConfig config;
  config.file = file;
  config.json = std::move(json);
  config.layout = LayoutOf(config.json);
  SonicTables tables(config.json, findings);
  ReadDeviceTables(tables, config, findings);
  ReadBufferRows(tables, config, findings);
  ReadQosTables(tables, config, findings);
  ReadWatchdogTable(tables, config, findings);
  NoteUnusedTables(tables, findings);
  return config;
}

}  // namespace

SonicFile ReadSonicConfig(const std::string& text, const std::string& file, const PgProfileLookup* lookup) {
  SonicFindings findings(file);
  nlohmann::ordered_json json = ParseSonicJson(text, file, findings);
  if (lookup) {
    SonicFindings of_the_first_reading(file);  // the second reading finds the same
    json = AddLosslessGroups(ReadTables(std::move(json), file, of_the_first_reading), *lookup, findings);
  }
  SonicConfig config = ReadTables(std::move(json), file, findings);
  if (lookup) config.lookup = *lookup;
  CheckSonicBuffers(config, findings);
  CheckSonicQos(config, findings);
  return {std::move(config), findings.Merged()};
}

std::string WriteSonicConfig(const SonicConfig& config) { return config.json.dump(4) + '\n'; }

}  // namespace headroom
