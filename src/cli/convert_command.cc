// headroom convert: from a scenario to a SONiC configuration; other tools' files, in and out.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "cli/commands.h"
#include "cli/convert.h"
#include "cli/exchange.h"
#include "cli/options.h"
#include "report/text_file.h"
#include "scenario/load.h"
#include "scenario/nearest.h"
#include "scenario/reader.h"

namespace headroom {

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace {

constexpr const char* kUsage =
    "convert --to FORM | --from FORM FILE... [options]\n"
    "\n"
    "To a SONiC switch: the ECN thresholds, buffer thresholds and headroom in which the scenario's switch "
    "differs\n"
    "from its configuration, or that of --config. SCENARIO is a file, or a result.\n"
    "  --to sonic-patch SCENARIO      RFC 6902, for config apply-patch\n"
    "  --to sonic-fragment SCENARIO   the rows that change, for config load\n"
    "  --to sonic-commands SCENARIO   ecnconfig and mmuconfig lines\n"
    "  --to sonic-config SCENARIO     the whole configuration, everything else byte for byte\n"
    "\n"
    "To and from other simulators:\n"
    "  --to hpcc-topology SCENARIO    the HPCC simulator's topology file\n"
    "  --to hpcc-flow RESULT          a result's messages as its flow file\n"
    "  --to hpcc-fct RESULT           a result's completion times as its fct.txt\n"
    "  --from hpcc TOPOLOGY FLOWS     a scenario of its two files\n"
    "  --from hpcc-fct FCT --out DIR  its fct.txt as a result, for plot and compare\n"
    "  --from htsim TOPO MATRIX       a scenario of htsim's topology file and connection matrix\n"
    "  --from csv FILE                messages (src, dst, bytes, start_us) as workloads: of a scenario";

SonicForm FormOf(const std::string& name) {
  static const std::map<std::string, SonicForm> forms = {{"sonic-patch", SonicForm::patch},
                                                         {"sonic-fragment", SonicForm::fragment},
                                                         {"sonic-commands", SonicForm::commands},
                                                         {"sonic-config", SonicForm::config}};
  if (const auto found = forms.find(name); found != forms.end()) return found->second;
  std::vector<std::string> names = {"hpcc-topology", "hpcc-flow", "hpcc-fct"};
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

void Print(const po::variables_map& values, const std::string& text) {
  if (values.count("out")) {
    WriteWhole(values["out"].as<std::string>(), text);
  } else {
    fmt::print("{}", text);
  }
}

fs::path ScenarioPath(const std::string& input) {
  return fs::is_directory(input) ? fs::path(input) / "resolved.yaml" : fs::path(input);
}

std::vector<std::string> SetsOf(const po::variables_map& values) {
  return values.count("set") ? values["set"].as<std::vector<std::string>>() : std::vector<std::string>();
}

fs::path OutOf(const po::variables_map& values) {
  return values.count("out") ? fs::path(values["out"].as<std::string>()) : fs::path();
}

std::string WorkloadOf(const po::variables_map& values) {
  if (values.count("workload") == 0) return "flows";
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = values["workload"].as<std::string>();
  return ParseName(node);
}

/// One of the other tools' forms: how many files it takes, what they are, and what becomes of them.
struct ExchangeForm {
  size_t files;
  const char* what;
  Exchange (*convert)(const std::vector<std::string>& files, const po::variables_map& values);
};

const std::map<std::string, ExchangeForm> kOut = {
    {"hpcc-topology",
     {1, "the scenario",
      [](const auto& files, const auto& values) {
        return HpccTopologyOf(LoadScenario(ScenarioPath(files[0]), SetsOf(values)).topology);
      }}},
    {"hpcc-flow", {1, "the result", [](const auto& files, const auto&) { return HpccFlowsOf(files[0]); }}},
    {"hpcc-fct",
     {1, "the result", [](const auto& files, const auto&) { return HpccCompletionsOf(files[0]); }}},
};

const std::map<std::string, ExchangeForm> kIn = {
    {"hpcc",
     {2, "a pair of topology file and flow file",
      [](const auto& files, const auto& values) {
        return ScenarioOfHpcc(files[0], files[1], OutOf(values));
      }}},
    {"hpcc-fct",
     {1, "the fct.txt",
      [](const auto& files, const auto& values) {
        const fs::path out = Required(values, "out");
        ResultOfHpccCompletions(files[0], WorkloadOf(values), out.has_filename() ? out : out.parent_path(),
                                values.count("force") > 0);
        return Exchange{};
      }}},
    {"htsim",
     {2, "a pair of topology file and connection matrix",
      [](const auto& files, const auto& values) {
        return ScenarioOfHtsim(files[0], files[1], OutOf(values));
      }}},
    {"csv", {1, "the CSV file", [](const auto& files, const auto&) { return WorkloadsOfCsv(files[0]); }}},
};

int Exchanged(const ExchangeForm& form, const po::variables_map& values, bool result) {
  RequireInputs(values, form.files, form.files, form.what);
  for (const char* name : {"config", "switch"})
    if (values.count(name)) throw po::error(fmt::format("--{} is for SONiC's forms", name));
  if (values.count("workload") && !result) throw po::error("--workload is for --from hpcc-fct");
  const Exchange out = form.convert(Inputs(values), values);
  for (const std::string& note : out.notes) fmt::print(stderr, "headroom: {}\n", note);
  if (!result) Print(values, out.text);
  return 0;
}

int FromOthers(const po::variables_map& values) {
  if (values.count("to")) throw po::error("--from and --to are two commands; give one");
  const std::string name = values["from"].as<std::string>();
  const auto found = kIn.find(name);
  if (found != kIn.end()) return Exchanged(found->second, values, name == "hpcc-fct");
  std::vector<std::string> names;
  for (const auto& [form, unused] : kIn) names.push_back(form);
  const std::string near = Nearest(name, names);
  throw po::error(fmt::format("--from {} is no form; allowed: {}{}", name, Join(names),
                              near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace

int ConvertCommand(const Arguments& arguments) {
  po::options_description named("options");
  // clang-format off
  named.add_options()
      ("to", po::value<std::string>()->value_name("FORM"), "see above")
      ("from", po::value<std::string>()->value_name("FORM"), "see above")
      ("workload", po::value<std::string>()->value_name("NAME"), "whose messages an fct.txt has; default: flows")
      ("force", "replace a finished result")
      ("config", po::value<std::string>()->value_name("FILE"), "the switch's config_db.json; default: the one that its buffer is of")
      ("switch", po::value<std::string>()->value_name("NODE"), "which switch of the scenario; not needed if it has one")
      ("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"), "change the scenario first")
      ("out", po::value<std::string>()->value_name("FILE"), "default: standard output");
  // clang-format on
  po::variables_map values;
  if (!ReadOptions(arguments, named, kUsage, values)) return 0;
  if (values.count("from")) return FromOthers(values);
  if (const auto found = kOut.find(Required(values, "to")); found != kOut.end())
    return Exchanged(found->second, values, false);
  RequireInputs(values, 1, 1, "the scenario");
  if (values.count("workload")) throw po::error("--workload is for --from hpcc-fct");
  const SonicForm form = FormOf(Required(values, "to"));
  const Scenario scenario = LoadScenario(ScenarioPath(Inputs(values)[0]), SetsOf(values));
  const std::string file = values.count("config") ? values["config"].as<std::string>() : "";
  const std::string node = values.count("switch") ? values["switch"].as<std::string>() : "";
  const SonicConfigFile config =
      file.empty() ? ConfigurationOf(scenario, node) : SonicConfigFile{file, ReadText(file)};
  const Conversion out = ConvertToSonic(scenario, node, config, form);
  for (const std::string& note : out.notes) fmt::print(stderr, "headroom: {}\n", note);
  if (out.changes == 0) fmt::print(stderr, "headroom: nothing differs\n");
  Print(values, out.text);
  return 0;
}

}  // namespace headroom
