// The JSON Schema for editors has exactly the keys that the loader accepts.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "dcqcn/generations.h"
#include "scenario/read/load.h"
#include "scenario/yaml/document.h"
#include "scenario/yaml/quantity.h"
#include "switch/buffer/profiles.h"

namespace headroom::schema_test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const fs::path kRoot = HEADROOM_SOURCE_DIR;

class Schema {
 public:
  explicit Schema(const char* file = "scenario.schema.json") {
    std::ifstream(kRoot / "schema" / file) >> root_;
  }

  const Json& root() const { return root_; }
  const Json& Resolve(const Json& schema) const {
    if (!schema.contains("$ref")) return schema;
    const std::string ref = schema.at("$ref");
    return Resolve(root_.at(Json::json_pointer(ref.substr(1))));
  }

  /// The first place at which the value has a key or a fixed text that the schema does not have, or an empty
  /// text.
  std::string Misfit(const Node& node, const Json& unresolved) const {
    const Json& schema = Resolve(unresolved);
    const char* const choices = schema.contains("oneOf") ? "oneOf" : "anyOf";
    if (schema.contains(choices) && !schema.contains("properties")) {
      std::string first;
      for (const Json& choice : schema[choices]) {
        const std::string misfit = Misfit(node, choice);
        if (misfit.empty()) return "";
        if (first.empty() || misfit.size() > first.size()) first = misfit;
      }
      return first;
    }
    if (schema.contains("const") && !(node.IsScalar() && Json(node.text) == schema["const"]) &&
        !(schema["const"].is_number() && node.text == schema["const"].dump()))
      return node.where.ToString() + ": not " + schema["const"].dump();
    if (node.IsList())
      return schema.value("type", "") == "object" ? Wrong(node) : MisfitOfItems(node, schema);
    if (node.IsMap()) return schema.value("type", "") == "array" ? Wrong(node) : MisfitOfKeys(node, schema);
    return schema.value("type", Json()) == "object" || schema.value("type", Json()) == "array"
               ? Wrong(node)
               : Text(node, schema);
  }

 private:
  static std::string Wrong(const Node& node) { return node.where.ToString() + ": " + Describe(node); }

  static std::string Text(const Node& node, const Json& schema) {
    if (schema.contains("pattern") &&
        !std::regex_match(node.text, std::regex(schema["pattern"].get<std::string>())))
      return Wrong(node);
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), Json(node.text)) == schema["enum"].end())
      return Wrong(node);
    if (schema.value("type", Json()) == "integer" && !std::regex_match(node.text, std::regex("-?[0-9]+")))
      return Wrong(node);
    return "";
  }
  std::string MisfitOfItems(const Node& node, const Json& schema) const {
    if (!schema.contains("items")) return schema.value("type", Json()) == "array" ? "" : Wrong(node);
    for (const Node& item : node.items)
      if (const std::string misfit = Misfit(item, schema["items"]); !misfit.empty()) return misfit;
    return "";
  }
  /// The schema of the keys that this pattern describes, or null.
  static const Json* PatternOf(const std::string& key, const Json& schema) {
    if (!schema.contains("patternProperties")) return nullptr;
    for (const auto& [pattern, of_key] : schema["patternProperties"].items()) {
      if (std::regex_match(key, std::regex(pattern))) return &of_key;
    }
    return nullptr;
  }
  std::string MisfitOfKeys(const Node& node, const Json& schema) const {
    if (schema.value("type", Json()) != "object") return Wrong(node);
    for (const Json& key : schema.value("required", Json::array()))
      if (!node.Find(key.get<std::string>())) return node.where.ToString() + ": without " + key.dump();
    const Json none = Json::object();
    const Json& properties = schema.contains("properties") ? schema["properties"] : none;
    for (const Entry& entry : node.entries) {
      if (const Json* pattern = PatternOf(entry.key, schema)) {
        if (const std::string misfit = Misfit(entry.value, *pattern); !misfit.empty()) return misfit;
        continue;
      }
      const bool known = properties.contains(entry.key);
      const bool any = schema.contains("additionalProperties") ? schema["additionalProperties"].is_object()
                                                               : !schema.contains("properties");
      if (!known && !any) return entry.where.ToString() + ": unknown " + entry.key;
      if (!known && !schema.contains("additionalProperties")) continue;
      const std::string misfit =
          Misfit(entry.value, known ? properties[entry.key] : schema["additionalProperties"]);
      if (!misfit.empty()) return misfit;
    }
    return "";
  }

  Json root_;
};

