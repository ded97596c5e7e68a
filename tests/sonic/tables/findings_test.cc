// The errors of a configuration, word for word: each case edits the small rack in one place.
#include <gtest/gtest.h>

#include "support/sonic.h"

namespace headroom::sonic_findings_test {
namespace {

using Json = nlohmann::ordered_json;

struct Case {
  const char* name;
  std::vector<SonicEdit> edits;
  const char* findings;
};

class SonicFindingsTest : public testing::TestWithParam<Case> {};

TEST_P(SonicFindingsTest, AreTheseWords) {
  EXPECT_EQ(FindingsText(EditedRack(GetParam().edits).findings), GetParam().findings);
}

std::string NameOf(const testing::TestParamInfo<Case>& of) { return of.param.name; }

constexpr const char* kPg = "/BUFFER_PROFILE/pg_lossless_40000_5m_profile";

INSTANTIATE_TEST_SUITE_P(
    Values, SonicFindingsTest,
    testing::Values(
        Case{"Number",
             {{"/BUFFER_POOL/egress_lossy_pool/size", 9000000}},
             "warning: x.json: BUFFER_POOL|egress_lossy_pool, field size: is a number without quotes; "
             "every value of config_db.json is a text\n"},
        Case{"TruthValue",
             {{"/WRED_PROFILE/AZURE_LOSSLESS/wred_green_enable", true}},
             "warning: x.json: WRED_PROFILE|AZURE_LOSSLESS, field wred_green_enable: is a truth value "
             "without quotes; every value of config_db.json is a text\n"},
        Case{"List",
             {{"/PORT_QOS_MAP/Ethernet0/pfc_enable", {"3", "4"}}},
             "warning: x.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: is a list, not one text with "
             "commas between the values\n"},
        Case{"ListOfNumbers",
             {{"/PORT_QOS_MAP/Ethernet0/pfc_enable", {3, 4}}},
             "error: x.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: is a list with values other than "
             "texts; write one text, with commas between the values\n"},
        Case{"Map",
             {{"/PORT/Ethernet0/speed", Json::object()}},
             "error: x.json: PORT|Ethernet0, field speed: is a map; write a text\n"},
        Case{"NoNumber",
             {{"/BUFFER_POOL/egress_lossy_pool/size", "9 MB"}},
             "error: x.json: BUFFER_POOL|egress_lossy_pool, field size: \"9 MB\" is not a whole number; "
             "allowed: 0 to 1125899906842624\n"},
        Case{"OutOfRange",
             {{std::string(kPg) + "/dynamic_th", "8"}},
             "error: x.json: BUFFER_PROFILE|pg_lossless_40000_5m_profile, field dynamic_th: \"8\" is out of "
             "range; "
             "allowed: -8 to 7\n"},
        Case{"NoChoice",
             {{"/BUFFER_POOL/egress_lossy_pool/mode", "fixed"}},
             "error: x.json: BUFFER_POOL|egress_lossy_pool, field mode: \"fixed\" is not an allowed "
             "value of this field; allowed: dynamic, static\n"},
        Case{"NoPriorities",
             {{"/PORT_QOS_MAP/Ethernet0/pfc_enable", "3,8"}},
             "error: x.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: \"3,8\" is not a list of priorities; "
             "such as \"3,4\", each 0 to 7\n"},
        Case{"XonAbovePool",
             {{"/BUFFER_PROFILE/pg_lossless_40000_5m_profile/xon", "99000000"}},
             "error: x.json: BUFFER_PROFILE|pg_lossless_40000_5m_profile, field xon: 99000000 bytes are "
             "more than the 10000000 bytes of the profile's pool; 0 to 10000000\n"},
        Case{"XoffAbovePool",
             {{"/BUFFER_PROFILE/pg_lossless_40000_5m_profile/xoff", "99000000"}},
             "error: x.json: BUFFER_PROFILE|pg_lossless_40000_5m_profile, field xoff: 99000000 bytes are "
             "more than the 14000000 bytes of the pool and its headroom together; 0 to "
             "14000000\n"},
        Case{"NoCable",
             {{"/CABLE_LENGTH/AZURE/Ethernet0", "5ft"}},
             "error: x.json: CABLE_LENGTH|AZURE, field Ethernet0: \"5ft\" is not a cable length; give a "
             "length in metres, such as \"300m\"\n"},
        Case{"CableOfNoPort",
             {{"/CABLE_LENGTH/AZURE/Ethernet99", "5m"}},
             "warning: x.json: CABLE_LENGTH|AZURE, field Ethernet99: has a cable for a port that PORT does "
             "not have\n"},
        Case{"MapsNoNumber",
             {{"/DSCP_TO_TC_MAP/AZURE/64", "1"}},
             "error: x.json: DSCP_TO_TC_MAP|AZURE, field 64: maps a key that is not a number in the "
             "allowed range; allowed: 0 to 63\n"},
        Case{"Trimming",
             {{"/BUFFER_PROFILE/egress_lossy_profile/packet_discard_action", "trim"}},
             "error: x.json: BUFFER_PROFILE|egress_lossy_profile, field packet_discard_action: packet "
             "trimming is "
             "not supported yet; set packet_discard_action to drop\n"},
        Case{"AsymmetricPfc",
             {{"/PORT/Ethernet0/pfc_asym", "on"}},
             "warning: x.json: PORT|Ethernet0, field pfc_asym: Headroom has only symmetric PFC: a port "
             "that sends pauses also obeys them\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Rows, SonicFindingsTest,
    testing::Values(
        Case{"TableIsNone",
             {{"/BUFFER_QUEUE", "none"}},
             "error: x.json: BUFFER_QUEUE: is not a table of rows; give the table as {\"key\": "
             "{\"field\": \"value\", …}, …}\n"},
        Case{"RowIsNone",
             {{"/VLAN/Vlan1000", "1000"}},
             "error: x.json: VLAN|Vlan1000: is not a row of fields; give the row as {\"field\": "
             "\"value\", …}\n"},
        Case{"KeyWithoutNumber",
             {{"/BUFFER_PG/Ethernet16", {{"profile", "ingress_lossy_profile"}}}},
             "error: x.json: BUFFER_PG|Ethernet16: its key names no ports and numbers from 0 to 7; give "
             "a key such as \"Ethernet0|3\", \"Ethernet0,Ethernet4|3-4\" or \"host|asic|Ethernet0|3\"\n"},
        Case{"KeyWithoutPort",
             {{"/PFC_WD/Ethernet0,", {{"detection_time", "200"}, {"restoration_time", "200"}}}},
             "error: x.json: PFC_WD|Ethernet0,: its key has an empty port name; give a key such as "
             "\"Ethernet0\" or \"Ethernet0,Ethernet4\"\n"},
        Case{"UnknownPort",
             {{"/BUFFER_PG/Ethernet99|0", {{"profile", "ingress_lossy_profile"}}}},
             "error: x.json: BUFFER_PG|Ethernet99|0: PORT has no port \"Ethernet99\"; remove the row, or add "
             "the "
             "port\n"},
        Case{"TwoRowsForAGroup",
             {{"/BUFFER_PG/Ethernet0|4-5", {{"profile", "ingress_lossy_profile"}}}},
             "error: x.json: BUFFER_PG|Ethernet0|4-5: number 4 of port \"Ethernet0\" already has a row; "
             "keep one of the rows\n"},
        Case{"NoPools",
             {{"/BUFFER_POOL", nullptr},
              {"/BUFFER_PROFILE", nullptr},
              {"/BUFFER_PG", nullptr},
              {"/BUFFER_QUEUE", nullptr}},
             "error: x.json: BUFFER_POOL: is missing or empty; give the buffer at least one pool\n"},
        Case{"Dump",
             {{"/BUFFER_PG_TABLE:Ethernet0:0", {{"profile", "x"}}}},
             "error: x.json: is a dump of APPL_DB, which a switch computes from its configuration; give "
             "the config_db.json\n"}),
    NameOf);

/// {"PORT|Ethernet0": {"type": "hash", "value": {…}}}, in addition to keys that are not rows; with a time to
/// live, or without.
TEST(SonicFindings, OfRedisDump) {
  const auto rack = nlohmann::ordered_json::parse(SonicText("rack.config_db.json"));
  for (const bool ttl : {true, false}) {
    nlohmann::ordered_json dump, hashes;
    dump["CONFIG_DB_INITIALIZED"] = {{"type", "string"}, {"value", "1"}};
    for (const auto& [table, rows] : rack.items())
      for (const auto& [key, fields] : rows.items())
        dump[table + '|' + key] = {{"type", "hash"}, {"value", fields}};
    dump["_MIGRATIONS"] = {{"type", "set"}, {"value", {"a", "b"}}};
    if (ttl)
      for (auto& row : dump) row["ttl"] = -0.001;
    const Findings findings = ReadSonicConfig(dump.dump(), "x.json").findings;
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].what,
              "is in the format of redis-dump, which puts fields under \"value\", "
              "beside \"type\"");
    EXPECT_EQ(findings[0].allowed,
              "give the config_db.json, or the output of `jq 'with_entries(select(.value.type == \"hash\") | "
              ".value |= .value)'` for this file");
    // The output of that filter is the configuration.
    for (const auto& [key, row] : dump.items())
      if (row["type"] == "hash") hashes[key] = row["value"];
    EXPECT_EQ(FindingsText(ReadSonicConfig(hashes.dump(), "x.json").findings),
              FindingsText(ReadSonicConfig(rack.dump(), "x.json").findings));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Buffers, SonicFindingsTest,
    testing::Values(
        Case{"UnknownPool",
             {{std::string(kPg) + "/pool", "lossless"}},
             "error: x.json: BUFFER_PROFILE|pg_lossless_40000_5m_profile, field pool: there is no pool "
             "\"lossless\"; there are: egress_lossless_pool, egress_lossy_pool, ingress_lossless_pool\n"},
        Case{"UnknownProfile",
             {{"/BUFFER_PG/Ethernet0|0/profile", "lossy"}},
             "error: x.json: BUFFER_PG|Ethernet0|0, field profile: there is no profile \"lossy\"; there are: "
             "egress_lossless_profile, egress_lossy_profile, ingress_lossy_profile, "
             "pg_lossless_100000_40m_profile, "
             "pg_lossless_40000_5m_profile\n"},
        Case{"OneBracket",
             {{"/BUFFER_PG/Ethernet0|0/profile", "[BUFFER_PROFILE|ingress_lossy_profile"}},
             "error: x.json: BUFFER_PG|Ethernet0|0, field profile: "
             "\"[BUFFER_PROFILE|ingress_lossy_profile\" has an opening or closing bracket without the "
             "other; write the name, or the old form [BUFFER_PROFILE|name]\n"},
        Case{"ReferenceToAnotherTable",
             {{"/BUFFER_PG/Ethernet0|0/profile", "[BUFFER_POOL|ingress_lossless_pool]"}},
             "error: x.json: BUFFER_PG|Ethernet0|0, field profile: \"[BUFFER_POOL|ingress_lossless_pool]\" "
             "refers to another table; it must refer to BUFFER_PROFILE\n"},
        Case{"ReferenceToNothing",
             {{"/BUFFER_PG/Ethernet0|0/profile", "[BUFFER_PROFILE|]"}},
             "error: x.json: BUFFER_PG|Ethernet0|0, field profile: \"[BUFFER_PROFILE|]\" names nothing; it "
             "must name a row of BUFFER_PROFILE\n"},
        Case{"MissingProfile",
             {{"/BUFFER_PG/Ethernet0|0", Json::object()}},
             "error: x.json: BUFFER_PG|Ethernet0|0, field profile: is missing; there are: "
             "egress_lossless_profile, "
             "egress_lossy_profile, ingress_lossy_profile, pg_lossless_100000_40m_profile, "
             "pg_lossless_40000_5m_profile\n"},
        Case{"MissingOfAPool",
             {{"/BUFFER_POOL/egress_lossy_pool", {{"type", "egress"}}}},
             "error: x.json: BUFFER_POOL|egress_lossy_pool, field mode: is missing; dynamic or "
             "static\nerror: x.json: BUFFER_POOL|egress_lossy_pool, field size: is missing; give bytes; "
             "only the dynamic buffer model computes this field\n"},
        Case{"MissingOfAProfile",
             {{"/BUFFER_PROFILE/egress_lossy_profile", {{"pool", "egress_lossy_pool"}}}},
             "error: x.json: BUFFER_PROFILE|egress_lossy_profile, field size: is missing; give the bytes "
             "reserved; 0 for none\nerror: x.json: BUFFER_PROFILE|egress_lossy_profile: has no "
             "threshold; give dynamic_th or static_th, by its pool's mode\n"},
        Case{"TwoThresholds",
             {{std::string(kPg) + "/static_th", "1000"}},
             "error: x.json: BUFFER_PROFILE|pg_lossless_40000_5m_profile: has dynamic_th and static_th; keep "
             "the one "
             "that fits its pool's mode\n"},
        Case{"DynamicInAStaticPool",
             {{"/BUFFER_PROFILE/egress_lossless_profile",
               {{"pool", "egress_lossless_pool"}, {"size", "0"}, {"dynamic_th", "7"}}}},
             "warning: x.json: BUFFER_PROFILE|egress_lossless_profile, field dynamic_th: dynamic_th "
             "stands in the static pool \"egress_lossless_pool\"; the mode of the profile applies\n"},
        Case{"StaticInADynamicPool",
             {{"/BUFFER_PROFILE/ingress_lossy_profile",
               {{"pool", "ingress_lossless_pool"}, {"size", "0"}, {"static_th", "5000"}}}},
             "warning: x.json: BUFFER_PROFILE|ingress_lossy_profile, field static_th: static_th stands "
             "in the dynamic pool \"ingress_lossless_pool\"; the mode of the profile applies\n"},
        Case{"StaticBeyondThePool",
             {{"/BUFFER_PROFILE/ingress_lossy_profile",
               {{"pool", "ingress_lossless_pool"}, {"size", "0"}, {"static_th", "44302336"}}}},
             "note: x.json: BUFFER_PROFILE|ingress_lossy_profile, field static_th: 44302336 bytes are "
             "more than the 10000000 bytes of the pool, so this limit has no effect\n"},
        Case{"HeadroomAtEgress",
             {{"/BUFFER_POOL/egress_lossy_pool/xoff", "100"},
              {"/BUFFER_PROFILE/egress_lossy_profile/xoff", "5"}},
             "error: x.json: BUFFER_POOL|egress_lossy_pool, field xoff: is given, but an egress pool has no "
             "headroom; remove xoff\nerror: x.json: BUFFER_PROFILE|egress_lossy_profile, field xoff: is "
             "given in the egress pool \"egress_lossy_pool\"; give headroom to a profile of an ingress "
             "pool\n"},
        Case{"EgressProfileForAGroup",
             {{"/BUFFER_PG/Ethernet0|0/profile", "egress_lossy_profile"}},
             "error: x.json: BUFFER_PG|Ethernet0|0, field profile: profile \"egress_lossy_profile\" belongs "
             "to the egress pool \"egress_lossy_pool\"; name a profile of an ingress pool\n"},
        Case{"IngressProfileForAQueue",
             {{"/BUFFER_QUEUE/Ethernet0|0-2/profile", "ingress_lossy_profile"}},
             "error: x.json: BUFFER_QUEUE|Ethernet0|0-2, field profile: profile \"ingress_lossy_profile\" "
             "belongs to the ingress pool \"ingress_lossless_pool\"; name a profile of an egress pool\n"},
        Case{"TwoProfilesOfOnePool",
             {{"/BUFFER_PORT_INGRESS_PROFILE_LIST/Ethernet0/profile_list",
               "ingress_lossy_profile,pg_lossless_40000_5m_profile"}},
             "error: x.json: BUFFER_PORT_INGRESS_PROFILE_LIST|Ethernet0, field profile_list: two "
             "profiles belong to pool \"ingress_lossless_pool\"; give one profile for each pool\n"},
        Case{"NullWithoutTheDynamicModel",
             {{"/BUFFER_PG/Ethernet0|3-4/profile", "NULL"}},
             "error: x.json: BUFFER_PG|Ethernet0|3-4, field profile: \"NULL\" leaves the profile to the "
             "dynamic "
             "buffer model; name a profile, or set buffer_model of DEVICE_METADATA|localhost to dynamic\n"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Qos, SonicFindingsTest,
    testing::Values(
        Case{"UnknownScheduler",
             {{"/QUEUE/Ethernet0|3/scheduler", "scheduler.9"}},
             "error: x.json: QUEUE|Ethernet0|3, field scheduler: there is no scheduler \"scheduler.9\"; "
             "there are: "
             "scheduler.0, scheduler.1\n"},
        Case{
            "UnknownMap",
            {{"/PORT_QOS_MAP/Ethernet0/tc_to_pg_map", "BLUE"}},
            "error: x.json: PORT_QOS_MAP|Ethernet0, field tc_to_pg_map: there is no map \"BLUE\"; there are: "
            "AZURE\n"},
        Case{"NoMaps",
             {{"/PORT_QOS_MAP/Ethernet0/dot1p_to_tc_map", "AZURE"}},
             "error: x.json: PORT_QOS_MAP|Ethernet0, field dot1p_to_tc_map: there is no map \"AZURE\"; the "
             "table is "
             "empty or missing\n"},
        Case{"MinimumAboveMaximum",
             {{"/WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold", "3000000"}},
             "error: x.json: WRED_PROFILE|AZURE_LOSSLESS, field green_min_threshold: 3000000 bytes are "
             "above the maximum, 2097152 bytes; give a minimum up to the maximum; SONiC refuses others\n"},
        Case{"ThresholdBeyondSonic",
             {{"/WRED_PROFILE/AZURE_LOSSLESS/green_max_threshold", "2147483648"}},
             "error: x.json: WRED_PROFILE|AZURE_LOSSLESS, field green_max_threshold: \"2147483648\" is out "
             "of range; allowed: 0 to 2147483647\nerror: x.json: "
             "WRED_PROFILE|AZURE_LOSSLESS, field green_max_threshold: is missing, although "
             "\"AZURE_LOSSLESS\" enables this colour; give the threshold in bytes\n"},
        Case{"GreenIsOff",
             {{"/WRED_PROFILE/AZURE_LOSSLESS/wred_green_enable", "false"}},
             "warning: x.json: WRED_PROFILE|AZURE_LOSSLESS, field ecn: names green, but "
             "wred_green_enable is off, so no packet is marked\n"},
        Case{"QueueWithoutWred",
             {{"/QUEUE/Ethernet4|3/wred_profile", nullptr}},
             "warning: x.json: QUEUE|Ethernet4|3, field wred_profile: is missing, so this lossless queue "
             "marks no packet; other ports have AZURE_LOSSLESS\n"},
        Case{"NoProbability",
             {{"/WRED_PROFILE/AZURE_LOSSLESS/green_drop_probability", nullptr}},
             "note: x.json: WRED_PROFILE|AZURE_LOSSLESS, field green_drop_probability: is missing, so "
             "SONiC uses 100 %\n"},
        Case{"WatchdogFasterThanItsPolls",
             {{"/PFC_WD/GLOBAL/POLL_INTERVAL", "400"}},
             "error: x.json: PFC_WD|Ethernet0, field detection_time: 200 ms are less than the poll "
             "interval of 400 ms (and 3 more such rows); lower POLL_INTERVAL of PFC_WD|GLOBAL, or raise "
             "this time\n"},
        Case{"WatchdogOutOfRange",
             {{"/PFC_WD/Ethernet0/restoration_time", "60001"}},
             "error: x.json: PFC_WD|Ethernet0, field restoration_time: \"60001\" is out of range; "
             "allowed: 100 to 60000\nnote: x.json: PFC_WD|Ethernet0, field restoration_time: is missing, "
             "so a stormed queue is never restored\n"},
        Case{"WatchdogWithoutDetection",
             {{"/PFC_WD/Ethernet0/detection_time", nullptr}},
             "error: x.json: PFC_WD|Ethernet0, field detection_time: is missing, but a watchdog needs "
             "its detection time; give 100 to 5000 ms\n"}),
    NameOf);

// A key occurs twice in one object: neither order nor line tells which was meant.
TEST(SonicFindings, KeysThatStandTwice) {
  const std::string text =
      R"({"BUFFER_POOL": {"p": {"type": "ingress", "mode": "dynamic", "size": "1", "size": "2"},
                                               "p": {"type": "both", "mode": "dynamic", "size": "3"}},
                               "VLAN": {}, "VLAN": {}, "BUFFER_PROFILE|q": {"pool": "p", "size": "0", "size": "0",
                               "dynamic_th": "0"}})";
  const SonicFile file = ReadSonicConfig(text, "x.json");
  const std::string twice = "appears twice in the file; SONiC uses the last\n";
  EXPECT_EQ(FindingsText(file.findings), "warning: x.json: BUFFER_POOL|p, field size: " + twice +
                                             "warning: x.json: BUFFER_POOL|p: " + twice +
                                             "warning: x.json: VLAN: " + twice +
                                             "warning: x.json: BUFFER_PROFILE|q, field size: " + twice);
  EXPECT_EQ(*file.config.FindPool("p")->size, Bytes(3));
}

}  // namespace
}  // namespace headroom::sonic_findings_test
