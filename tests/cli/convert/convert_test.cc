// Conversion of a scenario to the configuration of a SONiC switch.
#include "cli/convert/convert.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "scenario/read/load.h"
#include "sonic/edit/changes.h"
#include "sonic/tables/read.h"

namespace headroom::convert_test {
namespace {

using nlohmann::ordered_json;

/// The configuration of a small switch with what users' files contain: unknown tables and fields, odd blanks.
const std::string kConfig = R"({
  "ACME": {"x": {"y": 1.50, "z": "a\/b"}},
  "DEVICE_METADATA": {"localhost": {"hwsku": "Acme-4x100", "type": "ToRRouter"}},
  "PORT": {
    "Ethernet0": {"speed": "100000", "lanes": "1,2,3,4", "admin_status": "up"},
    "Ethernet4": {"speed": "100000", "lanes": "5,6,7,8", "admin_status": "up"}
  },
  "BUFFER_POOL": {
    "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "18000000", "xoff": "6000000"},
    "egress_lossless_pool": {"type": "egress", "mode": "static", "size": "24000000"}
  },
  "BUFFER_PROFILE": {
    "pg_lossless": {"pool": "ingress_lossless_pool", "size": "1248", "xon": "1248", "xon_offset": "2496",
                    "xoff": "96928", "dynamic_th": "-3", "acme": "kept"},
    "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "static_th": "24000000"}
  },
  "BUFFER_PG": {"Ethernet0,Ethernet4|3": {"profile": "pg_lossless"}},
  "BUFFER_QUEUE": {"Ethernet0,Ethernet4|3": {"profile": "egress_lossless_profile"}},
  "WRED_PROFILE": {
    "AZURE_LOSSLESS" : {"ecn": "ecn_all", "wred_green_enable": "true",
      "green_min_threshold":"1048576",   "green_max_threshold":"2097152", "green_drop_probability": "5"}
  },
  "QUEUE": {"Ethernet0,Ethernet4|3": {"wred_profile": "AZURE_LOSSLESS"}}
}
)";

std::string ScenarioText(const std::string& ecn, const std::string& profile, const std::string& pool) {
  return R"(
name: own
duration: 1ms
topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 3m}}
priorities:
  storage: {priority: 3, dscp: 3, lossless: true, weight: 1}
  cnp: {priority: 6, dscp: 48, lossless: false, strict: true}
switches:
  - match: "*"
    buffer:
      size: 30MB
      tables:
        BUFFER_POOL:
          ingress_lossless_pool: {type: ingress, mode: dynamic, )" +
         pool + R"(}
          egress_lossless_pool: {type: egress, mode: static, size: 24000000}
        BUFFER_PROFILE:
          pg_lossless: {pool: ingress_lossless_pool, size: 1248, xon: 1248, xon_offset: 2496, )" +
         profile + R"(}
          egress_lossless_profile: {pool: egress_lossless_pool, size: 0, static_th: 24000000}
        BUFFER_PG: {"*|3": {profile: pg_lossless}}
        BUFFER_QUEUE: {"*|3": {profile: egress_lossless_profile}}
)" + (ecn.empty() ? "" : "    ecn: {storage: " + ecn + "}\n") +
         R"(workloads:
  - {name: pair, type: list, messages: [{at: 0us, from: h0, to: h1, size: 1KB}]}
)";
}

const std::string kSameEcn = "{kmin: 1MiB, kmax: 2MiB, pmax: 5%}";
const std::string kSameProfile = "xoff: 96928, dynamic_th: -3";
const std::string kSamePool = "size: 18000000, xoff: 6000000";

