// headroom trace: passes the request to the Python code that writes a Chrome trace.
#include "cli/become_python.h"
#include "cli/commands.h"
#include "cli/options.h"

namespace headroom {

namespace po = boost::program_options;

int TraceCommand(const Arguments& arguments) {
  po::options_description named("options");
  named.add_options()("out", po::value<std::string>()->value_name("FILE"),
                      "default: trace.json in the result")("force", "replace a file that is there");
  po::variables_map values;
  if (!ReadOptions(arguments, named,
                   "trace DIR [--out FILE] [--force]\n\n"
                   "A result as a Chrome trace, which https://ui.perfetto.dev opens: pauses, queues, drops, "
                   "events.\n\n"
                   "example, after headroom run scenarios/quickstart.yaml:\n"
                   "  headroom trace results/quickstart",
                   values))
    return 0;
  RequireInputs(values, 1, 1, "the result directory");

  std::vector<std::string> words = Inputs(values);
  if (values.count("out")) {
    words.push_back("--out");
    words.push_back(values["out"].as<std::string>());
  }
  if (values.count("force")) words.push_back("--force");
  BecomePython("headroom.trace", words);
}

}  // namespace headroom
