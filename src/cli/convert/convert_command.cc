// headroom convert: from a scenario to a SONiC configuration, and to and from other tools' files.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "cli/commands.h"
#include "cli/convert/convert.h"
#include "cli/convert/exchange.h"
#include "cli/convert/replaceable.h"
#include "cli/options.h"
#include "files/text_file.h"
#include "report/result_scenario.h"
#include "report/text/text_table.h"
#include "scenario/read/load.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/reader.h"

namespace headroom {

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace {

constexpr const char* kUsage =
    "convert --to FORM SCENARIO | --to FORM RESULT | --from FORM FILE...\n\nTo a SONiC switch: the "
    "differences between the scenario's switch and its configuration (or the one\nafter --config). They "
    "cover ECN thresholds, buffer thresholds, headroom, watchdog times and fields\nof buffer.tables. "
    "Differences that cannot be converted are listed. SCENARIO is a file, or a result.\n  --to "
    "sonic-patch      RFC 6902, for config apply-patch\n  --to sonic-fragment   the rows that change, "
    "for config load\n  --to sonic-commands   ecnconfig and mmuconfig lines\n  --to sonic-config     the "
    "whole configuration, with all other bytes unchanged\nTo other simulators:\n  --to hpcc-topology    "
    "of a scenario, the topology file of HPCC's simulator\n  --to hpcc-flow        of a result, its "
    "messages as HPCC's flow file\n  --to hpcc-fct         of a result, its completion times as HPCC's "
    "fct.txt\nFrom them:\n  --from hpcc           a scenario of HPCC's topology file and flow file\n  "
    "--from hpcc-fct       HPCC's fct.txt as a result, for plot and compare; needs --out\n  --from "
    "htsim          a scenario of htsim's topology file and connection matrix\n  --from csv            "
    "workloads for a scenario, of messages (columns src, dst, bytes, start_us)\n\nexamples:\n  headroom "
    "convert --to sonic-patch scenarios/own-switch.yaml \\\n      --set switches.t0.ecn.storage='{kmin: "
    "1MB, kmax: 5MB, pmax: 5%}' --out fix.json\n  headroom convert --to sonic-commands "
    "results/own-switch --switch t0 \\\n      --config scenarios/own-switch/config_db.json\n  headroom "
    "convert --to hpcc-topology scenarios/quickstart.yaml --out topology.txt\n  headroom convert --to "
    "hpcc-flow results/quickstart --out flow.txt\n  headroom convert --from hpcc topology.txt flow.txt "
    "--out hpcc.yaml\n  headroom convert --to hpcc-fct results/quickstart --out fct.txt\n  headroom "
    "convert --from hpcc-fct fct.txt --out results/fct\n  headroom convert --from htsim topology.topo "
    "connections.cm --out htsim.yaml\n  headroom convert --from csv messages.csv --out workloads.yaml";

SonicForm FormOf(const std::string& name) {
  static const std::map<std::string, SonicForm> forms = {{"sonic-patch", SonicForm::patch},
                                                         {"sonic-fragment", SonicForm::fragment},
                                                         {"sonic-commands", SonicForm::commands},
                                                         {"sonic-config", SonicForm::config}};
  if (const auto found = forms.find(name); found != forms.end()) return found->second;
  std::vector<std::string> names = {"hpcc-topology", "hpcc-flow", "hpcc-fct"};
  for (const auto& [form, unused] : forms) names.push_back(form);
  const std::string near = Nearest(name, names);
  throw po::error(fmt::format("--to {} is not a form; allowed: {}{}", name, Join(names),
                              near.empty() ? "" : "; did you mean " + near + "?"));
}

std::string Required(const po::variables_map& values, const char* name) {
  if (values.count(name) == 0) throw po::error(fmt::format("--{} is missing", name));
  return values[name].as<std::string>();
}

void Print(const po::variables_map& values, const std::string& text) {
  if (values.count("out")) {
    RequireReplaceable(values["out"].as<std::string>(), text);
    WriteWhole(values["out"].as<std::string>(), text);
  } else {
    fmt::print("{}", text);
  }
}

/// The scenario of a scenario file or of a result.
Scenario ReadInput(const std::string& input, const std::vector<std::string>& sets) {
  std::error_code error;
  return fs::is_directory(input, error) ? ReadScenarioOfResult(input, sets) : LoadScenario(input, sets);
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

/// A format of another tool: the number and kinds of its files, and their conversion.
struct ExchangeForm {
  size_t files;
  const char* what;
  Converted (*convert)(const std::vector<std::string>& files, const po::variables_map& values);
};

const std::map<std::string, ExchangeForm> kOut = {
    {"hpcc-topology",
     {1, "the scenario",
      [](const auto& files, const auto& values) {
        return HpccTopologyOf(ReadInput(files[0], SetsOf(values)));
      }}},
    {"hpcc-flow", {1, "the result", [](const auto& files, const auto&) { return HpccFlowsOf(files[0]); }}},
    {"hpcc-fct",
     {1, "the result", [](const auto& files, const auto&) { return HpccCompletionsOf(files[0]); }}},
};

const std::map<std::string, ExchangeForm> kIn = {
    {"hpcc",
     {2, "one of two files, the topology file and the flow file,",
      [](const auto& files, const auto& values) {
        return ScenarioOfHpcc(files[0], files[1], OutOf(values));
      }}},
    {"hpcc-fct",
     {1, "the fct.txt",
      [](const auto& files, const auto& values) {
        const fs::path out = Required(values, "out");
        ResultOfHpccCompletions(files[0], WorkloadOf(values), out.has_filename() ? out : out.parent_path(),
                                values.count("force") > 0);
        return Converted{};
      }}},
    {"htsim",
     {2, "one of two files, the topology file and the connection matrix,",
      [](const auto& files, const auto& values) {
        return ScenarioOfHtsim(files[0], files[1], OutOf(values));
      }}},
    {"csv", {1, "the CSV file", [](const auto& files, const auto&) { return WorkloadsOfCsv(files[0]); }}},
};

int Exchanged(const ExchangeForm& form, const po::variables_map& values, bool result) {
  RequireInputs(values, form.files, form.files, form.what);
  for (const char* name : {"config", "switch"})
    if (values.count(name))
      throw po::error(
          fmt::format("--{} applies only to the SONiC forms; give --to sonic-patch, "
                      "-fragment, -commands or -config",
                      name));
  if (values.count("workload") && !result) throw po::error("--workload needs --from hpcc-fct");
  const Converted out = form.convert(Inputs(values), values);
  for (const std::string& note : out.notes) fmt::print(stderr, "headroom: {}\n", Visible(note));
  if (!result) Print(values, out.text);
  return 0;
}

int FromOthers(const po::variables_map& values) {
  if (values.count("to")) throw po::error("--from and --to exclude each other; give one");
  const std::string name = values["from"].as<std::string>();
  const auto found = kIn.find(name);
  if (found != kIn.end()) return Exchanged(found->second, values, name == "hpcc-fct");
  std::vector<std::string> names;
  for (const auto& [form, unused] : kIn) names.push_back(form);
  const std::string near = Nearest(name, names);
  throw po::error(fmt::format("--from {} is not a form; allowed: {}{}", name, Join(names),
                              near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace

int ConvertCommand(const Arguments& arguments) {
  po::options_description named("options");
  // clang-format off
  named.add_options()
      ("to", po::value<std::string>()->value_name("FORM"), "a form above")
      ("from", po::value<std::string>()->value_name("FORM"), "a form above")
      ("workload", po::value<std::string>()->value_name("NAME"), "workload name for the messages of an fct.txt; default: flows")
      ("force", "replace a finished result, or the file that --out names")
      ("config", po::value<std::string>()->value_name("FILE"), "config_db.json of the switch; default: the file that the scenario's "
                                                               "buffer names")
      ("switch", po::value<std::string>()->value_name("NODE"), "switch of the scenario to convert; not needed if only one switch has "
                                                               "a configuration")
      ("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"), "change the scenario first; may be repeated")
      ("out", po::value<std::string>()->value_name("FILE"), "default: standard output");
  // clang-format on
  po::variables_map values;
  if (!ReadOptions(arguments, named, kUsage, values)) return 0;
  const bool to_folder = values.count("from") && values["from"].as<std::string>() == "hpcc-fct";
  if (values.count("out") && values.count("force") == 0 && !to_folder)
    RequireFree(values["out"].as<std::string>());
  if (values.count("from")) return FromOthers(values);
  if (values.count("to") == 0) throw po::error("--to FORM or --from FORM is missing");
  if (const auto found = kOut.find(Required(values, "to")); found != kOut.end())
    return Exchanged(found->second, values, false);
  RequireInputs(values, 1, 1, "the scenario");
  if (values.count("workload")) throw po::error("--workload needs --from hpcc-fct");
  const SonicForm form = FormOf(Required(values, "to"));
  const Scenario scenario = ReadInput(Inputs(values)[0], SetsOf(values));
  const std::string file = values.count("config") ? values["config"].as<std::string>() : "";
  const std::string node = values.count("switch") ? values["switch"].as<std::string>() : "";
  const SonicConfigFile config = file.empty() ? ConfigurationOf(scenario, node) : ReadConfiguration(file);
  const Conversion out = ConvertToSonic(scenario, node, config, form);
  for (const std::string& note : out.notes) fmt::print(stderr, "headroom: {}\n", Visible(note));
  if (out.changes == 0)
    fmt::print(
        stderr, "headroom: {}\n",
        out.notes.empty() ? "nothing differs" : "nothing to convert: all convertible fields are equal");
  Print(values, out.text);
  return 0;
}

}  // namespace headroom
