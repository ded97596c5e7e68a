// headroom compare: what changed from one result to another.
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "cli/commands.h"
#include "cli/compare/compare.h"
#include "cli/compare/compare_points.h"
#include "cli/options.h"
#include "report/verdict.h"

namespace headroom {

namespace po = boost::program_options;

int CompareCommand(const Arguments& arguments) {
  po::options_description named("options");
  named.add_options()("tolerance", po::value<double>()->value_name("PCT"),
                      "exit 1 if a metric changed by more than this, in per cent");
  named.add_options()("metric", po::value<std::vector<std::string>>()->value_name("PATH"),
                      "compare only this metric, such as messages.burst.slowdown.p99; may be repeated");
  named.add_options()("resolution",
                      po::value<double>()->value_name("PCT")->default_value(100 * kResolution, "3"),
                      "the smallest change that matters, in per cent");
  named.add_options()("points", po::value<std::string>()->value_name("FILE"),
                      "for programs: a JSON list of metrics and sets of runs, whose changes are printed as a "
                      "JSON list; -: standard input");
  named.add_options()("json", po::bool_switch(), "print all of it as JSON");
  po::variables_map values;
  if (!ReadOptions(
          arguments, named,
          "compare A B [--tolerance PCT] [--resolution PCT] [--metric PATH] [--json]\n\nPrints the five "
          "changes that matter most, the settings that differ between results A and B,\nand all "
          "metrics that changed. A and B are folders that run wrote.\n\nexamples, after "
          "those of headroom run --help:\n  headroom compare results/quickstart results/larger\n  "
          "headroom compare results/quickstart results/larger --tolerance 5",
          values))
    return 0;
  if (values.count("points")) {
    RequireInputs(values, 0, 0, "");
    std::cout << ComparePoints(ReadPoints(values["points"].as<std::string>())).dump() << '\n';
    return 0;
  }
  RequireInputs(values, 2, 2, "one of the two results to compare");
  CompareOptions options;
  if (values.count("tolerance")) options.tolerance_percent = values["tolerance"].as<double>();
  const auto& tolerance = options.tolerance_percent;
  if (tolerance && (!std::isfinite(*tolerance) || *tolerance < 0))
    throw po::error(
        fmt::format("--tolerance {} is out of range; allowed: 0 or more, in per cent", *tolerance));
  if (values.count("metric")) options.metrics = values["metric"].as<std::vector<std::string>>();
  const double resolution = values["resolution"].as<double>();
  if (!(resolution >= 0.1 && resolution <= 50))
    throw po::error(
        fmt::format("--resolution {} is out of range; allowed: 0.1 to 50, in per cent", resolution));
  const auto dirs = Inputs(values);
  options.resolution = resolution / 100;
  options.json = values["json"].as<bool>();
  return Compare(dirs[0], dirs[1], options, std::cout);
}

}  // namespace headroom
