// headroom run: scenarios to results.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress_line.h"
#include "cli/report_errors.h"
#include "cli/run/series.h"
#include "cli/run/slurm_job.h"
#include "ranks/rank_world.h"
#include "report/text/human_table.h"
#include "report/text/text_table.h"
#include "scenario/paths/cut.h"

namespace headroom {

namespace po = boost::program_options;

namespace {

/// The seed is read as text, because the library accepts -1 as the largest number.
uint64_t ParseSeed(const std::string& text) {
  uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size() || seed < 1 || seed > uint64_t{kLargestSeed})
    throw po::error(
        fmt::format("--seed {} is not a seed; allowed: whole numbers from 1 to {}", text, kLargestSeed));
  return seed;
}

/// `what`: a word for what is counted. `also`: the end of the list of allowed values.
int ParseCount(const std::string& option, const std::string& what, const std::string& text, int least,
               const std::string& also = "") {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < least || count > kMostParts)
    throw po::error(fmt::format("--{} {} is not a number of {}; allowed: whole numbers from {} to {}{}",
                                option, text, what, least, kMostParts, also));
  return count;
}

int ParseParts(const std::string& text) {
  return text == "auto" ? kAutoParts : ParseCount("parts", "parts", text, 1, ", or auto");
}

SeriesOptions ReadSeriesOptions(const po::variables_map& values) {
  SeriesOptions o;
  if (values.count("set")) o.sets = values["set"].as<std::vector<std::string>>();
  if (values.count("pcap")) o.captures = values["pcap"].as<std::vector<std::string>>();
  if (values.count("out")) o.out = values["out"].as<std::string>();
  if (values.count("seed")) o.seed = ParseSeed(values["seed"].as<std::string>());
  if (values.count("seeds")) o.seeds = values["seeds"].as<int>();
  if (o.seeds.value_or(1) < 1 || o.seeds.value_or(1) > kMostSeeds)
    throw po::error(
        fmt::format("--seeds {} is not a number of seeds; allowed: 1 to {}", *o.seeds, kMostSeeds));
  o.jobs = values["jobs"].as<int>();
  if (o.jobs < 1) throw po::error("--jobs must be at least 1");
  o.parts = ParseParts(values["parts"].as<std::string>());
  o.ranks = ParseCount("ranks", "ranks", values["ranks"].as<std::string>(), 1);
  if (o.ranks > 1 && !o.captures.empty())
    throw po::error(fmt::format("--ranks {} does not go with --pcap; allowed: --ranks 1", o.ranks));
  if (values.count("estimate"))
    o.estimate_ranks = ParseCount("estimate", "processes", values["estimate"].as<std::string>(), 2);
  if (o.ranks > 1 && o.estimate_ranks > 0)
    throw po::error("--estimate describes a run in one process; give --ranks or --estimate");
  if (values["jobs"].defaulted()) o.jobs = std::max(1, o.jobs / o.ranks);
  o.replacing.force = values.count("force") > 0;
  o.check = values.count("check") > 0;
  if (isatty(STDERR_FILENO) == 1) {
    o.progress = ProgressTo::terminal;
  } else if (values.count("progress")) {
    o.progress = ProgressTo::log;
  }
  return o;
}

std::vector<SeriesInput> ReadAll(const std::vector<std::string>& files, const SeriesOptions& options) {
  std::vector<SeriesInput> series;
  ProgressLine line(options.progress);
  for (const std::string& f : files) {
    line.Step("reading " + f);
    series.push_back({f, LoadScenarioFile(f, options.sets), options});
  }
  line.Clear();
  return series;
}

void Print(const ScenarioFile& file, const SeriesResult& result) {
  for (const auto& [point, summary] : result.summaries) {
    if (!point.empty()) fmt::print("{}\n", PointName(point, file.experiment.vary));
    fmt::print("{}\n", HumanTable(file.scenario, summary));
  }
  if (!result.summaries.empty()) fmt::print("results: {}\n", Visible(result.target.string()));
}

