// headroom fluid: where DCQCN settles at a scenario's bottlenecks, by the fluid model.
#include <iostream>

#include "cli/become_python.h"
#include "cli/commands.h"
#include "cli/fluid/fluid.h"
#include "cli/options.h"

namespace headroom {

namespace po = boost::program_options;

int FluidCommand(const Arguments& arguments) {
  po::options_description named("options");
  // clang-format off
  named.add_options()
      ("set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
       "change a value of the scenario; may be repeated")
      ("json", "print JSON instead of tables")
      ("plot", "draw rate and queue over time, into the folder results/NAME-fluid")
      ("out", po::value<std::string>()->value_name("DIR"), "draw rate and queue over time, into the folder DIR")
      ("force", "also replace drawings that somebody has changed");
  // clang-format on
  po::variables_map values;
  if (!ReadOptions(arguments, named,
                   "fluid FILE [--set KEY=VALUE]... [--json | --plot | --out DIR]\n\nComputes where DCQCN "
                   "settles at each bottleneck by its fluid model: queue, marking, oscillation.\nRuns "
                   "nothing.\n\nexamples:\n  headroom fluid scenarios/quickstart.yaml\n  headroom fluid "
                   "scenarios/quickstart.yaml --set switches.0.ecn.storage.kmax=1600KB --plot",
                   values))
    return 0;
  RequireInputs(values, 1, 1, "a scenario file");
  const bool draws = values.count("plot") > 0 || values.count("out") > 0;
  if (draws && values.count("json"))
    throw po::error(
        "--json excludes --plot and --out; with --plot, the folder of the drawings has "
        "fluid.json");
  std::vector<std::string> sets;
  if (values.count("set")) sets = values["set"].as<std::vector<std::string>>();
  const FluidAnswer answer = AnswerFluid(Inputs(values).front(), sets);
  if (values.count("json")) {
    std::cout << FluidAnswerAsJson(answer).dump(2) << '\n';
    return 0;
  }
  std::cout << FluidAnswerAsText(answer) << std::flush;
  if (!draws) return 0;
  const std::string folder = values.count("out") ? values["out"].as<std::string>()
                                                 : "results/" + answer.file.scenario.name + "-fluid";
  std::vector<std::string> words = {folder};
  if (values.count("force")) words.push_back("--force");
  BecomePython("headroom.plot.fluid", words, FluidRunsAsJson(answer).dump());
}

}  // namespace headroom
