#include "cli/run/slurm_job.h"

#include <fmt/format.h>

#include <stdexcept>

#include "cli/become_python.h"
#include "scenario/paths/cut.h"

namespace headroom {

namespace {

/// The arguments of the job's `headroom run`: those of this process without its launcher. A job has no
/// terminal, so its progress goes to a log.
std::vector<std::string> RunWords(const SeriesInput& input, bool json) {
  const SeriesOptions& options = input.options;
  std::vector<std::string> words = {input.path, "--out", TargetOf(input.file, options)};
  const auto add = [&words](const char* name, const std::string& value) {
    words.push_back(fmt::format("--{}={}", name, value));
  };
  for (const std::string& set : options.sets) add("set", set);
  for (const std::string& capture : options.captures) add("pcap", capture);
  if (options.seed) add("seed", std::to_string(*options.seed));
  if (options.seeds) add("seeds", std::to_string(*options.seeds));
  add("parts", options.parts == kAutoParts ? "auto" : std::to_string(options.parts));
  add("ranks", std::to_string(options.ranks));
  if (options.estimate_ranks > 0) add("estimate", std::to_string(options.estimate_ranks));
  if (options.check) words.emplace_back("--check");
  if (options.replacing.force) words.emplace_back("--force");
  if (options.progress != ProgressTo::nobody) words.emplace_back("--progress");
  if (json) words.emplace_back("--json");
  return words;
}

}  // namespace

void RunBySlurm(const std::vector<SeriesInput>& series, const std::vector<std::string>& sbatch, bool json) {
  const SeriesInput& input = series.front();
  if (series.size() > 1 || !IsOneRun(input))
    throw std::invalid_argument(
        fmt::format("{}: --launcher slurm starts one run; allowed: one scenario with one seed and no vary; "
                    "headroom sweep --launcher slurm runs several",
                    input.path.string()));
  std::vector<std::string> words = {fmt::format("--name={}", input.file.scenario.name),
                                    fmt::format("--tasks={}", input.options.ranks)};
  for (const std::string& option : sbatch) words.push_back("--sbatch=" + option);
  words.emplace_back("--");
  for (const std::string& word : RunWords(input, json)) words.push_back(word);
  BecomePython("headroom.study.slurm_run", words);
}

}  // namespace headroom