nlohmann::ordered_json AsJson(const ScenarioFile& file, const SeriesResult& result) {
  nlohmann::ordered_json out;
  out["dir"] = result.target.string();
  out["runs"] = nlohmann::ordered_json::array();
  for (const auto& [point, summary] : result.summaries) {
    nlohmann::ordered_json one;
    for (const auto& [key, value] : point) one["at"][key] = value;
    const std::string name = PointName(point, file.experiment.vary);
    one["dir"] = (name.empty() ? result.target : result.target / name).string();
    one["summary"] = summary;
    out["runs"].push_back(one);
  }
  return out;
}

/// This process is a rank that `headroom run --ranks` has started: it runs one scenario.
int RunAsChild(const std::string& file, const SeriesOptions& options) {
  RunRequest request;
  request.file = request.name = file;
  request.sets = options.sets;
  request.target = *options.out;
  request.replacing = options.replacing;
  request.parts = options.parts;
  request.check = options.check;
  request.progress = options.progress;
  request.exchange = options.exchange;
  return RunHere(request);
}

/// The same where a user has started mpirun or srun. The first rank prints.
int RunAsRank(const std::string& file, SeriesOptions options, bool json) {
  const SeriesInput input{file, LoadScenarioFile(file, options.sets), options};
  if (!IsOneRun(input))
    throw std::invalid_argument(
        fmt::format("{}: mpirun and srun start one run; allowed: one seed and no vary, or --ranks {} without "
                    "mpirun",
                    file, options.exchange->size()));
  if (options.exchange->rank() > 0) {
    if (options.seed) options.sets.push_back(fmt::format("seed={}", *options.seed));
    options.out = "";  // it writes nothing
    return RunAsChild(file, options);
  }
  CheckSeries({input});
  const SeriesResult result = RunSeries(input.file, file, options);
  if (json) {
    fmt::print("{}\n", AsJson(input.file, result).dump(2));
  } else {
    Print(input.file, result);
  }
  return result.code;
}

/// One of several ranks. After an error, the others are ended, too. `asked`: the number of ranks that the
/// user gave.
int RunAmongRanks(const std::vector<std::string>& files, SeriesOptions options, std::optional<int> asked,
                  bool json) {
  if (files.size() > 1)
    throw po::error("mpirun and srun start one run; allowed: one scenario, or --ranks without mpirun");
  if (!options.captures.empty()) throw po::error("several ranks do not go with --pcap; allowed: one process");
  if (options.estimate_ranks > 0)
    throw po::error("--estimate describes a run in one process; allowed: --estimate without mpirun and srun");
  RankWorld world;
  if (world.size() == 1)
    throw std::invalid_argument(
        "the processes that mpirun or srun started do not join under Open MPI; allowed: Open MPI's mpirun, "
        "srun --mpi=pmix, or --ranks without mpirun");
  if (asked.value_or(world.size()) != world.size())
    throw po::error(
        fmt::format("mpirun or srun started {0} processes, so --ranks {1} is not possible; "
                    "allowed: --ranks {0}, or none",
                    world.size(), *asked));
  options.exchange = &world.exchange();
  bool ended = false;
  const int code = ReportingErrors([&] {
    const int its =
        IsLaunchedRank() ? RunAsChild(files.front(), options) : RunAsRank(files.front(), options, json);
    ended = true;
    return its;
  });
  FlushOutput();
  if (!ended) world.Abort(code);
  return code;
}

/// The options of sbatch, if Slurm shall run the scenarios.
std::optional<std::vector<std::string>> ReadLauncher(const po::variables_map& values) {
  const std::string launcher = values["launcher"].as<std::string>();
  if (launcher != "local" && launcher != "slurm")
    throw po::error(fmt::format("there is no --launcher {}; allowed: local, slurm", launcher));
  std::vector<std::string> sbatch;
  if (values.count("sbatch")) sbatch = values["sbatch"].as<std::vector<std::string>>();
  if (launcher == "slurm") return sbatch;
  if (!sbatch.empty()) throw po::error("--sbatch needs --launcher slurm");
  return std::nullopt;
}

