#include "support/short_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run/ideal_times.h"
#include "files/manifest.h"
#include "report/result.h"
#include "report/summary/summary.h"
#include "run/run.h"
#include "scenario/write/digest.h"
#include "scenario/write/write.h"
#include "support/text_file.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

/// The network alone takes longer to build than a shortened run may take.
constexpr const char* kTooLarge = "large.yaml";

/// FNV-1a with 64 bits, as in scenario/write/digest.h.
uint64_t Fnv1a(const std::string& bytes, uint64_t hash) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash * 0x100000001b3;
}

std::vector<fs::path> FilesBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), folder));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<std::string> ShippedScenarios() {
  std::vector<std::string> scenarios;
  const fs::path root = fs::path(HEADROOM_SOURCE_DIR) / "scenarios";
  for (const fs::path& file : FilesBelow(root))
    if (file.extension() == ".yaml" && file != kTooLarge && file.parent_path().filename() != "common" &&
        ReadTextFile(root / file).find("\nscenario: ") == std::string::npos)
      scenarios.push_back("scenarios/" + file.string());
  return scenarios;
}

RunRecord RunShort(const ScenarioFile& file, const fs::path& result) {
  RunOptions options;
  options.progress_every = kShortEvents;
  options.on_progress = [](const Progress&) { return false; };
  RunRecord record = Run(file.scenario, options);
  WriteRun(file, record, result);
  return record;
}

void WriteRun(const ScenarioFile& file, RunRecord& record, const fs::path& result) {
  FillIdealTimes(file.scenario, record.messages);
  auto summary = Summarise(file.scenario, record, {});
  summary["digest"] = DigestOf(file);
  const Resolved resolved = WriteResolved(file);
  std::vector<NamedText> texts = {{"resolved.yaml", resolved.yaml}};
  for (const ReferencedFile& f : resolved.files) texts.push_back({f.name, ReadTextFile(f.from)});
  WriteResult(result, file.scenario, record, summary, texts, false);
}

ResultDigest DigestOfResult(const fs::path& result) {
  constexpr uint64_t kOffset = 0xcbf29ce484222325;
  uint64_t numbers = kOffset, words = kOffset;
  for (const fs::path& file : FilesBelow(result)) {
    if (file == kManifest) continue;  // sizes and checksums of the others, with `run`
    std::string text = ReadTextFile(result / file);
    if (file == "summary.json") {
      auto summary = nlohmann::ordered_json::parse(text);
      summary.erase("run");
      summary.erase("version");
      text = summary.dump();
    }
    uint64_t& hash = file.extension() == ".csv" && !file.has_parent_path() ? numbers : words;
    hash = Fnv1a(text, Fnv1a(file.string(), hash));
  }
  return {fmt::format("{:016x}", numbers), fmt::format("{:016x}", words)};
}

}  // namespace headroom
