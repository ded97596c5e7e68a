// Keys that a program registers, and whether the committed files equal those generated from the descriptions.
#include "scenario/keys/keys.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/keys/lists/describe.h"
#include "scenario/keys/lists/schema.h"
#include "scenario/keys/own_keys.h"
#include "scenario/keys/workloads/workload_keys.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/in_child.h"

namespace headroom::keys_test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = HEADROOM_SOURCE_DIR;

std::string TextOf(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Keys, the_schema_for_editors_is_the_one_they_make) {
  EXPECT_TRUE(keys::ScenarioSchema() == TextOf(kRoot / "schema/scenario.schema.json"))
      << "headroom keys --schema > schema/scenario.schema.json";
}

/// A page has its table between <!-- keys --> and <!-- end of keys -->.
TEST(Keys, the_tables_of_pages_are_those_they_make) {
  const std::string begin = "<!-- keys -->\n", end = "<!-- end of keys -->";
  size_t tables = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() != ".md") continue;
    const std::string text = TextOf(entry.path());
    const std::string page = fs::relative(entry.path(), kRoot / "docs").string();
    const std::string table = keys::KeyTable(page);
    const size_t from = text.find(begin), to = text.find(end);
    EXPECT_EQ(from != std::string::npos, !table.empty()) << page;
    if (from == std::string::npos) continue;
    ++tables;
    ASSERT_NE(to, std::string::npos) << page;
    EXPECT_TRUE(text.substr(from + begin.size(), to - from - begin.size()) == table)
        << page << ": headroom keys --markdown " << page;
  }
  EXPECT_GE(tables, 10u);
}

TEST(Keys, all_say_what_they_are_and_where_more_is_said) {
  for (const keys::KeyPlace& key : keys::AllKeys()) {
    EXPECT_FALSE(key.kind.empty()) << key.path;
    EXPECT_FALSE(key.help.empty()) << key.path;
    EXPECT_TRUE(fs::exists(kRoot / "docs" / key.page)) << key.path << ": " << key.page;
  }
}

const keys::KeyPlace& PlaceOf(const std::vector<keys::KeyPlace>& all, const std::string& path) {
  static const keys::KeyPlace none;
  const auto found = std::ranges::find(all, path, &keys::KeyPlace::path);
  return found == all.end() ? none : *found;
}

TEST(Keys, are_found_by_a_part_of_their_path_or_a_pattern) {
  const auto rp = keys::MatchingKeys("nics.*.dcqcn.rp.*");
  EXPECT_EQ(PlaceOf(rp, "nics.*.dcqcn.rp.alpha_timer").standard, "55us");
  EXPECT_EQ(PlaceOf(rp, "nics.*.dcqcn.rp.alpha_timer").bounds, "1ns to 10s");
  EXPECT_EQ(PlaceOf(rp, "nics.*.dcqcn.rp.rpg_gd").standard, "11");
  EXPECT_EQ(keys::MatchingKeys("fan_in").size(), 1u);
  EXPECT_EQ(keys::MatchingKeys("fan_in")[0].of, "type incast");
  EXPECT_TRUE(keys::MatchingKeys("fan_inn").empty());
  EXPECT_EQ(keys::MatchingKeys("rate_a*").size(), keys::MatchingKeys(".rate_ai").size());
  ASSERT_EQ(keys::MatchingKeys("switches.t0.ecn.storage.kmin").size(), 1u);
  EXPECT_EQ(keys::MatchingKeys("switches.t0.ecn.storage.kmin")[0].path, "switches.*.ecn.CLASS.kmin");
  EXPECT_TRUE(keys::MatchingKeys("switches.t0.ecn.storage").empty());
  EXPECT_EQ(keys::NearestKey("fan_inn"), "\"fan_in\"");
}

TEST(Keys, are_found_by_the_type_of_what_has_them) {
  for (const keys::WorkloadType& workload : keys::WorkloadTypes()) {
    const std::string type = workload.keys().section().type;
    const auto found = keys::MatchingKeys(type);
    for (const keys::Key& key : workload.keys().keys()) {
      if (key.traits.refused) continue;
      EXPECT_FALSE(PlaceOf(found, "workloads.*." + key.name).path.empty()) << type << ": " << key.name;
    }
    for (const keys::KeyPlace& key : found) {
      const bool of_type = (" " + key.of + ",").find(" " + type + ",") != std::string::npos;
      EXPECT_TRUE(of_type || ("." + key.path + ".").find("." + type + ".") != std::string::npos)
          << type << ": " << key.path;
    }
  }
  const auto herd = keys::MatchingKeys("herd"), storm = keys::MatchingKeys("pause_storm");
  EXPECT_EQ(PlaceOf(herd, "services.*.empty_polls").of, "type herd");
  EXPECT_EQ(PlaceOf(herd, "services.*.disk.iops").path, "");
  EXPECT_EQ(PlaceOf(storm, "faults.*.quanta").of, "type pause_storm");
  EXPECT_EQ(PlaceOf(storm, "faults.*.convergence").path, "");
  // It is also the name of a key of links.
  const auto loss = keys::MatchingKeys("loss");
  EXPECT_NE(PlaceOf(loss, "faults.*.probability").path, "");
  EXPECT_NE(PlaceOf(loss, "topology.link.loss").path, "");
  EXPECT_EQ(keys::NearestKey("incats"), "\"incast\"");
}