TEST(Schema, fits_every_shipped_scenario_and_study_and_every_good_one_of_the_tests) {
  const Schema schema, of_studies("study.schema.json");
  int count = 0, studies = 0;
  for (const char* folder : {"scenarios", "tests/scenario/good"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.path().extension() != ".yaml") continue;
      if (entry.path().parent_path().filename() == "common") continue;  // parts that other files include
      ++count;
      const Node document = ReadDocument(entry.path(), {});
      const bool is_study = document.Find("parameters") != nullptr;
      studies += is_study;
      const Schema& of = is_study ? of_studies : schema;
      EXPECT_EQ(of.Misfit(document, of.root()), "");
    }
  }
  EXPECT_GE(count, 8);
  EXPECT_GE(studies, 3);
}

/// The keys that the loader accepts at a path: those that its error for an unknown key names.
std::set<std::string> AllowedKeys(const std::string& text, const std::string& path) {
  try {
    LoadScenarioText(text, "x.yaml", kRoot / "tests/scenario/good", {path + "no_such_key=1"});
  } catch (const ScenarioError& e) {
    const std::string message = e.what();
    const std::string mark = "\"no_such_key\"; allowed: ";
    const size_t begin = message.find(mark);
    EXPECT_NE(begin, std::string::npos) << message;
    if (begin == std::string::npos) return {};
    const size_t end = std::min(message.find(';', begin + mark.size()), message.size());
    std::istringstream words(message.substr(begin + mark.size(), end - begin - mark.size()));
    std::set<std::string> keys;
    for (std::string word; words >> word;)
      keys.insert(word.ends_with(',') ? word.substr(0, word.size() - 1) : word);
    return keys;
  }
  ADD_FAILURE() << path << " takes any key";
  return {};
}

std::set<std::string> Keys(const Json& unresolved) {
  static const Schema schema;
  std::set<std::string> keys;
  for (const auto& [key, value] : schema.Resolve(unresolved).at("properties").items()) keys.insert(key);
  return keys;
}

