#include "report/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "files/text_file.h"
#include "report/csv/result_file.h"
#include "run/stream/streamed_records.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

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
  const ResultRun run{scenario, record};
  for (const auto& [name, file] : ResultFiles())
    if (!file->is_in || file->is_in(run)) file->Write(staged.path() / (name + ".csv"), run);
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
