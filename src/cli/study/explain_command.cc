// headroom explain: hands over to the Python that finds where the tail's time went.
#include "cli/become_python.h"
#include "cli/commands.h"
#include "cli/options.h"

namespace headroom {

namespace po = boost::program_options;

int ExplainCommand(const Arguments& arguments) {
  po::options_description named("options");
  named.add_options()("json", "for programs: everything, in µs and shares of 1");
  po::variables_map values;
  if (!ReadOptions(
          arguments, named,
          "explain DIR [--json]\n\n"
          "Where the time of a result's slowest messages went, by part and place, what paused time comes "
          "from, and the keys that govern that.\n\n"
          "example, after headroom run --help:\n"
          "  headroom explain results/quickstart",
          values))
    return 0;
  RequireInputs(values, 1, 1, "the result directory");

  std::vector<std::string> words = Inputs(values);
  if (values.count("json")) words.push_back("--json");
  BecomePython("headroom.explain", words);
}

}  // namespace headroom
