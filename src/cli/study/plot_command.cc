// headroom plot: passes the request to the Python code that draws.
#include "cli/become_python.h"
#include "cli/commands.h"
#include "cli/options.h"

namespace headroom {

namespace po = boost::program_options;

int PlotCommand(const Arguments& arguments) {
  po::options_description named("options");
  // clang-format off
  named.add_options()
      ("out", po::value<std::string>()->value_name("DIR"),
       "folder of plots/ and report.html; default: the result itself, or a folder beside several")
      ("force", "replace plots that were changed since plot drew them");
  // clang-format on
  po::variables_map values;
  if (!ReadOptions(
          arguments, named,
          "plot DIR... [--out DIR] [--force]\n\nDraws plots and report.html of one result, of several in one "
          "picture, or of a study.\n\nexamples, after those of headroom run --help:\n  headroom plot "
          "results/quickstart\n  headroom plot results/quickstart results/larger --out results/both",
          values))
    return 0;
  RequireInputs(values, 1, SIZE_MAX, "the result directory");

  std::vector<std::string> words = Inputs(values);
  if (values.count("out")) {
    words.push_back("--out");
    words.push_back(values["out"].as<std::string>());
  }
  if (values.count("force")) words.push_back("--force");
  BecomePython("headroom.plot", words);
}

}  // namespace headroom