TEST(Schema, has_the_keys_that_the_loader_allows) {
  const Schema schema;
  const Json& definitions = schema.root()["definitions"];
  std::ostringstream contract;
  contract << std::ifstream(kRoot / "tests/scenario/good/contract.yaml").rdbuf();
  const std::string text = contract.str();
  std::set<std::string> root = Keys(schema.root());
  root.erase("include");  // it is merged before keys are checked
  EXPECT_EQ(AllowedKeys(text, ""), root);
  EXPECT_EQ(AllowedKeys(text, "frames."), Keys(definitions["frames"]));
  EXPECT_EQ(AllowedKeys(text, "topology.links.0."), Keys(definitions["custom_link"]));
  EXPECT_EQ(AllowedKeys(text, "priorities.storage."), Keys(definitions["class"]));
  EXPECT_EQ(AllowedKeys(text, "switches.0."), Keys(definitions["switch"]));
  EXPECT_EQ(AllowedKeys(text, "switches.0.routing."), Keys(definitions["routing"]));
  EXPECT_EQ(AllowedKeys(text, "topology.links.2.reorder."), Keys(definitions["reorder"]));
  EXPECT_EQ(AllowedKeys(text, "switches.0.pfc."), Keys(definitions["switch"]["properties"]["pfc"]));
  EXPECT_EQ(AllowedKeys(text, "switches.0.ecn.storage."), Keys(definitions["curve"]));
  EXPECT_EQ(AllowedKeys(text, "switches.0.buffer.tables."), Keys(definitions["buffer_tables"]));
  const Json& tables = definitions["buffer_tables"]["properties"];
  EXPECT_EQ(AllowedKeys(text, "switches.0.buffer.tables.BUFFER_POOL.egress_lossy_pool."),
            Keys(tables["BUFFER_POOL"]["additionalProperties"]));
  EXPECT_EQ(AllowedKeys(text, "switches.0.buffer.tables.BUFFER_PROFILE.egress_lossy."),
            Keys(tables["BUFFER_PROFILE"]["additionalProperties"]));
  const Json& nic = definitions["nic"];
  const Json& dcqcn = schema.Resolve(nic["properties"]["dcqcn"]);
  EXPECT_EQ(AllowedKeys(text, "nics.0."), Keys(nic));
  EXPECT_EQ(AllowedKeys(text, "nics.0.transport."), Keys(nic["properties"]["transport"]));
  EXPECT_EQ(AllowedKeys(text, "nics.0.dcqcn."), Keys(dcqcn));
  EXPECT_EQ(AllowedKeys(text, "nics.0.bugs."), Keys(nic["properties"]["bugs"]));
  for (const std::string part : {"np", "rp"})
    EXPECT_EQ(AllowedKeys(text, "nics.0.dcqcn." + part + ".enable."), Keys(definitions["priority_switches"]));
  for (const std::string part : {"np", "rp", "limiter"})
    EXPECT_EQ(AllowedKeys(text, "nics.0.dcqcn." + part + "."), Keys(dcqcn["properties"][part]));
  EXPECT_EQ(AllowedKeys(text, "observe."), Keys(schema.root()["properties"]["observe"]));
  EXPECT_EQ(AllowedKeys(text, "observe.queues."), Keys(definitions["observation"]));
  EXPECT_EQ(AllowedKeys(text, "observe.cnps."), Keys(definitions["recording"]));
  EXPECT_EQ(AllowedKeys(text, "observe.estats."),
            Keys(schema.Resolve(schema.root()["properties"]["observe"])["properties"]["estats"]));
  EXPECT_EQ(AllowedKeys(text, "faults.0."), Keys(definitions["fault"]["oneOf"][0]));
  for (const int i : {1, 2, 3, 4, 5, 6, 7}) {
    EXPECT_EQ(AllowedKeys(text, "faults." + std::to_string(i + 1) + "."),
              Keys(definitions["fault"]["oneOf"][static_cast<size_t>(i)]));
  }
  EXPECT_EQ(AllowedKeys(text, "faults.2.repeat."), Keys(definitions["fault_repeat"]));
  EXPECT_EQ(AllowedKeys(text, "switches.0.pfc.watchdog."), Keys(definitions["watchdog"]));
  EXPECT_EQ(AllowedKeys(text, "nics.0.pfc."), Keys(nic["properties"]["pfc"]));
  EXPECT_EQ(AllowedKeys(text, "nics.0.clock."), Keys(nic["properties"]["clock"]));
  EXPECT_EQ(AllowedKeys(text, "nics.0.resources.rx_buffer."), Keys(definitions["rx_buffer"]));
  const Json& resources = definitions["resources"];
  EXPECT_EQ(AllowedKeys(text, "nics.0.resources."), Keys(resources));
  for (const std::string part : {"pio", "wqe", "tx", "rx", "engine", "pcie", "context_cache"})
    EXPECT_EQ(AllowedKeys(text, "nics.0.resources." + part + "."), Keys(resources["properties"][part]));
  for (const std::string part : {"weights", "overlap"})
    EXPECT_EQ(AllowedKeys(text, "nics.0.resources.context_cache." + part + "."),
              Keys(definitions["by_context"]));
  EXPECT_EQ(AllowedKeys(text, "expect.0."), Keys(definitions["expectation"]));
}

TEST(Schema, has_the_sizes_that_the_loader_reads) {
  const Schema schema;
  for (const char* definition : {"size", "bytes"}) {
    const Json& d = schema.root()["definitions"][definition];
    for (const char* text : {"1B", "1.5kB", "1.5KB", "1MB", "1KiB", "2TiB", "1kiB", "1mB", "1K", "1ki"}) {
      Node node;
      node.kind = Node::Kind::scalar;
      node.text = text;
      EXPECT_EQ(schema.Misfit(node, d).empty(), LooksLikeSize(text)) << definition << ": " << text;
    }
  }
}

