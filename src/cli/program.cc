#include "cli/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options/errors.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/report_errors.h"
#include "cli/run_request.h"
#include "report/text/text_table.h"
#include "report/version.h"
#include "scenario/yaml/nearest.h"

namespace headroom {

namespace {

struct Command {
  const char* name;
  int (*run)(const Arguments&);
  const char* does;
};

constexpr Command kCommands[] = {
    {"run", RunCommand, "run scenarios; results go to results/NAME/"},
    {"check", CheckCommand, "print a scenario's settings, derived values and likely mistakes; runs nothing"},
    {"keys", KeysCommand, "list the keys of scenarios: kind, default, range, a line of help"},
    {"columns", ColumnsCommand, "list the files and columns of results: type, unit, a line of help"},
    {"fluid", FluidCommand,
     "compute by DCQCN's fluid model where rates and queues settle, and if they "
     "oscillate"},
    {"validate", ValidateCommand, "run scenarios with expectations, and judge them"},
    {"compare", CompareCommand, "list the changes from one result to another"},
    {"sweep", SweepCommand, "run many settings, each with several seeds, into one table; resumable"},
    {"tune", TuneCommand, "search for the best settings; resumable"},
    {"plot", PlotCommand, "draw plots and a report of one result, or of several results side by side"},
    {"trace", TraceCommand, "write a result as a Chrome trace, for Perfetto"},
    {"explain", ExplainCommand, "show the causes of a slow tail: where its time went, pauses, settings"},
    {"show", ShowCommand, "print counters and watermarks of a result, as a SONiC switch does"},
    {"perf", PerfCommand, "measure bandwidth and latency between two hosts, as perftest does"},
    {"convert", ConvertCommand, "convert to SONiC switches; to and from HPCC's simulator, htsim and CSV"},
};

void PrintHelp(std::FILE* to) {
  fmt::print(to, "Headroom {}: datacenter congestion control and switch buffers, packet by packet\n\n",
             kVersion);
  fmt::print(to, "usage: headroom COMMAND ...\n\n");
  for (const Command& c : kCommands) fmt::print(to, "  {:<10}{}\n", c.name, c.does);
  fmt::print(to,
             "\nexit codes: 0 done; 1 ran, but an expectation or invariant failed, or check found an "
             "error;\n2 bad usage or bad input; 3 interrupted, with marked partial results.\n\nDetails: "
             "headroom COMMAND --help. Start with: headroom run scenarios/quickstart.yaml\n");
}

/// If the caller has closed a standard stream, an opened file must not take its place.
void KeepStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Writes to the read-only /dev/null fail, so the program notices that output is lost.
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// JSON and reports contain names, and both are UTF-8.
void CheckIsUtf8(const std::string& argument) {
  const std::string dumped =
      nlohmann::json(argument).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (nlohmann::json::parse(dumped).get<std::string>() != argument)
    throw std::invalid_argument(fmt::format("the argument {} is not UTF-8; give it in UTF-8", dumped));
}

int Main(const Arguments& words) {
  const std::string name = words.empty() ? "" : words[0];
  if (name == "help" && words.size() == 2) return Main({words[1], "--help"});
  if (name == "help" && words.size() > 2)
    throw boost::program_options::error(
        fmt::format("help takes one command, not {} words", words.size() - 1));
  if (name == "--help" || name == "-h" || name == "help") return PrintHelp(stdout), kDone;
  if (name == "--version") return fmt::print("headroom {}\n", kVersion), kDone;
  for (const std::string& word : words) CheckIsUtf8(word);
  for (const Command& c : kCommands) {
    if (name == c.name) return c.run(Arguments(words.begin() + 1, words.end()));
  }
  if (name.empty()) return PrintHelp(stderr), kBadInput;
  std::vector<std::string> names;
  for (const Command& c : kCommands) names.emplace_back(c.name);
  const std::string nearest = Nearest(name, names);
  fmt::print(stderr, "headroom: there is no command {}{}; see headroom --help\n", Visible(name),
             nearest.empty() ? "" : "; did you mean " + nearest);
  return kBadInput;
}

}  // namespace

int RunProgram(int argc, char** argv) {
  KeepStandardStreams();
  std::signal(SIGXFSZ, SIG_IGN);  // then a file over the size limit (ulimit -f) causes a write error
  const Arguments words(argv + std::min(argc, 1), argv + argc);
  const auto known = [&](const Command& c) { return !words.empty() && words[0] == c.name; };
  return ReportingErrors(
      [&] {
        const int code = Main(words);
        FlushOutput();
        return code;
      },
      std::ranges::any_of(kCommands, known) ? words[0] : "");
}

}  // namespace headroom
