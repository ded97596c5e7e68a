#include "switch/sonic/read.h"

#include <fmt/format.h>

#include "switch/sonic/json_text.h"
#include "switch/sonic/tables.h"

namespace headroom {

SonicSyntaxError::SonicSyntaxError(const std::string& file, int line, int column, const std::string& what)
    : std::runtime_error(fmt::format("{}:{}:{}: {}", file, line, column, what)),
      line_(line),
      column_(column) {}

SonicFile ReadSonicConfig(const std::string& text, const std::string& file) {
  SonicFindings findings(file);
  SonicConfig config;
  config.file = file;
  config.json = ParseSonicJson(text, file, findings);
  config.layout = LayoutOf(config.json);
  SonicTables tables(config.json, findings);
  ReadDeviceTables(tables, config, findings);
  ReadBufferRows(tables, config, findings);
  ReadQosTables(tables, config, findings);
  ReadWatchdogTable(tables, config, findings);
  NoteUnusedTables(tables, findings);
  CheckSonicBuffers(config, findings);
  CheckSonicQos(config, findings);
  return {std::move(config), findings.Merged()};
}

std::string WriteSonicConfig(const SonicConfig& config) { return config.json.dump(4) + '\n'; }

}  // namespace headroom
