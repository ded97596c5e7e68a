// headroom convert: from a scenario to a SONiC configuration.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "cli/commands.h"
#include "cli/convert.h"
#include "cli/options.h"
#include "report/text_file.h"
#include "scenario/load.h"
#include "scenario/nearest.h"

namespace headroom {

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace {

constexpr const char* kUsage =
    "convert --to FORM SCENARIO --config config_db.json [options]\n"
    "\n"
    "SCENARIO is a file, or a result. Writes the ECN thresholds, buffer thresholds and headroom in which "
    "its\n"
    "switch differs from the configuration.\n"
    "\n"
    "forms:\n"
    "  sonic-patch     RFC 6902, for config apply-patch\n"
    "  sonic-fragment  the rows that change, for config load\n"
    "  sonic-commands  ecnconfig and mmuconfig lines\n"
    "  sonic-config    the whole configuration, everything else byte for byte";

SonicForm FormOf(const std::string& name) {
  static const std::map<std::string, SonicForm> forms = {{"sonic-patch", SonicForm::patch},
                                                         {"sonic-fragment", SonicForm::fragment},
                                                         {"sonic-commands", SonicForm::commands},
                                                         {"sonic-config", SonicForm::config}};
  if (const auto found = forms.find(name); found != forms.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [form, unused] : forms) names.push_back(form);
  const std::string near = Nearest(name, names);
  throw po::error(fmt::format("--to {} is no form; allowed: {}{}", name, Join(names),
                              near.empty() ? "" : "; did you mean " + near + "?"));
}

std::string Required(const po::variables_map& values, const char* name) {
  if (values.count(name) == 0) throw po::error(fmt::format("--{} is missing", name));
  return values[name].as<std::string>();
}

std::string ReadText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || fs::is_directory(path)) throw std::invalid_argument(path.string() + ": cannot be read");
  return text.str();
}

/// The file appears whole, or stays as it was.
void WriteWhole(const fs::path& target, const std::string& text) {
  fs::path partial = target;
  partial += ".partial";
  TextFile file(partial);
  file.Write(text);
  file.Close();
  std::error_code error;
  fs::rename(partial, target, error);
  if (error) throw ResultError(fmt::format("{}: cannot be written: {}", target.string(), error.message()));
}

}  // namespace

int ConvertCommand(const Arguments& arguments) {
  po::options_description named("options");
  // clang-format off
  named.add_options()
      ("to", po::value<std::string>()->value_name("FORM"), "see above")
      ("config", po::value<std::string>()->value_name("FILE"), "the switch's config_db.json")
      ("switch", po::value<std::string>()->value_name("NODE"), "which switch of the scenario; not needed if it has one")
      ("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"), "change the scenario first")
      ("out", po::value<std::string>()->value_name("FILE"), "default: standard output");
  // clang-format on
  po::variables_map values;
  if (!ReadOptions(arguments, named, kUsage, values)) return 0;
  RequireInputs(values, 1, 1, "the scenario");
  const SonicForm form = FormOf(Required(values, "to"));
  const std::string file = Required(values, "config");
  std::vector<std::string> sets;
  if (values.count("set")) sets = values["set"].as<std::vector<std::string>>();

  fs::path scenario = Inputs(values)[0];
  if (fs::is_directory(scenario)) scenario /= "resolved.yaml";
  const std::string node = values.count("switch") ? values["switch"].as<std::string>() : "";
  const Conversion out = ConvertToSonic(LoadScenario(scenario, sets), node, ReadText(file), file, form);
  for (const std::string& note : out.notes) fmt::print(stderr, "headroom: {}\n", note);
  if (out.changes == 0) fmt::print(stderr, "headroom: nothing differs\n");
  if (values.count("out")) {
    WriteWhole(values["out"].as<std::string>(), out.text);
  } else {
    fmt::print("{}", out.text);
  }
  return 0;
}

}  // namespace headroom
