// SONiC's changes to a configuration at run time: lossless groups by a lookup table, and the dynamic model.
#include "sonic/tables/expand.h"

#include <gtest/gtest.h>

#include "sonic/chip/dynamic_headroom.h"
#include "sonic/chip/dynamic_model.h"
#include "sonic/tables/check_pfc.h"
#include "support/sonic.h"

namespace headroom::sonic_expand_test {
namespace {

using Json = nlohmann::json;

PgProfileLookup Lookup() {
  return ReadPgProfileLookup(SonicText("pg_profile_lookup.ini"), "pg_profile_lookup.ini");
}

SonicFile Expanded(const std::vector<SonicEdit>& edits) {
  const PgProfileLookup lookup = Lookup();
  return ReadSonicConfig(EditedSonicText("rack.init.json", edits), "x.json", &lookup);
}

TEST(SonicExpand, MakesTheRunningSwitch) {
  const SonicFile file = Expanded({});
  EXPECT_EQ(FindingsText(file.findings), "");
  const Json expected = Json::parse(SonicText("rack.config_db.json"));
  EXPECT_EQ(Json(file.config.json["BUFFER_PROFILE"]), expected["BUFFER_PROFILE"]);
  EXPECT_EQ(Json(file.config.json["BUFFER_PG"]), expected["BUFFER_PG"]);
}

TEST(SonicExpand, NamesTheRowWhoseHeadroomHasNoPlace) {
  const PgProfileLookup lookup = ReadPgProfileLookup("40000 5m 1248 2288 99000000 0\n", "pg.ini");
  const SonicFile file = ReadSonicConfig(SonicText("rack.init.json"), "x.json", &lookup);
  ASSERT_FALSE(file.findings.empty());
  EXPECT_EQ(file.findings[0].severity, Finding::Severity::error);
  EXPECT_TRUE(
      file.findings[0].what.starts_with("99000000 bytes, as line 1 of pg.ini has it, are more than the "))
      << file.findings[0].what;
}

TEST(SonicExpand, AGroupForEachRunOfPriorities) {
  const SonicFile file = Expanded({{"/PORT_QOS_MAP/Ethernet0/pfc_enable", "2,3,4,6"}});
  EXPECT_TRUE(file.config.json["BUFFER_PG"].contains("Ethernet0|2-4"));
  EXPECT_TRUE(file.config.json["BUFFER_PG"].contains("Ethernet0|6"));
  EXPECT_EQ(file.config.json["BUFFER_PG"].size(), 9u);  // 4 lossy groups, 2 here, 1 at each of the others
}

TEST(SonicExpand, ByTheModeOfThePool) {
  const SonicFile file = Expanded({{"/BUFFER_POOL/ingress_lossless_pool/mode", "static"}});
  EXPECT_EQ(file.config.json["BUFFER_PROFILE"]["pg_lossless_40000_5m_profile"]["static_th"], "0");
}

TEST(SonicExpand, LeavesOut) {
  // A cable of 0 m, which means on Mellanox that the port is down.
  const std::vector<SonicEdit> edits = {{"/CABLE_LENGTH/AZURE/Ethernet0", "0m"},
                                        {"/PORT/Ethernet4/admin_status", "down"}};
  EXPECT_FALSE(Expanded(edits).config.FindGroup("Ethernet0", 3));
  EXPECT_TRUE(Expanded(edits).config.FindGroup("Ethernet4", 3));
  std::vector<SonicEdit> mellanox = edits;
  mellanox.push_back({"/DEVICE_METADATA/localhost/platform", "x86_64-mlnx_msn2700-r0"});
  EXPECT_FALSE(Expanded(mellanox).config.FindGroup("Ethernet4", 3));
}

TEST(SonicExpand, KeepsAProfileThatIsThere) {
  const SonicFile file =
      Expanded({{"/BUFFER_PROFILE/pg_lossless_40000_5m_profile",
                 {{"pool", "ingress_lossless_pool"}, {"size", "9"}, {"xoff", "9"}, {"dynamic_th", "1"}}}});
  EXPECT_EQ(*file.config.FindProfile("pg_lossless_40000_5m_profile")->xoff, Bytes(9));
}

TEST(SonicExpand, InTheFlatLayoutToo) {
  const PgProfileLookup lookup = Lookup();
  nlohmann::ordered_json flat;
  const auto nested = nlohmann::ordered_json::parse(SonicText("rack.init.json"));
  for (const auto& [table, rows] : nested.items())
    for (const auto& [key, fields] : rows.items()) flat[table + '|' + key] = fields;
  const SonicFile file = ReadSonicConfig(flat.dump(), "flat", &lookup);
  EXPECT_EQ(file.config.json["BUFFER_PG|Ethernet8|3-4"]["profile"], "pg_lossless_100000_40m_profile");
  EXPECT_EQ(*file.config.FindProfile("pg_lossless_100000_40m_profile")->xoff, Bytes(180'000));
}

TEST(SonicExpand, Errors) {
  const SonicFile renamed =
      Expanded({{"/BUFFER_POOL/ingress_pool", {{"type", "ingress"}, {"mode", "dynamic"}, {"size", "1"}}},
                {"/BUFFER_POOL/ingress_lossless_pool", nullptr},
                {"/BUFFER_PROFILE/ingress_lossy_profile/pool", "ingress_pool"}});
  EXPECT_EQ(FindingsText(renamed.findings),
            "error: x.json: BUFFER_POOL|ingress_lossless_pool: is missing, but SONiC takes lossless "
            "groups from it; give the ingress pool this name, or give BUFFER_PG rows instead of a lookup "
            "table\n");
  const PgProfileLookup lookup = Lookup();
  EXPECT_EQ(FindingsText(ReadSonicConfig(SonicText("rack_dynamic.json"), "x.json", &lookup).findings),
            "error: x.json: DEVICE_METADATA|localhost, field buffer_model: the dynamic buffer model computes "
            "headroom; pg_profile_lookup.ini belongs to the traditional model; leave the lookup table out, "
            "or set buffer_model to traditional\n");
}

TEST(SonicPfc, WithoutHeadroom) {
  const auto of = [](const std::vector<SonicEdit>& edits) {
    return FindingsText(CheckPfcGroups(Expanded(edits).config));
  };
  EXPECT_EQ(of({}), "");
  EXPECT_EQ(
      of({{"/CABLE_LENGTH/AZURE/Ethernet0", "300m"}, {"/CABLE_LENGTH/AZURE/Ethernet4", "300m"}}),
      "error: x.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: PFC is enabled for priority 3, 4, but "
      "the priority has no lossless group: pg_profile_lookup.ini has no row for 40000 Mb/s and 300m: for "
      "this speed it has 5m (and 1 more such row); add the row to the lookup table, or change speed and "
      "cable length to values that it has\n");
  EXPECT_EQ(of({{"/CABLE_LENGTH/AZURE/Ethernet0", nullptr}}),
            "error: x.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: PFC is enabled for priority 3, 4, but "
            "the priority has no lossless group: the port has no cable length; give a cable length in "
            "CABLE_LENGTH|AZURE\n");
  EXPECT_EQ(of({{"/CABLE_LENGTH/AZURE/Ethernet0", "0m"}}),
            "error: x.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: PFC is enabled for priority 3, 4, but "
            "the priority has no lossless group: SONiC creates no lossless group for a cable of 0m; give the "
            "cable's length in CABLE_LENGTH|AZURE, or add a BUFFER_PG row with a profile that has xoff\n");
  EXPECT_EQ(of({{"/PORT/Ethernet0/speed", "50000"}}),
            "error: x.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: PFC is enabled for priority 3, 4, but "
            "the priority has no lossless group: pg_profile_lookup.ini has no row for 50000 Mb/s and 5m, and "
            "no row for this speed; add the row to the lookup table, or change speed and cable length to "
            "values that it has\n");
  EXPECT_EQ(FindingsText(CheckPfcGroups(ReadSonic("rack.init.json"))),
            "error: rack.init.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: PFC is enabled for "
            "priority 3, 4, but the priority has no lossless group: BUFFER_PG has none (and 3 more such "
            "rows); add a row with a profile that has xoff; or, because a fresh switch creates rows from "
            "its pg_profile_lookup.ini, give that file as lookup\n");
  EXPECT_EQ(FindingsText(CheckPfcGroups(EditedRack({{"/PORT_QOS_MAP/Ethernet0/pfc_enable", "3"}}).config)),
            "warning: x.json: BUFFER_PG|Ethernet0|3-4: group 4 has headroom, but PFC is off for all "
            "priorities in it, so it never pauses\n");
  // With another map, priority 3 pauses group 5.
  EXPECT_TRUE(
      FindingsText(CheckPfcGroups(EditedRack({{"/PFC_PRIORITY_TO_PRIORITY_GROUP_MAP/M", {{"3", "5"}}},
                                              {"/PORT_QOS_MAP/Ethernet0/pfc_to_pg_map", "M"}})
                                      .config))
          .starts_with(
              "error: x.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: PFC is enabled for priority 3, "
              "but the priority has no lossless group"));
}

TEST(SonicDynamicModel, ComputesProfilesAndPools) {
  SonicConfig c = ReadSonic("rack_dynamic.json");
  EXPECT_TRUE(c.FindGroup("Ethernet8", 3)->computed);
  EXPECT_EQ(FindingsText(ComputeDynamicModel(c)), "");
  const SonicProfile* p = c.FindProfile("pg_lossless_100000_40m_profile");
  ASSERT_TRUE(p);
  EXPECT_EQ(*c.FindGroup("Ethernet8", 3)->profile, p->name);
  DynamicHeadroomInput in;
  in.asic = *FindSpectrum(1);
  in.speed = GigabitsPerSecond(100);
  in.cable_m = 40;
  in.small_packet_percent = 100;
  in.lanes = 1;
  const DynamicHeadroom expected = ComputeDynamicHeadroom(in);
  EXPECT_EQ(*p->xoff, expected.xoff);
  EXPECT_EQ(*p->xon, expected.xon);
  EXPECT_EQ(*p->size, expected.size);
  EXPECT_EQ(*p->dynamic_th, 0);
  // Reserved are 2 groups at 2 ports at 40 Gb/s and at 2 at 100 Gb/s, and 5 queues of 9216 at each of 4
  // ports. Also a lossy and a management group (19 KiB each) and a mirrored frame (10 KiB) at each are
  // reserved, and 256 KiB of management.
  const int64_t at_40 = c.FindProfile("pg_lossless_40000_5m_profile")->size->v;
  const int64_t pool =
      13'945'824 - 4 * at_40 - 4 * p->size->v - 20 * 9'216 - 4 * (2 * 19'456 + 10'240) - 262'144;
  EXPECT_EQ(*c.FindPool("ingress_lossless_pool")->size, Bytes(pool));
  EXPECT_EQ(*c.FindPool("egress_lossy_pool")->size, Bytes(pool));
  EXPECT_FALSE(c.FindPool("ingress_lossless_pool")->xoff);
  EXPECT_EQ(c.json, ReadSonic("rack_dynamic.json").json);
}

SonicConfig Dynamic(const std::vector<SonicEdit>& edits) {
  return ReadSonicConfig(EditedSonicText("rack_dynamic.json", edits), "x.json").config;
}

TEST(SonicDynamicModel, SharesHeadroom) {
  SonicConfig c = Dynamic({{"/DEFAULT_LOSSLESS_BUFFER_PARAMETER/AZURE/over_subscribe_ratio", "2"}});
  EXPECT_EQ(FindingsText(ComputeDynamicModel(c)), "");
  const SonicProfile& near = *c.FindProfile("pg_lossless_40000_5m_profile");
  const SonicProfile& far = *c.FindProfile("pg_lossless_100000_40m_profile");
  EXPECT_EQ(*far.size, *far.xon);  // headroom is not a part of it
  // Half of Σ xoff = 4 · near + 4 · far, less 10 KiB of private headroom at each of 4 ports.
  const int64_t shared = (4 * near.xoff->v + 4 * far.xoff->v - 4 * 10'240) / 2;
  EXPECT_EQ(*c.FindPool("ingress_lossless_pool")->xoff, Bytes(shared));
}

TEST(SonicDynamicModel, NamesSayWhatIsUnusual) {
  SonicConfig c =
      Dynamic({{"/PORT/Ethernet0/mtu", "1500"},
               {"/PORT/Ethernet4/lanes", "1,2,3,4,5,6,7,8"},
               {"/BUFFER_PROFILE/mine",
                {{"headroom_type", "dynamic"}, {"dynamic_th", "-2"}, {"pool", "ingress_lossless_pool"}}},
               {"/BUFFER_PG/Ethernet8|3-4/profile", "mine"},
               {"/PORT/Ethernet12/admin_status", "down"}});
  EXPECT_EQ(FindingsText(ComputeDynamicModel(c)), "");
  EXPECT_EQ(*c.FindGroup("Ethernet0", 3)->profile, "pg_lossless_40000_5m_mtu1500_profile");
  EXPECT_EQ(*c.FindGroup("Ethernet4", 3)->profile, "pg_lossless_40000_5m_8lane_profile");
  EXPECT_EQ(*c.FindGroup("Ethernet8", 3)->profile, "pg_lossless_100000_40m_th-2_profile");
  EXPECT_FALSE(c.FindGroup("Ethernet12", 3));
  EXPECT_FALSE(c.FindBufferQueue("Ethernet12", 3));
  EXPECT_FALSE(c.FindProfile("mine"));
}

TEST(SonicDynamicModel, Errors) {
  const auto of = [](const std::vector<SonicEdit>& edits) {
    SonicConfig c = Dynamic(edits);
    return FindingsText(ComputeDynamicModel(c));
  };
  EXPECT_EQ(of({{"/DEVICE_METADATA/localhost/platform", "x86_64-dell_s6100_c2538-r0"}}),
            "error: x.json: DEVICE_METADATA|localhost, field buffer_model: the dynamic buffer model is "
            "known only for Spectrum switches; use a Spectrum platform, or set buffer_model to "
            "traditional and give the profiles\n");
  EXPECT_EQ(of({{"/DEVICE_METADATA/localhost/platform", "x86_64-nvidia_sn6600-r0"}}),
            "error: x.json: DEVICE_METADATA|localhost, field platform: the buffer of Spectrum-6 is not "
            "supported yet; in place of the file, describe the buffer in the scenario: buffer: {size: …, "
            "cell: …, tables: …}\n");
  EXPECT_EQ(of({{"/BUFFER_POOL/egress_lossless_pool/size", nullptr}}),
            "error: x.json: BUFFER_POOL|egress_lossless_pool, field size: is missing, but the dynamic "
            "buffer model computes pools from the whole memory; give the pool its size\n");
  EXPECT_EQ(of({{"/DEFAULT_LOSSLESS_BUFFER_PARAMETER", nullptr}}),
            "error: x.json: DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE, field default_dynamic_th: is "
            "missing, but computed profiles take their threshold from it; give a value such as \"0\"\n");
  EXPECT_EQ(of({{"/CABLE_LENGTH/AZURE/Ethernet0", "0m"}}),
            "warning: x.json: BUFFER_PG|Ethernet0|3-4, field profile: the port has no speed or no cable "
            "length, so its groups get no headroom\n");
  EXPECT_TRUE(of({{"/BUFFER_POOL/egress_lossless_pool/size", "500000"}})
                  .ends_with("smaller than its reserves; give fewer lossless groups, shorter cables, or "
                             "over_subscribe_ratio for a shared headroom pool\n"));
}

}  // namespace
}  // namespace headroom::sonic_expand_test
