// headroom explain: for a result, the parts of the tail's time; for a scenario, measured changes that shorten
// it. This file passes the request to the Python code.
#include <fmt/format.h>

#include <filesystem>

#include "cli/become_python.h"
#include "cli/commands.h"
#include "cli/options.h"

namespace headroom {

namespace po = boost::program_options;

namespace {

/// Adds `--NAME=VALUE` for each of these options that is given. Throws if an option belongs to the other kind
/// of input.
void Hand(const po::variables_map& values, std::initializer_list<const char*> options, bool fits,
          const char* goes_with, std::vector<std::string>& words) {
  for (const char* option : options) {
    if (!values.count(option) ||
        (values[option].value().type() == typeid(bool) && !values[option].as<bool>()))
      continue;
    if (!fits) throw po::error(fmt::format("--{} goes with {}", option, goes_with));
    const boost::any& value = values[option].value();
    if (value.type() == typeid(bool)) {
      words.push_back(fmt::format("--{}", option));
    } else if (value.type() == typeid(int)) {
      if (values[option].as<int>() < 1)
        throw po::error(fmt::format("--{} must be a whole number, 1 or more", option));
      words.push_back(fmt::format("--{}={}", option, values[option].as<int>()));
    } else {
      words.push_back(fmt::format("--{}={}", option, values[option].as<std::string>()));
    }
  }
}

}  // namespace

int ExplainCommand(const Arguments& arguments) {
  po::options_description named("options");
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto count = [] { return po::value<int>()->value_name("N"); };
  named.add_options()("workload", text("NAME"), "explain this workload; default the slowest")(
      "json", po::bool_switch(), "for programs")("all", po::bool_switch(),
                                                 "of a result: all workloads in full")(
      "try", po::bool_switch(), "of a scenario: also try these KEY=VALUE")(
      "metric", text("PATH"), "of a scenario: metric to lower; default the p99 of the slowest workload")(
      "seeds", count(), "of a scenario: fresh seeds that confirm; default 5")(
      "budget", text("TIME"), "of a scenario: start nothing new after 90s, 5min or 2h; default 60s")(
      "set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),
      "of a scenario: change it first; may be given several times")(
      "jobs", count(), "of a scenario: runs at once; default the number of cores")(
      "ranks", text("N|auto"),
      "of a scenario: processes of each run; auto, the default: more than one where cores are idle and a run "
      "of 20 s gains")("out", text("DIR"), "of a scenario: the study's folder; default results/NAME-explain");
  po::variables_map values;
  if (!ReadOptions(
          arguments, named,
          "explain DIR [--workload NAME | --all] [--json]\n       headroom explain FILE [--set KEY=VALUE] "
          "[--try KEY=VALUE...] "
          "[--metric PATH] [--budget TIME] [--json]\n\nFor a result: shows where the time of the slowest "
          "messages and operations went, the pauses, marks and drops, and the settings behind them. For a "
          "scenario: runs it with one change at a time, and shows which changes shorten the tail and by how "
          "much. After an interruption, the same command continues.\n\nexamples, the first after headroom "
          "run --help:\n  headroom explain results/quickstart\n  headroom explain scenarios/quickstart.yaml "
          "--budget 2min\n  headroom explain scenarios/quickstart.yaml --try workloads.burst.size=100KB",
          values))
    return 0;
  RequireInputs(values, 1, SIZE_MAX, "a result directory or a scenario file");
  std::vector<std::string> words = Inputs(values);
  std::error_code ignored;
  const bool scenario = !std::filesystem::is_directory(words.front(), ignored) && words.front() != "";
  if (words.size() > 1 && !values["try"].as<bool>())
    throw po::error(scenario ? "give your own settings after --try"
                             : fmt::format("explain takes one result, but {} are given", words.size()));
  Hand(values, {"workload", "json"}, true, "", words);
  Hand(values, {"all"}, !scenario, "a result directory", words);
  Hand(values, {"try", "metric", "seeds", "budget", "jobs", "ranks", "out"}, scenario, "a scenario file",
       words);
  if (values.count("set")) {
    if (!scenario) throw po::error("--set goes with a scenario file");
    for (const std::string& set : values["set"].as<std::vector<std::string>>())
      words.push_back("--set=" + set);
  }
  if (scenario) words.push_back("--measure");
  BecomePython("headroom.explain", words);
}

}  // namespace headroom
