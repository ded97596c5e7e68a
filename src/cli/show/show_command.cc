// headroom show: an operator's table of a result.
#include <fmt/format.h>

#include <iostream>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/show/show.h"

namespace headroom {

namespace po = boost::program_options;

int ShowCommand(const Arguments& arguments) {
  po::options_description named("options");
  // clang-format off
  named.add_options()
      ("node", po::value<std::string>()->value_name("NAME"), "a switch (of estats, io, kv and redis a host), or a pattern; default all")
      ("nonzero", "only rows that counted anything")
      ("json", "for programs");
  // clang-format on
  po::variables_map values;
  std::string usage =
      "show DIR TABLE [options]\n\nPrints counters and watermarks of a result as a SONiC switch does, I/Os "
      "as fio does, and operations\non keys as YCSB does.\n\ntables, named as in SONiC; of switches, except "
      "estats, io, kv and redis:\n" +
      ListOfTables() +
      "\nexamples, after headroom run scenarios/quickstart.yaml:\n"
      "  headroom show results/quickstart queue wredcounters --nonzero\n"
      "  headroom show results/quickstart queue watermark unicast --node s0 --json\n";
  usage.pop_back();
  if (!ReadOptions(arguments, named, usage, values)) return 0;
  RequireInputs(values, 1, SIZE_MAX, "the result directory");
  const std::vector<std::string> inputs = Inputs(values);
  if (inputs.size() == 1) {
    fmt::print("tables of a result, named as in SONiC:\n{}", ListOfTables());
    return 0;
  }
  ShowOptions options;
  for (size_t i = 1; i < inputs.size(); ++i) options.table += (i > 1 ? " " : "") + inputs[i];
  if (values.count("node")) options.node = values["node"].as<std::string>();
  options.nonzero = values.count("nonzero") > 0;
  options.json = values.count("json") > 0;
  Show(inputs[0], options, std::cout);
  return 0;
}

}  // namespace headroom
