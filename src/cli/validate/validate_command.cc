// headroom validate: runs scenarios that state expectations, and judges them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report_errors.h"
#include "cli/run/series.h"
#include "cli/shipped.h"
#include "cli/validate/verdict.h"
#include "report/text/text_table.h"

namespace headroom {

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> PaperScenarios() {
  const fs::path dir = ShippedFolder("scenarios") / "papers";
  std::vector<std::string> files;
  if (fs::is_directory(dir)) {
    for (const auto& entry : fs::directory_iterator(dir)) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) throw std::invalid_argument("no scenarios under " + dir.string());
  return files;
}

}  // namespace

int ValidateCommand(const Arguments& arguments) {
  po::options_description named("options");
  // clang-format off
  named.add_options()
      ("out", po::value<std::string>()->default_value("results/validate")->value_name("DIR"), "where the results go")
      ("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"), "change the scenarios")
      ("jobs", po::value<int>()->default_value(DefaultJobs(), "cores")->value_name("N"), "runs at once")
      ("force", "replace results that validate did not write, or that were changed since")
      ("markdown", "print a page of Markdown, like docs/validation.md");
  // clang-format on
  po::variables_map values;
  if (!ReadOptions(arguments, named,
                   "validate [FILE...] [options]; without a file, all of scenarios/papers\n\nRuns scenarios "
                   "with an expect: block, and judges their results.\n\nexample:\n  headroom validate "
                   "scenarios/papers/pfc-victim.yaml",
                   values)) {
    return kDone;
  }
  std::vector<std::string> files = Inputs(values);
  if (files.empty()) files = PaperScenarios();

  SeriesOptions options;
  if (values.count("set")) options.sets = values["set"].as<std::vector<std::string>>();
  options.jobs = values["jobs"].as<int>();
  if (options.jobs < 1) throw po::error("--jobs must be at least 1");
  // validate replaces its own files unless they were changed.
  options.replacing = {.force = values.count("force") > 0, .command = "validate", .own = true};
  options.in_children = true;

  std::vector<SeriesInput> series;
  for (const std::string& f : files) {
    series.push_back({f, LoadScenarioFile(f, options.sets), options});
    const ScenarioFile& file = series.back().file;
    series.back().options.out = fs::path(values["out"].as<std::string>()) / file.scenario.name;
    if (file.experiment.expect.empty()) {
      throw std::invalid_argument(f + ": has no expect: block; give one, or use run");
    }
  }
  CheckSeries(series);
  const bool markdown = values.count("markdown") > 0;
  int code = kDone;
  std::vector<JudgedScenario> judged;
  for (const auto& [path, file, own_options] : series) {
    if (isatty(STDERR_FILENO)) fmt::print(stderr, "running {} …\n", Visible(path.string()));
    const SeriesResult result = RunSeries(file, path, own_options);
    if (result.code >= kBadInput) return result.code;
    const auto& verdicts =
        judged.emplace_back(file.scenario.name, Judge(file.experiment, result.runs)).verdicts;
    if (!markdown) fmt::print("{}\n{}\n", Visible(path.string()), VerdictTable(verdicts));
    for (const JudgedExpectation& v : verdicts)
      if (markdown && !v.problem.empty())
        fmt::print(stderr, "{}:{}: {}\n", Visible(v.file), v.line, Visible(v.problem));
    FlushOutput();
    code = std::max(code, result.code);
    if (!std::ranges::all_of(verdicts, &JudgedExpectation::passed)) code = std::max<int>(code, kFailed);
  }
  fmt::print("{}", markdown ? VerdictPage(judged) : VerdictCounts(judged));
  return code;
}

}  // namespace headroom
