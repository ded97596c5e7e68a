#include "report/result.h"

#include <fmt/format.h>

#include <fstream>

#include "report/csv_tables.h"
#include "report/text_file.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

using CsvWriter = void (*)(TextFile&, const Scenario&, const RunRecord&);
constexpr std::pair<const char*, CsvWriter> kTables[] = {
    {"messages.csv", WriteMessagesCsv}, {"pfc.csv", WritePfcCsv},           {"events.csv", WriteEventsCsv},
    {"ports.csv", WritePortsCsv},       {"queues.csv", WriteQueuesCsv},     {"groups.csv", WriteGroupsCsv},
    {"rates.csv", WriteRatesCsv},       {"goodput.csv", WriteGoodputCsv},   {"cnps.csv", WriteCnpsCsv},
    {"drops.csv", WriteDropsCsv},       {"watchdog.csv", WriteWatchdogCsv}, {"estats.csv", WriteEstatsCsv},
};

void WriteText(const fs::path& path, const std::string& text) {
  TextFile file(path);
  file.Write(text);
  file.Close();
}

}  // namespace

void WriteResult(const fs::path& target, const Scenario& scenario, const RunRecord& record,
                 const nlohmann::ordered_json& summary, const std::vector<NamedText>& texts, bool force) {
  StagedDirectory staged(target, force);
  WriteResult(staged, scenario, record, summary, texts);
}

void WriteResult(StagedDirectory& staged, const Scenario& scenario, const RunRecord& record,
                 const nlohmann::ordered_json& summary, const std::vector<NamedText>& texts) {
  for (const auto& [name, write] : kTables) {
    TextFile file(staged.path() / name);
    write(file, scenario, record);
    file.Close();
  }
  for (const NamedText& t : texts) {
    const fs::path path = staged.path() / t.name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) throw ResultError(fmt::format("{}: cannot be written: {}", path.string(), error.message()));
    WriteText(path, t.text);
  }
  WriteText(staged.path() / "summary.json", summary.dump(2) + "\n");
  staged.Commit();
}

void WriteSummary(const fs::path& dir, const nlohmann::ordered_json& summary) {
  const fs::path temporary = dir / ".summary.json.partial", target = dir / "summary.json";
  std::error_code error;
  try {
    WriteText(temporary, summary.dump(2) + "\n");
  } catch (const ResultError&) {
    fs::remove(temporary, error);
    throw;
  }
  fs::rename(temporary, target, error);
  if (error) throw ResultError(fmt::format("{}: cannot be written: {}", target.string(), error.message()));
}

nlohmann::ordered_json ReadSummary(const fs::path& dir) {
  const fs::path path = dir / "summary.json";
  std::ifstream in(path);
  if (!fs::is_directory(dir)) throw ResultError(fmt::format("{}: there is no such result", dir.string()));
  if (!in) throw ResultError(fmt::format("{}: is not a result: it has no summary.json", dir.string()));
  nlohmann::ordered_json summary = nlohmann::ordered_json::parse(in, nullptr, false);
  if (!summary.is_object()) throw ResultError(fmt::format("{}: is not a JSON object", path.string()));
  return summary;
}

}  // namespace headroom
