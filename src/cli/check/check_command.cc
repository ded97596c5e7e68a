// headroom check: a scenario's derived values and findings, without a run; with --measure, what workloads
// reach.
#include "cli/check/check.h"

#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <stdexcept>

#include "cli/check/check_points.h"
#include "cli/check/measure.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/run_request.h"
#include "scenario/paths/cut.h"

namespace headroom {

namespace po = boost::program_options;

namespace {

/// Seconds, such as 60, 0.5 or 60s.
double BudgetOf(const po::variables_map& values) {
  constexpr double kUsual = 60, kMost = 86'400;
  if (!values.count("budget")) return kUsual;
  const std::string& text = values["budget"].as<std::string>();
  double budget = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, budget);
  const bool is_number = error == std::errc() && (rest == end || std::string(rest, end) == "s");
  if (!is_number || !(budget > 0 && budget <= kMost))
    throw po::error(fmt::format(
        "--budget {} is not a time: give seconds, more than 0 and at most {}, such as 60", text, kMost));
  return budget;
}

void PrintPoints(const std::string& file, const std::vector<std::string>& sets, int ranks,
                 const po::variables_map& values) {
  const auto points = ReadPoints(values["points"].as<std::string>());
  const bool digests = values.count("digests") > 0;
  if (digests && ranks > 0) throw po::error("--digests excludes --ranks");
  std::cout
      << (digests ? DigestsOfPoints(file, sets, points) : CheckPoints(file, sets, points, ranks)).dump(1)
      << '\n';
}

po::options_description Options() {
  po::options_description named("options");
  named.add_options()("path", po::value<std::vector<std::string>>()->multitoken()->value_name("A B"),
                      "print the paths from host A to host B")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
      "change a value of the scenario; may be repeated")(
      "full", "print all sections; without it, at most 40 lines besides findings")(
      "json", "print JSON instead of tables")(
      "measure", "run each workload alone, as fast as it can, and print its rate, latency and full resource")(
      "budget", po::value<std::string>()->value_name("SECONDS"),
      "with --measure: time for all workloads together; default 60")(
      "points", po::value<std::string>()->value_name("FILE"),
      "a JSON list of settings, [{\"KEY\": \"VALUE\"}, …], to check one by one; prints a JSON list; -: "
      "standard input")("ranks", po::value<int>()->value_name("N"),
                        "with --points: in how many processes, at most N, each could run, and their gain")(
      "digests", "with --points: print only errors, and digests of the scenarios");
  return named;
}

}  // namespace

int CheckCommand(const Arguments& arguments) {
  const po::options_description named = Options();
  po::variables_map values;
  if (!ReadOptions(
          arguments, named,
          "check FILE... [--path A B] [--set KEY=VALUE]... [--full | --json | --points FILE]\n"
          "       check FILE... --measure [--budget SECONDS] [--set KEY=VALUE]... [--json]\n\nPrints a "
          "scenario's settings, derived values and likely mistakes. Runs nothing without "
          "--measure.\n\nexamples:\n  "
          "headroom check scenarios/own-switch.yaml\n  headroom check scenarios/quickstart.yaml "
          "--path h0 h16 --set workloads.burst.size=1MB\n  headroom check "
          "scenarios/disks.yaml --measure",
          values))
    return 0;
  std::vector<std::string> inputs = Inputs(values);
  std::optional<std::pair<std::string, std::string>> path;
  if (values.count("path")) {
    // Further arguments after the two hosts are files.
    const auto& given = values["path"].as<std::vector<std::string>>();
    if (given.size() < 2) throw po::error("--path needs two hosts");
    path.emplace(given[0], given[1]);
    inputs.insert(inputs.end(), given.begin() + 2, given.end());
  }
  if (inputs.empty()) throw po::error("a scenario file is missing");
  std::vector<std::string> sets;
  if (values.count("set")) sets = values["set"].as<std::vector<std::string>>();
  const int ranks = values.count("ranks") ? values["ranks"].as<int>() : 0;
  if (values.count("ranks") && (ranks < 1 || ranks > kMostParts || !values.count("points")))
    throw po::error(
        fmt::format("--ranks needs --points, and a number of processes from 1 to {}", kMostParts));
  if (values.count("digests") && !values.count("points")) throw po::error("--digests needs --points");
  if (values.count("measure")) {
    if (path || values.count("points") || values.count("full"))
      throw po::error("--measure excludes --path, --points and --full");
    return Measure({inputs.begin(), inputs.end()}, sets, BudgetOf(values), values.count("json") > 0,
                   std::cout);
  }
  if (values.count("budget")) throw po::error("--budget needs --measure");
  if (values.count("points")) {
    if (inputs.size() > 1 || path || values.count("json") || values.count("full"))
      throw po::error("--points needs one scenario, and excludes --path, --json and --full");
    PrintPoints(inputs.front(), sets, ranks, values);
    return kDone;
  }
  if (values.count("json") && values.count("full")) throw po::error("--json has all sections: omit --full");
  const CheckForm form = values.count("json")   ? CheckForm::json
                         : values.count("full") ? CheckForm::full
                                                : CheckForm::brief;
  return Check({inputs.begin(), inputs.end()}, sets, path, form, std::cout);
}

}  // namespace headroom