po::options_description NamedOptions() {
  po::options_description named("options");
  // clang-format off
  named.add_options()
      ("out", po::value<std::string>()->value_name("DIR"), "folder of the result; default results/NAME")
      ("seed", po::value<std::string>()->value_name("N"), "seed to use instead of the scenario's seed")
      ("seeds", po::value<int>()->value_name("N"), "run N consecutive seeds, so that metrics get intervals")
      ("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),
       "change the scenario, such as workloads.burst.fan_in=8; may be repeated")
      ("jobs", po::value<int>()->default_value(DefaultJobs(), "cores")->value_name("N"), "maximum number of runs at the same time, each with the processes of --ranks; cores: as many as there are cores for")
      ("parts", po::value<std::string>()->default_value("auto")->value_name("N|auto"),
       "run a network in so many parts, one after another, with the same results; auto: one for each 1,000 ports, if there are 10,000")
      ("ranks", po::value<std::string>()->default_value("1")->value_name("N"),
       "run a network in N processes under Open MPI, each with the parts of --parts, with the same results")
      ("launcher", po::value<std::string>()->default_value("local")->value_name("local|slurm"),
       "slurm: run a scenario as a job with --ranks tasks, and wait for it")
      ("sbatch", po::value<std::vector<std::string>>()->composing()->value_name("OPTION"),
       "option for Slurm, such as --sbatch=--partition=long; may be repeated")
      ("estimate", po::value<std::string>()->value_name("RANKS"),
       "estimate how much faster so many processes would run the network; runs it in at least so many parts")
      ("check", "verify the buffers' identities after every change and judge the answers of services; slow")
      ("pcap", po::value<std::vector<std::string>>()->composing()->value_name("NODE[:PORT]"),
       "capture a port's traffic to pcap/NODE-PORT.pcap in the result; may be a pattern, and repeated")
      ("force", "replace a finished result; files that Headroom did not write stay")
      ("progress", "print progress every ten seconds, even if the output is not a terminal")
      ("json", "print the summary as JSON instead of tables");
  // clang-format on
  return named;
}

}  // namespace

int RunCommand(const Arguments& arguments) {
  const po::options_description named = NamedOptions();
  po::variables_map values;
  if (!ReadOptions(
          arguments, named,
          "run FILE... [options]\n\n"
          "Runs scenarios, prints tables and writes results/NAME/, for plot, compare, show and trace. A\n"
          "finished result is replaced only with --force.\n\n"
          "examples:\n"
          "  headroom run scenarios/quickstart.yaml\n"
          "  headroom run scenarios/quickstart.yaml --seeds 5 --out results/five\n"
          "  headroom run scenarios/quickstart.yaml --set workloads.burst.size=1MB --out results/larger",
          values))
    return kDone;
  RequireInputs(values, 1, SIZE_MAX, "the scenario file");
  SeriesOptions options = ReadSeriesOptions(values);
  const std::vector<std::string> files = Inputs(values);
  const auto sbatch = ReadLauncher(values);
  if (sbatch && RankWorld::IsStarted())
    throw po::error("mpirun or srun has started this process already; allowed: --launcher local");
  const auto asked_ranks = values["ranks"].defaulted() ? std::nullopt : std::optional(options.ranks);
  if (RankWorld::IsStarted()) return RunAmongRanks(files, options, asked_ranks, values.count("json") > 0);
  if (const int tasks = RankWorld::SeparateTasks(); tasks > 1 && asked_ranks != 1)
    throw po::error(fmt::format(
        "srun started {0} processes that cannot join, so each would run all of {1}; allowed: srun "
        "--mpi=pmix for one run in {0} processes, or --ranks 1 for {0} runs",
        tasks, files.front()));
  options.in_children = files.size() > 1;
  if (files.size() > 1 && options.out)
    throw po::error(
        "--out needs a single scenario, but several are given; leave out --out, and each "
        "goes to results/NAME");

  const std::vector<SeriesInput> series = ReadAll(files, options);
  CheckSeries(series);
  if (sbatch) RunBySlurm(series, *sbatch, values.count("json") > 0);

  int code = kDone;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& [path, file, own_options] : series) {
    const SeriesResult result = RunSeries(file, path, own_options);
    code = std::max(code, result.code);
    if (values.count("json")) {
      json.push_back(AsJson(file, result));
    } else {
      Print(file, result);
    }
    if (code == kInterrupted) break;
  }
  if (values.count("json")) fmt::print("{}\n", (files.size() == 1 ? json.front() : json).dump(2));
  return code;
}

}  // namespace headroom