Conversion Convert(const std::string& scenario, SonicForm form, const std::string& config = kConfig) {
  return ConvertToSonic(LoadScenarioText(scenario, "own.yaml", "."), "s0", {"config_db.json", config}, form);
}
std::string Refusal(const std::string& scenario, SonicForm form, const std::string& config = kConfig) {
  try {
    Convert(scenario, form, config);
  } catch (const std::runtime_error& e) {
    return e.what();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "taken";
}

TEST(Convert, OfAnEqualSwitchNothing) {
  const std::string same = ScenarioText(kSameEcn, kSameProfile, kSamePool);
  EXPECT_EQ(Convert(same, SonicForm::patch).text, "[]\n");
  EXPECT_EQ(Convert(same, SonicForm::fragment).text, "{}\n");
  EXPECT_EQ(Convert(same, SonicForm::commands).text, "");
  EXPECT_EQ(Convert(same, SonicForm::config).text, kConfig);
  EXPECT_EQ(Convert(same, SonicForm::config).changes, 0u);
}

TEST(Convert, ThePatchMakesTheConfigurationThatOfTheScenario) {
  const std::string tuned =
      ScenarioText("{kmin: 500KB, kmax: 2MB, pmax: 10%}", "xoff: 100000, dynamic_th: -2", kSamePool);
  const Conversion out = Convert(tuned, SonicForm::patch);
  EXPECT_EQ(out.changes, 5u);
  EXPECT_TRUE(out.notes.empty());
  EXPECT_EQ(out.text, R"([
  {
    "op": "replace",
    "path": "/WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold",
    "value": "500000"
  },
  {
    "op": "replace",
    "path": "/WRED_PROFILE/AZURE_LOSSLESS/green_max_threshold",
    "value": "2000000"
  },
  {
    "op": "replace",
    "path": "/WRED_PROFILE/AZURE_LOSSLESS/green_drop_probability",
    "value": "10"
  },
  {
    "op": "replace",
    "path": "/BUFFER_PROFILE/pg_lossless/dynamic_th",
    "value": "-2"
  },
  {
    "op": "replace",
    "path": "/BUFFER_PROFILE/pg_lossless/xoff",
    "value": "100000"
  }
]
)");
  const ordered_json patched = ordered_json::parse(kConfig).patch(ordered_json::parse(out.text));
  EXPECT_EQ(Convert(tuned, SonicForm::patch, patched.dump()).text, "[]\n");
  const SonicConfig read = ReadSonicConfig(patched.dump(), "patched").config;
  EXPECT_EQ(read.wred.at("AZURE_LOSSLESS").green.min_threshold.value, Bytes(500'000));
  EXPECT_EQ(read.wred.at("AZURE_LOSSLESS").green.max_threshold.value, Bytes(2'000'000));
  EXPECT_EQ(read.wred.at("AZURE_LOSSLESS").green.drop_probability.value, 10);
  EXPECT_EQ(read.profiles.at("pg_lossless").dynamic_th.value, -2);
  EXPECT_EQ(read.profiles.at("pg_lossless").xoff.value, Bytes(100'000));
  // The whole configuration has the same settings, and its other bytes are unchanged.
  const std::string whole = Convert(tuned, SonicForm::config).text;
  EXPECT_EQ(ordered_json::parse(whole), patched);
  std::string by_hand = kConfig;
  for (const auto& [old, now] : {std::pair("\"1048576\"", "\"500000\""),
                                 {"\"2097152\"", "\"2000000\""},
                                 {"\"green_drop_probability\": \"5\"", "\"green_drop_probability\": \"10\""},
                                 {"\"-3\"", "\"-2\""},
                                 {"\"96928\"", "\"100000\""}}) {
    by_hand.replace(by_hand.find(old), std::string(old).size(), now);
  }
  EXPECT_EQ(whole, by_hand);
}

TEST(Convert, TheThresholdOfDctcpIsConvertedAndTelemetryIsNot) {
  const auto with = [](const std::string& control) {
    return Convert(ScenarioText("{kmin: 300KB, kmax: 300KB, pmax: 100%}", kSameProfile, kSamePool) +
                       "nics: [{match: h0, congestion_control: " + control + "}]\n",
                   SonicForm::commands);
  };
  EXPECT_EQ(with("dctcp").text, "sudo ecnconfig -p AZURE_LOSSLESS -gmin 300000 -gmax 300000 -gdrop 100\n");
  EXPECT_TRUE(with("dctcp").notes.empty());
  ASSERT_EQ(with("hpcc").notes.size(), 1u);
  EXPECT_EQ(with("hpcc").notes[0],
            "not converted: telemetry for congestion_control: hpcc, because no field of SONiC's tables turns "
            "it on");
}

TEST(Convert, CommandsAndFragment) {
  const std::string tuned =
      ScenarioText("{kmin: 500KB, kmax: 2MiB, pmax: 5%}", "xoff: 96928, dynamic_th: 0", kSamePool);
  EXPECT_EQ(Convert(tuned, SonicForm::commands).text,
            "sudo ecnconfig -p AZURE_LOSSLESS -gmin 500000\n"
            "sudo mmuconfig -p pg_lossless -a 0\n");
  const ordered_json fragment = ordered_json::parse(Convert(tuned, SonicForm::fragment).text);
  EXPECT_EQ(
      fragment["BUFFER_PROFILE"]["pg_lossless"].dump(),
      R"({"pool":"ingress_lossless_pool","size":"1248","xon":"1248","xon_offset":"2496","xoff":"96928",)"
      R"("dynamic_th":"0","acme":"kept"})");
  EXPECT_EQ(fragment["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"], "500000");
  EXPECT_EQ(fragment.size(), 2u);
}

TEST(Convert, WhatSonicRefusesIsRefused) {
  EXPECT_EQ(
      Refusal(ScenarioText("{kmin: 1MiB, kmax: 3GB, pmax: 5%}", kSameProfile, kSamePool), SonicForm::config),
      "WRED_PROFILE|AZURE_LOSSLESS, field green_max_threshold: 3000000000 is out of SONiC's range; "
      "allowed: 0 to 2147483647");
  EXPECT_EQ(Refusal(ScenarioText("{kmin: 1MiB, kmax: 2MiB, pmax: 1/256}", kSameProfile, kSamePool),
                    SonicForm::patch),
            "WRED_PROFILE|AZURE_LOSSLESS, field green_drop_probability: 0.390625 is not a whole number; "
            "SONiC allows only these: give a whole per cent, or step: 1% for this parameter of a study");
  const std::string larger = ScenarioText(kSameEcn, kSameProfile, "size: 17000000, xoff: 7000000");
  EXPECT_EQ(
      Refusal(larger, SonicForm::patch),
      "BUFFER_POOL|ingress_lossless_pool, field size: config apply-patch rejects changes of BUFFER_POOL; "
      "write the whole configuration (--to sonic-config) for config reload");
  EXPECT_EQ(Refusal(larger, SonicForm::config), "taken");
}

TEST(Convert, WhatTheTwoSidesDoNotShareIsNamed) {
  EXPECT_EQ(Refusal(ScenarioText("", kSameProfile, kSamePool), SonicForm::patch),
            "config_db.json: WRED_PROFILE|AZURE_LOSSLESS marks queue 3, but the scenario does not mark "
            "class storage; give the class an ecn, or remove the profile from the queue first (ecnconfig "
            "-q 3 off)");
  ordered_json unbound = ordered_json::parse(kConfig);
  unbound.erase("QUEUE");
  EXPECT_EQ(Refusal(ScenarioText(kSameEcn, kSameProfile, kSamePool), SonicForm::patch, unbound.dump()),
            "config_db.json: no row of QUEUE binds a wred_profile to queue 3, which the scenario marks; bind "
            "one first (ecnconfig -q 3 on binds AZURE_LOSSLESS)");
  ordered_json mixed = ordered_json::parse(kConfig);
  mixed["PORT"]["Ethernet4"]["speed"] = "50000";
  EXPECT_EQ(
      Refusal(ScenarioText("{kmin: 1MB, kmax: 2MB, pmax: 5%, per_rate: 100Gbps}", kSameProfile, kSamePool),
              SonicForm::patch, mixed.dump()),
      "config_db.json: WRED_PROFILE|AZURE_LOSSLESS serves queue 3 at 100Gbps and queue 3 at 50Gbps, "
      "which need different thresholds, 1MB to 2MB and 5 % and 500KB to 1MB and 5 %, as per_rate scales "
      "thresholds with the rate of a port; bind a separate profile to the ports of each speed, or give "
      "the class an ecn without per_rate");
  ordered_json other = ordered_json::parse(kConfig);
  other["BUFFER_PROFILE"] = ordered_json::object();
  const Conversion out =
      Convert(ScenarioText(kSameEcn, kSameProfile, kSamePool), SonicForm::patch, other.dump());
  ASSERT_EQ(out.notes.size(), 1u);
  EXPECT_EQ(out.notes[0],
            "config_db.json has none of the scenario's buffer profiles: only ECN "
            "thresholds are converted");
}

TEST(Convert, ABuiltInBufferIsNotTheConfigurations) {
  // The names of its pools are SONiC's, but their sizes differ.
  const std::string scenario = R"(
name: own
duration: 1ms
topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 3m}}
priorities:
  storage: {priority: 3, dscp: 3, lossless: true, weight: 1}
  cnp: {priority: 6, dscp: 48, lossless: false, strict: true}
switches:
  - {match: "*", buffer: {profile: azure-24mb}, ecn: {storage: {kmin: 1MiB, kmax: 3MiB, pmax: 5%}}}
workloads:
  - {name: pair, type: list, messages: [{at: 0us, from: h0, to: h1, size: 1KB}]}
)";
  const Conversion out = Convert(scenario, SonicForm::commands);
  EXPECT_EQ(out.text, "sudo ecnconfig -p AZURE_LOSSLESS -gmax 3145728\n");
  ASSERT_EQ(out.notes.size(), 1u);
  EXPECT_EQ(out.notes[0],
            "the switch has the built-in buffer azure-24mb, not the buffer of config_db.json: only ECN "
            "thresholds are converted");
}

TEST(Convert, AProfileThatDoesNotMarkIsMadeTo) {
  ordered_json dropping = ordered_json::parse(kConfig);
  dropping["WRED_PROFILE"]["AZURE_LOSSLESS"]["ecn"] = "ecn_red";
  const auto patch = ordered_json::parse(
      Convert(ScenarioText(kSameEcn, kSameProfile, kSamePool), SonicForm::patch, dropping.dump()).text);
  ASSERT_EQ(patch.size(), 1u);
  EXPECT_EQ(patch[0]["path"], "/WRED_PROFILE/AZURE_LOSSLESS/ecn");
  EXPECT_EQ(patch[0]["value"], "ecn_green_red");
}

/// The shipped example: t0 has a configuration that assumes shorter uplinks than they are.
TEST(Convert, WhatAScenarioHasOtherwiseThanItsConfigurationGoesBackToIt) {
  const std::string file = std::string(HEADROOM_SOURCE_DIR) + "/scenarios/own-switch.yaml";
  const std::string xoff =
      "switches.t0.buffer.tables.BUFFER_PROFILE.pg_lossless_100000_40m_profile.xoff=252928";
  const auto convert = [&](const std::vector<std::string>& sets, SonicForm form) {
    const Scenario scenario = LoadScenario(file, sets);
    return ConvertToSonic(scenario, "t0", ConfigurationOf(scenario, "t0"), form);
  };
  const std::string plain = ConfigurationOf(LoadScenario(file), "t0").text;
  EXPECT_EQ(convert({}, SonicForm::patch).text, "[]\n");
  EXPECT_EQ(convert({}, SonicForm::config).text, plain);

  const Conversion out =
      convert({xoff, "switches.t0.ecn.storage={kmin: 500KB, kmax: 10MB, pmax: 5%}"}, SonicForm::patch);
  EXPECT_TRUE(out.notes.empty());
  EXPECT_EQ(
      ordered_json::parse(out.text).dump(),
      R"([{"op":"replace","path":"/WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold","value":"500000"},)"
      R"({"op":"replace","path":"/BUFFER_PROFILE/pg_lossless_100000_40m_profile/xoff","value":"252928"}])");
  const ordered_json patched = ordered_json::parse(plain).patch(ordered_json::parse(out.text));
  const SonicConfig read = ReadSonicConfig(patched.dump(), "patched").config;
  EXPECT_EQ(read.profiles.at("pg_lossless_100000_40m_profile").xoff.value, Bytes(252'928));
  EXPECT_EQ(read.wred.at("AZURE_LOSSLESS").green.min_threshold.value, Bytes(500'000));
  std::string by_hand = plain;
  by_hand.replace(by_hand.find("\"59696\""), 7, "\"252928\"");
  EXPECT_EQ(convert({xoff}, SonicForm::config).text, by_hand);
}

/// A rack switch with watchdogs at all ports, of which the scenario links two.
class ConvertRack : public ::testing::Test {
 protected:
  Conversion Convert(const std::string& set) {
    const Scenario scenario =
        LoadScenario(std::string(HEADROOM_SOURCE_DIR) + "/tests/scenario/good/sonic.yaml",
                     {"switches.*.buffer={sonic: ../../sonic/data/rack.config_db.json}", set});
    return ConvertToSonic(scenario, "t0", ConfigurationOf(scenario, "t0"), SonicForm::patch);
  }
  std::vector<std::string> Notes(const std::string& set) {
    const Conversion out = Convert(set);
    EXPECT_EQ(out.text, "[]\n") << set;
    return out.notes;
  }
};

TEST_F(ConvertRack, TimesOfAWatchdogGoToItsRows) {
  const Conversion out =
      Convert("switches.t0.pfc.watchdog={detection: 300ms, restoration: 400ms, poll: 100ms, action: alert}");
  EXPECT_TRUE(out.notes.empty());
  std::map<std::string, std::string> values;
  for (const auto& op : ordered_json::parse(out.text)) values[op["path"]] = op["value"];
  std::map<std::string, std::string> expected = {{"/PFC_WD/GLOBAL/POLL_INTERVAL", "100"}};
  for (const char* port : {"Ethernet0", "Ethernet4"}) {
    expected[fmt::format("/PFC_WD/{}/detection_time", port)] = "300";
    expected[fmt::format("/PFC_WD/{}/action", port)] = "alert";
  }
  EXPECT_EQ(values, expected);
}

TEST_F(ConvertRack, NothingDiffersIsSaidOfWhatIsTheSame) {
  EXPECT_TRUE(Notes("switches.t0.pfc.watchdog={detection: 200ms, restoration: 400ms, poll: 200ms}").empty());
}

TEST_F(ConvertRack, WhatIsNotConvertedIsNamed) {
  using Notes = std::vector<std::string>;
  EXPECT_EQ(this->Notes("switches.t0.pfc.watchdog=none"),
            Notes{"not converted: no watchdog, where PFC_WD has one, at Ethernet0 and 1 more"});
  EXPECT_EQ(this->Notes("switches.t0.pfc.watchdog={detection: 200ms, poll: 200ms, vendor: cisco}"),
            Notes{"not converted: PFC_WD: restoration never, vendor (in the configuration: the vendor of "
                  "the ASIC) at Ethernet0 and 1 more"});
  EXPECT_EQ(this->Notes("switches.t0.pfc.enabled=false"),
            Notes{"not converted: pfc.enabled: false (in the configuration: pfc_enable of PORT_QOS_MAP)"});
  EXPECT_EQ(this->Notes("switches.t0.pfc.response=100ns"),
            Notes{"not converted: pfc.response, which a configuration does not contain"});
  EXPECT_EQ(this->Notes("switches.t0.latency=1us"),
            Notes{"not converted: latency, which a configuration does not contain"});
  EXPECT_EQ(this->Notes("switches.t0.ecn.storage=none").front(),
            "not converted: ECN of queue 3 at Ethernet0: no ECN, in the configuration 250KB to 2MiB and 5 %");
}

TEST_F(ConvertRack, TimesThatSonicDoesNotTakeAreRefused) {
  const std::string row = "PFC_WD|Ethernet0, field ";
  for (const auto& [watchdog, why] : std::vector<std::pair<std::string, std::string>>{
           {"{detection: 200.5ms, restoration: 400ms, poll: 200ms}",
            row + "detection_time: 200.5 is not a whole number; SONiC allows only these"},
           {"{detection: 200ms, restoration: 400.25ms, poll: 200ms}",
            row + "restoration_time: 400.25 is not a whole number; SONiC allows only these"},
           {"{detection: 200ms, restoration: 400ms, poll: 150.5ms}",
            "PFC_WD|GLOBAL, field POLL_INTERVAL: 150.5 is not a whole number; SONiC allows only these"},
           {"{detection: 50ms, restoration: 400ms, poll: 50ms, limits: false}",
            row + "detection_time: 50 is out of SONiC's range; allowed: 100 to 5000"},
           {"{detection: 6s, restoration: 400ms, poll: 200ms, limits: false}",
            row + "detection_time: 6000 is out of SONiC's range; allowed: 100 to 5000"},
           {"{detection: 200ms, restoration: 61s, poll: 200ms, limits: false}",
            row + "restoration_time: 61000 is out of SONiC's range; allowed: 100 to 60000"},
           {"{detection: 2s, restoration: 2s, poll: 1100ms, limits: false}",
            "PFC_WD|GLOBAL, field POLL_INTERVAL: 1100 is out of SONiC's range; allowed: 100 to 1000"}}) {
    try {
      Convert("switches.t0.pfc.watchdog=" + watchdog);
      ADD_FAILURE() << watchdog << " is taken";
    } catch (const SonicRefusal& refusal) {
      EXPECT_EQ(refusal.what(), why);
    }
  }
}

TEST_F(ConvertRack, WhyNothingWatchesAPortIsSaidAsItIs) {
  const ordered_json rack = ordered_json::parse(
      ReadConfiguration(std::string(HEADROOM_SOURCE_DIR) + "/tests/sonic/data/rack.config_db.json").text);
  const Scenario scenario = LoadScenario(std::string(HEADROOM_SOURCE_DIR) + "/tests/scenario/good/sonic.yaml",
                                         {"switches.*.buffer={sonic: ../../sonic/data/rack.config_db.json}"});
  const auto first_note = [&](const ordered_json& patch) {
    const auto notes =
        ConvertToSonic(scenario, "t0", {"x.json", rack.patch(patch).dump()}, SonicForm::patch).notes;
    return notes.empty() ? "" : notes.front();
  };
  const ordered_json no_row = {{{"op", "remove"}, {"path", "/PFC_WD/Ethernet0"}}},
                     no_priority = {{{"op", "remove"}, {"path", "/PORT_QOS_MAP/Ethernet0/pfcwd_sw_enable"}}},
                     no_counters = {{{"op", "add"},
                                     {"path", "/FLEX_COUNTER_TABLE"},
                                     {"value", {{"PFCWD", {{"FLEX_COUNTER_STATUS", "disable"}}}}}}};
  EXPECT_EQ(first_note(no_row), "not converted: a watchdog, where PFC_WD has none, at Ethernet0");
  EXPECT_EQ(
      first_note(no_priority),
      "not converted: a watchdog, where pfcwd_sw_enable of PORT_QOS_MAP names no priority, at Ethernet0");
  EXPECT_EQ(first_note(no_counters),
            "not converted: a watchdog, where FLEX_COUNTER_TABLE|PFCWD is disable, at Ethernet0 and 1 more");
}

TEST_F(ConvertRack, AGroupGetsAnotherProfile) {
  const std::string path =
      "switches.t0.buffer={sonic: ../../sonic/data/rack.config_db.json, tables: {BUFFER_PG: ";
  const Conversion out = Convert(path + "{\"Ethernet0|3-4\": {profile: pg_lossless_100000_40m_profile}}}}");
  EXPECT_TRUE(out.notes.empty());
  EXPECT_EQ(
      ordered_json::parse(out.text).dump(),
      R"([{"op":"replace","path":"/BUFFER_PG/Ethernet0|3-4/profile","value":"pg_lossless_100000_40m_profile"}])");
}

TEST(Convert, AProfileThatIsNotThereIsRefused) {
  const ordered_json config = {{"BUFFER_PG", {{"Ethernet0|3", {{"profile", "a"}}}}},
                               {"BUFFER_PROFILE", {{"a", {}}}}};
  try {
    CheckSonicChanges(config, {{"BUFFER_PG", "Ethernet0|3", "profile", "a", "b"}});
    FAIL();
  } catch (const SonicRefusal& e) {
    EXPECT_STREQ(e.what(), "BUFFER_PG|Ethernet0|3, field profile: there is no BUFFER_PROFILE|b");
  }
}

TEST(Convert, ToAnotherSwitchOfTheSameKindGoWhateverThresholdsDiffer) {
  const Scenario scenario = LoadScenario(std::string(HEADROOM_SOURCE_DIR) + "/scenarios/own-switch.yaml");
  ordered_json other = ordered_json::parse(ConfigurationOf(scenario, "t0").text);
  other["DEVICE_METADATA"]["localhost"]["hostname"] = "t9";
  other["BUFFER_PROFILE"]["pg_lossless_100000_5m_profile"]["dynamic_th"] = "-3 ";
  other["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_drop_probability"] = "1";
  EXPECT_EQ(ConvertToSonic(scenario, "t0", {"t9.json", other.dump()}, SonicForm::commands).text,
            "sudo ecnconfig -p AZURE_LOSSLESS -gdrop 5\n"
            "sudo mmuconfig -p pg_lossless_100000_5m_profile -a 0\n");
}

TEST(Convert, ASwitchThatIsNotThereIsNamed) {
  const Scenario scenario =
      LoadScenarioText(ScenarioText(kSameEcn, kSameProfile, kSamePool), "own.yaml", ".");
  EXPECT_NO_THROW(ConvertToSonic(scenario, "", {"c", kConfig}, SonicForm::patch));
  try {
    ConvertToSonic(scenario, "s1", {"c", kConfig}, SonicForm::patch);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "there is no switch \"s1\"; there are: s0; did you mean \"s0\"?");
  }
}

TEST(Convert, AMissingSwitchIsAskedForWithTheNamesThereAre) {
  const auto error_with = [](const std::string& topology) -> std::string {
    try {
      ConfigurationOf(
          LoadScenario(std::string(HEADROOM_SOURCE_DIR) + "/scenarios/quickstart.yaml",
                       {"topology=" + topology,
                        "workloads=[{name: w, type: permutation, size: 1KB, at: 0us}]", "observe={}"}),
          "");
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  const std::string links = "link: {rate: 100Gbps, length: 5m}";
  EXPECT_EQ(error_with("{type: dumbbell, left: 1, right: 1, bottleneck: {rate: 100Gbps, length: 5m}, " +
                       links + "}"),
            "--switch is missing, and the scenario has 2 switches; give one of s0, s1");
  EXPECT_EQ(error_with("{type: torus, dims: [21], " + links + "}"),
            "--switch is missing, and the scenario has 21 switches; give one of s0, s1, s2, s3, s4, s5, s6, "
            "s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19, … (21)");
}

}  // namespace
}  // namespace headroom::convert_test