/// A user's own control: a section of NICs with two keys. Registrations are permanent, so each test has its
/// own process.
struct OwnControl {
  keys::OwnKey<Time> window;
  keys::OwnKey<double> gain;
  static const OwnControl& Registered() {
    static const OwnControl control = [] {
      auto& section = keys::AddSection(keys::NicKeys(), {.name = "own_control", .page = "install.md"},
                                       "a congestion control of somebody's own");
      return OwnControl{
          keys::AddKey<Time>(section, "window", keys::Times(Microseconds(1), Milliseconds(1)),
                             Microseconds(10), "it looks back so far"),
          keys::AddKey<double>(section, "gain", keys::Fractions(), 0.5, "weight of what it sees")};
    }();
    return control;
  }
};

ScenarioFile WithOwnControl(const std::string& own) {
  OwnControl::Registered();
  return LoadScenarioFileText(
      "topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 3m}}\n"
      "workloads: [{name: w, type: permutation, size: 1MB}]\n"
      "nics: [{match: \"*\"}, {match: h1, own_control: " +
          own + "}]\n",
      "x.yaml", ".");
}

std::string RefusalOf(const std::string& own) {
  try {
    WithOwnControl(own);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

TEST(OwnKeys, are_read_like_all_others) {
  InChild([] {
    const OwnControl& control = OwnControl::Registered();
    const ScenarioFile file = WithOwnControl("{window: 20us}");
    EXPECT_EQ(control.window.Of(file.scenario.nics[0]), Microseconds(10));
    EXPECT_EQ(control.window.Of(file.scenario.nics[1]), Microseconds(20));
    EXPECT_EQ(control.gain.Of(file.scenario.nics[1]), 0.5);
  });
}

TEST(OwnKeys, are_refused_like_all_others) {
  InChild([] {
    EXPECT_EQ(RefusalOf("{window: 2ms}"), "x.yaml:3:56: \"2ms\" is out of range; allowed: 1us to 1ms");
    EXPECT_EQ(RefusalOf("{windwo: 2us}"),
              "x.yaml:3:48: unknown key \"windwo\"; allowed: window, gain; did you mean \"window\"?");
  });
}

TEST(OwnKeys, are_written_and_read_back) {
  InChild([] {
    const ScenarioFile file = WithOwnControl("{window: 20us, gain: 1/4}");
    const std::string text = WriteResolved(file).yaml;
    EXPECT_NE(text.find("    own_control: {window: 20us, gain: 0.25}\n"), std::string::npos) << text;
    EXPECT_NE(text.find("    own_control: {window: 10us, gain: 0.5}\n"), std::string::npos) << text;
    EXPECT_EQ(WriteResolved(LoadScenarioFileText(text, "resolved.yaml", ".")).yaml, text);
  });
}

TEST(OwnKeys, are_in_the_schema_and_among_the_keys) {
  InChild([] {
    OwnControl::Registered();
    const auto schema = nlohmann::json::parse(keys::ScenarioSchema());
    EXPECT_TRUE(schema["definitions"]["own_control"]["properties"].contains("window"));
    EXPECT_TRUE(schema["definitions"]["nic"]["properties"].contains("own_control"));
    const auto found = keys::MatchingKeys("own_control.window");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].path, "nics.*.own_control.window");
    EXPECT_EQ(found[0].standard, "10us");
  });
}

TEST(OwnKeys, have_a_name_of_their_own) {
  InChild([] {
    OwnControl::Registered();
    EXPECT_THROW(keys::AddSection(keys::NicKeys(), {.name = "own_control"}, "again"), std::invalid_argument);
    EXPECT_THROW(keys::AddSection(keys::NicKeys(), {.name = "transport"}, "taken"), std::invalid_argument);
  });
}

}  // namespace
}  // namespace headroom::keys_test
