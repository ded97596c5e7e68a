// headroom plot: hands over to the Python that draws.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/shipped.h"

namespace headroom {

namespace po = boost::program_options;

int PlotCommand(const Arguments& arguments) {
  po::options_description named("options");
  named.add_options()(
      "out", po::value<std::string>()->value_name("DIR"),
      "where plots/ and report.html go; default: the result itself, or a folder beside several");
  po::variables_map values;
  if (!ReadOptions(arguments, named, "plot DIR... [--out DIR]", values)) return 0;
  RequireInputs(values, 1, SIZE_MAX, "the result directory");

  std::vector<std::string> words = {"/usr/bin/python3", "-m", "headroom_plot"};
  for (const std::string& dir : Inputs(values)) words.push_back(dir);
  if (values.count("out")) {
    words.push_back("--out");
    words.push_back(values["out"].as<std::string>());
  }
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  setenv("PYTHONPATH", std::filesystem::absolute(ShippedFolder("analysis")).c_str(), 1);
  setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
  execv(argv[0], argv.data());
  throw std::invalid_argument(std::string("cannot start ") + argv[0] + ": " + std::strerror(errno) +
                              "; plots need python3-matplotlib and python3-pandas");
}

}  // namespace headroom
