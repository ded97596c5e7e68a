// The default "none" that pages print can be written: a key with this value has no effect.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "scenario/keys/lists/describe.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "scenario/yaml/document.h"

namespace headroom::none_test {
namespace {

namespace fs = std::filesystem;

/// Keys with this default, found by the path of their mapping.
std::vector<keys::KeyPlace> KeysWithNone() {
  std::vector<keys::KeyPlace> all;
  for (const keys::KeyPlace& key : keys::AllKeys())
    if (key.standard == "none") all.push_back(key);
  return all;
}

TEST(None, is_among_what_is_allowed_wherever_it_is_the_default) {
  EXPECT_GT(KeysWithNone().size(), 30u);
  for (const keys::KeyPlace& key : KeysWithNone()) EXPECT_TRUE(key.bounds.starts_with("none")) << key.path;
}

Scenario Load(const Node& document, const fs::path& folder) {
  return LoadScenarioText(ToFlow(document), "x.yaml", folder);
}

/// Adds each missing key to each mapping of a scenario, and removes it again.
class Adder {
 public:
  explicit Adder(const fs::path& file)
      : folder_(file.parent_path()), document_(ReadDocument(file, {})), plain_(Load(document_, folder_)) {}
  void TryAll() { Visit(document_, ""); }
  static inline int added = 0;

 private:
  /// An explicit none overrides other entries for a switch, and its SONiC file.
  static bool Overrides(const std::string& path) {
    return path.ends_with(".ecn") || path.ends_with(".watchdog");
  }

  static bool IsOfType(const keys::KeyPlace& key, const Node& mapping) {
    if (key.of.empty()) return true;
    const Node* type = mapping.Find("type");
    std::istringstream words(key.of);  // "type incast, list"
    for (std::string word; words >> word;) {
      if (word.ends_with(',')) word.pop_back();
      if (type && type->text == word) return true;
    }
    return false;
  }

  void Visit(Node& node, const std::string& path) {
    if (node.kind == Node::Kind::map) {
      for (const keys::KeyPlace& key : KeysWithNone()) {
        const size_t last = key.path.rfind('.') + 1;
        if (Overrides(key.path)) continue;
        if (key.path.substr(0, last) == path && !node.Find(key.path.substr(last)) && IsOfType(key, node))
          Try(node, key.path.substr(last), key.path);
      }
    }
    for (Entry& entry : node.entries) Visit(entry.value, path + entry.key + ".");
    for (Node& item : node.items) Visit(item, path + "*.");
  }

  void Try(Node& node, const std::string& key, const std::string& path) {
    Entry none;
    none.key = key;
    none.value.kind = Node::Kind::scalar;
    none.value.text = "none";
    node.entries.push_back(none);
    try {
      EXPECT_TRUE(Load(document_, folder_) == plain_) << path;
      ++added;
    } catch (const ScenarioError& e) {
      ADD_FAILURE() << path << ": " << e.what();
    }
    node.entries.pop_back();
  }

  const fs::path folder_;
  Node document_;
  const Scenario plain_;
};

TEST(None, says_nothing) {
  for (const auto& entry : fs::directory_iterator(fs::path(HEADROOM_SOURCE_DIR) / "tests/scenario/good")) {
    if (entry.path().extension() != ".yaml" || entry.path().filename() == "trees-common.yaml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    Adder(entry.path()).TryAll();
  }
  EXPECT_GT(Adder::added, 20);
}

std::string ErrorOf(const std::string& text) {
  try {
    LoadScenarioText(
        "duration: 1ms\ntopology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 5m}}\n" + text,
        "x.yaml", ".");
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

std::string Io(const std::string& loop) {
  return "services: [{name: s, type: storage, compute: h0, extent_nodes: h1, front: {protocol: sk_rdma}, "
         "disk: {read: "
         "10us, write: 10us}}]\nworkloads: [{name: w, type: io, service: s, blocks: [{size: 4KiB}], reads: "
         "50%, " +
         loop + "}]\n";
}

TEST(None, is_not_the_one_that_is_needed) {
  EXPECT_EQ(ErrorOf(Io("depth: 4, rate: none")), "");
  EXPECT_EQ(ErrorOf(Io("depth: none, rate: 1000")), "");
  EXPECT_NE(ErrorOf(Io("depth: none"))
                .find("\"depth\" is none, which is not allowed here; give a value; "
                      "one of depth, rate"),
            std::string::npos)
      << ErrorOf(Io("depth: none"));
  EXPECT_NE(ErrorOf(Io("depth: 4, rate: 1000")).find("\"depth\" beside \"rate\""), std::string::npos);
}

/// A later entry removes a clock.
TEST(None, of_a_clock_is_that_cores_cost_nothing) {
  const std::string more =
      "workloads: [{name: w, type: incast, size: 1KB, from: h0, to: h1, at: 1us}]\n"
      "hosts: [{match: \"*\", clock: 2GHz, rdma: {cycles_per_message: 100}}, {match: h1, clock: none}]\n";
  const std::string text =
      "duration: 1ms\ntopology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 5m}}\n" + more;
  const ScenarioFile file = LoadScenarioFileText(text, "x.yaml", ".");
  EXPECT_EQ(file.scenario.hosts[0].costs.clock_hz, 2e9);
  EXPECT_EQ(file.scenario.hosts[1].costs.clock_hz, 0);
  EXPECT_EQ(LoadScenarioText(WriteResolved(file).yaml, "x.yaml", ".").hosts, file.scenario.hosts);
}

}  // namespace
}  // namespace headroom::none_test
