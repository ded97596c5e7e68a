#include "report/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "files/text_file.h"
#include "report/csv/csv_tables.h"
#include "run/stream/streamed_records.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

using CsvWriter = void (*)(TextFile&, const Scenario&, const RunRecord&);
constexpr std::pair<const char*, CsvWriter> kTables[] = {
    {"messages.csv", WriteMessagesCsv}, {"message_waits.csv", WriteMessageWaitsCsv},
    {"pfc.csv", WritePfcCsv},           {"events.csv", WriteEventsCsv},
    {"ports.csv", WritePortsCsv},       {"queues.csv", WriteQueuesCsv},
    {"groups.csv", WriteGroupsCsv},     {"rates.csv", WriteRatesCsv},
    {"goodput.csv", WriteGoodputCsv},   {"cnps.csv", WriteCnpsCsv},
    {"drops.csv", WriteDropsCsv},       {"watchdog.csv", WriteWatchdogCsv},
    {"estats.csv", WriteEstatsCsv},     {"pfc_causes.csv", WritePfcCausesCsv},
    {"marking.csv", WriteMarkingCsv},
};

void WriteTable(const fs::path& path, CsvWriter write, const Scenario& scenario, const RunRecord& record) {
  TextFile file(path);
  write(file, scenario, record);
  file.Close();
}

void WriteText(const fs::path& path, const std::string& text) {
  TextFile file(path);
  file.Write(text);
  file.Close();
}

}  // namespace

void WriteResult(const fs::path& target, const Scenario& scenario, const RunRecord& record,
                 const nlohmann::ordered_json& summary, const std::vector<NamedText>& texts, bool force) {
  StagedDirectory staged(target, {.force = force});
  WriteResult(staged, scenario, record, summary, texts);
}

void WriteResult(StagedDirectory& staged, const Scenario& scenario, const RunRecord& record,
                 const nlohmann::ordered_json& summary, const std::vector<NamedText>& texts) {
  for (const auto& [name, write] : kTables) WriteTable(staged.path() / name, write, scenario, record);
  if (std::any_of(scenario.workloads.begin(), scenario.workloads.end(), OffersOperations)) {
    WriteTable(staged.path() / "operations.csv", WriteOperationsCsv, scenario, record);
    WriteTable(staged.path() / "operation_waits.csv", WriteOperationWaitsCsv, scenario, record);
  }
  for (const NamedText& t : texts) {
    const fs::path path = staged.path() / t.name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) throw ResultError(fmt::format("{}: cannot be written: {}", path.string(), error.message()));
    WriteText(path, t.text);
  }
  WriteText(staged.path() / "summary.json", summary.dump(2) + "\n");
  if (record.ended) {
    std::error_code ignored;
    fs::remove_all(staged.path() / kStreamFolder, ignored);
  }
  staged.Commit();
}

void WriteSummary(const fs::path& dir, const nlohmann::ordered_json& summary) {
  WriteWhole(dir / "summary.json", summary.dump(2) + "\n");
}

namespace {

bool IsCountList(const nlohmann::ordered_json& list) {
  return list.is_array() &&
         std::all_of(list.begin(), list.end(), [](auto& n) { return n.is_number_unsigned(); });
}

/// The first of the buffers' values with a wrong kind; empty if there is none.
std::string WrongOfBuffers(const nlohmann::ordered_json& buffers) {
  if (!buffers.is_object()) return "buffer";
  for (const auto& [name, buffer] : buffers.items()) {
    const std::string at = "buffer." + name;
    if (!buffer.is_object()) return at;
    if (!buffer.contains("pools")) continue;
    if (!buffer.at("pools").is_object()) return at + ".pools";
    for (const auto& [pool, peaks] : buffer.at("pools").items()) {
      if (!peaks.is_object()) return at + ".pools." + pool;
      for (const auto& [peak, bytes] : peaks.items())
        if (!bytes.is_number() || bytes.get<double>() < 0) return at + ".pools." + pool + '.' + peak;
    }
  }
  return "";
}

/// The first of operations, services and cores with a wrong kind, or with a value of a wrong kind; empty if
/// there is none.
std::string WrongOfServices(const nlohmann::ordered_json& summary) {
  for (const char* section : {"operations", "services", "cores"}) {
    if (!summary.contains(section)) continue;
    if (!summary.at(section).is_object()) return section;
    for (const auto& [name, one] : summary.at(section).items()) {
      const std::string at = std::string(section) + '.' + name;
      if (!one.is_object()) return at;
      if (section == std::string("services")) continue;
      for (const auto& [key, below] : one.items())
        if (!below.is_object()) return at + '.' + key;
    }
  }
  return "";
}

/// A required key that this summary lacks; empty if it has all.
std::string MissingOf(const nlohmann::ordered_json& summary) {
  const auto is = [&](const char* key, auto kind) { return summary.contains(key) && kind(summary.at(key)); };
  if (!is("scenario", [](auto& v) { return v.is_string(); })) return "scenario";
  if (!is("status", [](auto& v) { return v.is_string(); })) return "status";
  if (!is("messages", [](auto& v) { return v.is_object(); })) return "messages";
  for (const auto& [name, workload] : summary.at("messages").items())
    if (!workload.is_object()) return "messages." + name;
  if (std::string wrong = WrongOfServices(summary); !wrong.empty()) return wrong;
  if (summary.contains("buffer")) {
    if (std::string wrong = WrongOfBuffers(summary.at("buffer")); !wrong.empty()) return wrong;
  }
  if (summary.contains("seeds")) {
    const auto& seeds = summary.at("seeds");
    return seeds.is_object() && seeds.contains("list") && IsCountList(seeds.at("list")) ? "" : "seeds.list";
  }
  return is("seed", [](auto& v) { return v.is_number_unsigned() || v.is_null(); }) ? "" : "seed";
}

}  // namespace

nlohmann::ordered_json ReadSummary(const fs::path& dir) {
  const fs::path path = dir / "summary.json";
  std::error_code error;
  if (!fs::is_directory(dir, error))
    throw ResultError(fmt::format("{}: there is no such result", dir.string()));
  if (!IsResult(dir))
    throw ResultError(fmt::format("{}: is not a result: it has no summary.json", dir.string()));
  std::ifstream in(path);
  if (!in) throw ResultError(fmt::format("{}: cannot be read", path.string()));
  nlohmann::ordered_json summary = nlohmann::ordered_json::parse(in, nullptr, false);
  if (!summary.is_object()) throw ResultError(fmt::format("{}: is not a JSON object", path.string()));
  if (const std::string missing = MissingOf(summary); !missing.empty()) {
    throw ResultError(
        fmt::format("{}: the file is not a summary of a run: {} is missing, or its type is "
                    "wrong",
                    path.string(), missing));
  }
  return summary;
}

}  // namespace headroom
