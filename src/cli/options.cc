#include "cli/options.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "files/whole_text.h"
#include "scenario/yaml/nearest.h"

namespace headroom {

namespace po = boost::program_options;

namespace {

/// Returns "; did you mean …" if an option has a similar name.
std::string Meant(const std::string& typed, const po::options_description& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options()) names.push_back("--" + option->long_name());
  const std::string near = Nearest(typed, names);
  return near.empty() ? "" : "; did you mean " + near;
}

}  // namespace

bool ReadOptions(const Arguments& arguments, po::options_description named, const std::string& usage,
                 po::variables_map& values) {
  named.add_options()("help,h", "print this help");
  po::options_description all;
  all.add(named).add_options()("input", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("input", -1);
  // Abbreviated options are refused: an option that is unique today may be ambiguous tomorrow.
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  try {
    po::store(po::command_line_parser(arguments).options(all).positional(positional).style(style).run(),
              values);
  } catch (const po::unknown_option& e) {
    throw po::error(e.what() + Meant(e.get_option_name(), named));
  }
  po::notify(values);
  if (values.count("help") == 0) return true;
  std::ostringstream text;
  text << named;
  fmt::print("usage: headroom {}\n\n{}", usage, text.str());
  return false;
}

std::vector<std::string> Inputs(const po::variables_map& values) {
  return values.count("input") ? values["input"].as<std::vector<std::string>>() : std::vector<std::string>{};
}

void RequireInputs(const po::variables_map& values, size_t least, size_t most, const std::string& what) {
  const size_t n = Inputs(values).size();
  if (n < least) throw po::error(fmt::format("{} is missing", what));
  if (n > most) throw po::error(fmt::format("too many arguments: \"{}\"", Inputs(values)[most]));
}

nlohmann::ordered_json ReadPoints(const std::string& name) {
  std::ifstream file;
  if (name != "-") {
    if (const std::string why = WhyNotRead(name); !why.empty())
      throw std::invalid_argument(fmt::format("--points {}: {}", name, why));
    file.open(name);
  }
  std::istream& in = name == "-" ? std::cin : file;
  try {
    return nlohmann::ordered_json::parse(in);
  } catch (const nlohmann::json::exception&) {
    throw std::invalid_argument(name + ": this file is not valid JSON");
  }
}

int DefaultJobs() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

}  // namespace headroom
