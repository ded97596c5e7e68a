// headroom COMMAND ...: finds the command and runs it.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/report_errors.h"
#include "cli/run_request.h"
#include "report/version.h"
#include "scenario/nearest.h"

namespace {

using headroom::Arguments;

struct Command {
  const char* name;
  int (*run)(const Arguments&);
  const char* does;
};

constexpr Command kCommands[] = {
    {"run", headroom::RunCommand, "run scenarios; results go to results/NAME/"},
    {"check", headroom::CheckCommand, "what a scenario says, and what is wrong with it; runs nothing"},
    {"fluid", headroom::FluidCommand, "where DCQCN settles by its fluid model, and whether it oscillates"},
    {"validate", headroom::ValidateCommand, "run scenarios that state what they expect, and judge them"},
    {"compare", headroom::CompareCommand, "what changed from one result to another"},
    {"sweep", headroom::SweepCommand, "many settings times seeds, resumable, one table"},
    {"tune", headroom::TuneCommand, "search for the best settings, resumable"},
    {"plot", headroom::PlotCommand, "plots and a report of one result, or of several side by side"},
    {"trace", headroom::TraceCommand, "a result as a Chrome trace, for Perfetto"},
    {"show", headroom::ShowCommand, "counters and watermarks of a result, as a SONiC switch shows them"},
    {"perf", headroom::PerfCommand, "bandwidth and latency between two hosts, as perftest measures them"},
    {"convert", headroom::ConvertCommand, "to SONiC switches; to and from HPCC's simulator, htsim and CSV"},
};

void PrintHelp(std::FILE* to) {
  fmt::print(to, "Headroom {}: datacenter congestion control and switch buffers, packet by packet\n\n",
             headroom::kVersion);
  fmt::print(to, "usage: headroom COMMAND ...\n\n");
  for (const Command& c : kCommands) fmt::print(to, "  {:<10}{}\n", c.name, c.does);
  fmt::print(to, "\nheadroom COMMAND --help says more. Start with: headroom run scenarios/quickstart.yaml\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h" || name == "help") return PrintHelp(stdout), headroom::kDone;
  if (name == "--version") return fmt::print("headroom {}\n", headroom::kVersion), headroom::kDone;
  for (const Command& c : kCommands) {
    if (name != c.name) continue;
    return headroom::ReportingErrors([&] { return c.run(Arguments(argv + 2, argv + argc)); }, name);
  }
  if (name.empty()) return PrintHelp(stderr), headroom::kBadInput;
  std::vector<std::string> names;
  for (const Command& c : kCommands) names.emplace_back(c.name);
  const std::string nearest = headroom::Nearest(name, names);
  fmt::print(stderr, "headroom: there is no command {}{}; see headroom --help\n", name,
             nearest.empty() ? "" : "; did you mean " + nearest);
  return headroom::kBadInput;
}