TEST(Schema, has_the_keys_of_every_topology) {
  const Schema schema;
  for (const Json& unresolved : schema.root()["definitions"]["topology"]["oneOf"]) {
    const Json& choice = schema.Resolve(unresolved);
    const std::string type = choice["properties"]["type"]["const"];
    SCOPED_TRACE(type);
    EXPECT_EQ(AllowedKeys("topology: {type: " + type + "}", "topology."), Keys(choice));
  }
}

TEST(Schema, has_the_keys_of_every_workload) {
  const Schema schema;
  for (const Json& unresolved : schema.root()["definitions"]["workload"]["oneOf"]) {
    const Json& choice = schema.Resolve(unresolved);
    const std::string type = choice["properties"]["type"]["const"];
    SCOPED_TRACE(type);
    const std::string text =
        "topology: {type: star, hosts: 4, link: {rate: 1Gbps, length: 1m}}\nworkloads: [{type: " + type +
        "}]";
    EXPECT_EQ(AllowedKeys(text, "workloads.0."), Keys(choice));
  }
}

TEST(Schema, names_generations_and_profiles) {
  const Schema schema;
  const Json& definitions = schema.root()["definitions"];
  EXPECT_EQ(definitions["nic"]["properties"]["generation"]["enum"].get<std::vector<std::string>>(),
            GenerationNames());
  auto profiles = BufferProfileNames();
  std::erase(profiles, "hpcc");  // it needs a size and is separate
  EXPECT_EQ(schema.Resolve(definitions["buffer"]["oneOf"][0])["properties"]["profile"]["enum"]
                .get<std::vector<std::string>>(),
            profiles);
}

TEST(Schema, says_what_explain_tries_and_what_it_costs) {
  const Schema schema;
  const Json& definitions = schema.root()["definitions"];
  const auto check = [&](const char* mapping, const char* key, const char* cost,
                         const std::vector<std::string>& tried) {
    SCOPED_TRACE(std::string(mapping) + "." + key);
    const Json& property = definitions[mapping]["properties"][key];
    EXPECT_EQ(property.value("cost", ""), cost);
    EXPECT_EQ(property.value("tried", std::vector<std::string>()), tried);
  };
  check("transport", "rto", "setting", {"*4", "/4"});              // a quantity, by its kind
  check("transport", "ack_priority", "setting", {"same", "cnp"});  // a choice, by its kind
  check("buffer_policy", "limit", "setting", {"*4", "/4"});        // the cost of its section …
  check("service_herd", "priority", "setting", {"priorities.*"});  // … and that of the section around
  check("link", "loss", "repair", {"0"});                          // its own
  check("host", "cores", "hardware", {"*2", "*4"});
  check("bugs", "hidden_fence", "repair", {"false"});  // nobody tries to add a bug
  check("workload_poisson", "load", "diagnosis", {"/2"});
  check("workload_poisson", "sizes", "", {});       // the work is fixed
  check("receiver_window", "message_id", "", {});   // correctness is fixed
  check("fault_link_down", "convergence", "", {});  // a fault is left out as a whole
  EXPECT_EQ(schema.root()["properties"]["faults"]["tried"], Json({"without"}));
  EXPECT_FALSE(schema.root()["properties"]["duration"].contains("tried"));
}

TEST(Schema, gives_each_key_that_explain_tries_a_known_cost) {
  const Schema schema;
  size_t keys = 0;
  for (const auto& [name, mapping] : schema.root()["definitions"].items()) {
    const Json properties = mapping.value("properties", Json::object());
    for (const auto& [key, property] : properties.items()) {
      EXPECT_EQ(property.contains("tried"), property.contains("cost")) << name << '.' << key;
      if (!property.contains("tried")) continue;
      ++keys;
      const std::set<std::string> costs = {"repair", "setting", "reconfiguration", "hardware", "diagnosis"};
      EXPECT_TRUE(costs.contains(property["cost"])) << name << '.' << key;
      EXPECT_FALSE(property["tried"].empty()) << name << '.' << key;
    }
  }
  EXPECT_GT(keys, 200u);
}

}  // namespace
}  // namespace headroom::schema_test
