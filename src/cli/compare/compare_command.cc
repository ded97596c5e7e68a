// headroom compare: what changed from one result to another. Measured files are compared in Python.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "cli/become_python.h"
#include "cli/commands.h"
#include "cli/compare/compare.h"
#include "cli/compare/compare_points.h"
#include "cli/options.h"
#include "report/verdict.h"

namespace headroom {

namespace po = boost::program_options;

namespace {

constexpr const char* kCompareUsage =
    R"(compare A B [--tolerance PCT] [--resolution PCT] [--metric PATH] [--json]
       headroom compare A [NODE=]FILE[,FILE]... [--map FILE] [--interval TIME] [--tolerance PCT] [--json]

Prints the five changes that matter most, the settings that differ between results A and B,
and all metrics that changed. A and B are folders that run wrote. With files, puts A beside counters
of real switches and NICs (docs/measured.md); two files are dumps before and after.

examples, after those of headroom run --help:
  headroom compare results/quickstart results/larger
  headroom compare results/quickstart results/larger --tolerance 5)";

/// Whether a word names measured files: FILE, BEFORE,AFTER or NODE=FILE. A result is a folder.
bool NamesMeasuredFiles(const std::string& word) {
  std::error_code none;
  if (std::filesystem::is_directory(word, none)) return false;
  return std::filesystem::exists(word, none) || word.find_first_of("=,") != std::string::npos;
}

void AddMeasuredOptions(po::options_description& named) {
  // clang-format off
  named.add_options()
      ("map", po::value<std::string>()->value_name("FILE"), "of measured files: YAML with nodes, ports, pools and workloads, name as measured: name in the result")
      ("interval", po::value<std::string>()->value_name("TIME"), "of measured files: duration of the measurement; counts are scaled to the run's")
      ("expect", po::value<std::string>()->value_name("FILE"), "of measured files: write expectations of a scenario from the measured values")
      ("plot", po::value<std::string>()->value_name("DIR"), "of measured files: draw DIR/measured.svg, .png and .csv");
  // clang-format on
}

/// Hands over to Python if a measured file is given. Throws po::error for options that need one.
void CompareMeasured(const Arguments& arguments, const po::variables_map& values) {
  const std::vector<std::string> inputs = Inputs(values);
  if (inputs.size() > 1 && std::any_of(inputs.begin() + 1, inputs.end(), NamesMeasuredFiles))
    BecomePython("headroom.measured", arguments);
  for (const char* name : {"map", "interval", "expect", "plot"})
    if (values.count(name)) throw po::error(fmt::format("--{} needs a measured file after the result", name));
}

}  // namespace

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
  AddMeasuredOptions(named);
  po::variables_map values;
  if (!ReadOptions(arguments, named, kCompareUsage, values)) return 0;
  CompareMeasured(arguments, values);
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
