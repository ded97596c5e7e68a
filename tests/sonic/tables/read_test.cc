// A SONiC configuration in each of its layouts, with the peculiarities of real files.
#include "sonic/tables/read.h"

#include <gtest/gtest.h>

#include "sonic/chip/sonic_switch.h"
#include "support/sonic.h"

namespace headroom::sonic_read_test {
namespace {

const std::vector<ChipPort> kFour = {{"Ethernet0", GigabitsPerSecond(40), Nanoseconds(25)},
                                     {"Ethernet4", GigabitsPerSecond(40), Nanoseconds(25)},
                                     {"Ethernet8", GigabitsPerSecond(100), Nanoseconds(200)},
                                     {"Ethernet12", GigabitsPerSecond(100), Nanoseconds(200)}};

void ExpectSameSwitch(const SonicConfig& a, const SonicConfig& b) {
  const SonicSwitchModel x = SonicSwitch(a, kFour, {}), y = SonicSwitch(b, kFour, {});
  EXPECT_EQ(x.buffer.pools, y.buffer.pools);
  EXPECT_EQ(x.buffer.profiles, y.buffer.profiles);
  EXPECT_EQ(x.buffer.chip_ports, y.buffer.chip_ports);
  EXPECT_EQ(x.qos, y.qos);
  EXPECT_EQ(x.watchdogs, y.watchdogs);
  for (const SonicPort& port : a.ports) {
    for (int n = 0; n < 8; ++n) {
      const SonicGroupRow *group = a.FindGroup(port.name, n), *other = b.FindGroup(port.name, n);
      ASSERT_EQ(group == nullptr, other == nullptr) << port.name << ' ' << n;
      if (group) {
        EXPECT_EQ(group->profile.value, other->profile.value);
      }
      const SonicBufferQueueRow *q = a.FindBufferQueue(port.name, n), *r = b.FindBufferQueue(port.name, n);
      ASSERT_EQ(q == nullptr, r == nullptr);
      if (q) {
        EXPECT_EQ(q->profile.value, r->profile.value);
      }
    }
  }
}

TEST(SonicRead, TheNestedLayout) {
  const SonicFile file = ReadSonicConfig(SonicText("rack.config_db.json"), "rack");
  EXPECT_EQ(FindingsText(file.findings), "");
  const SonicConfig& c = file.config;
  EXPECT_EQ(c.layout, SonicConfig::Layout::nested);
  EXPECT_EQ(*c.device.hwsku, "Force10-S6100");
  ASSERT_EQ(c.ports.size(), 5u);
  EXPECT_EQ(c.ports[3].name, "Ethernet12");  // after Ethernet8: sorted by number
  EXPECT_EQ(*c.ports[3].speed, GigabitsPerSecond(100));
  EXPECT_EQ(c.ports[3].cable_m, 40);
  EXPECT_FALSE(c.ports[4].up());
  const SonicProfile& lossless = *c.FindProfile("pg_lossless_100000_40m_profile");
  EXPECT_EQ(*lossless.xoff, Bytes(180'000));
  EXPECT_EQ(lossless.xoff.place, (SonicPlace{"BUFFER_PROFILE", "pg_lossless_100000_40m_profile", "xoff"}));
  EXPECT_EQ(ToString(lossless.xoff.place), "BUFFER_PROFILE|pg_lossless_100000_40m_profile, field xoff");
  EXPECT_FALSE(lossless.static_th);
  EXPECT_EQ(c.PfcEnable("Ethernet0"), 0b11000);
  EXPECT_EQ(c.PfcEnable("Ethernet16"), 0);
  EXPECT_EQ(*c.FindGroup("Ethernet8", 4)->profile, "pg_lossless_100000_40m_profile");
  EXPECT_FALSE(c.FindGroup("Ethernet8", 5));
  EXPECT_EQ(*c.FindQueue("Ethernet8", 3)->wred_profile, "AZURE_LOSSLESS");
  EXPECT_EQ(*c.wred.at("AZURE_LOSSLESS").green.min_threshold, Bytes(250'000));
  EXPECT_EQ(*c.FindWatchdog("Ethernet8")->restoration_time, Milliseconds(400));
  EXPECT_EQ(*c.watchdog_global.poll_interval, Milliseconds(200));
}

TEST(SonicRead, TheFlatLayoutIsTheSameSwitch) {
  const SonicFile flat = ReadSonicConfig(SonicText("rack_flat.json"), "flat");
  EXPECT_EQ(FindingsText(flat.findings), "");
  EXPECT_EQ(flat.config.layout, SonicConfig::Layout::flat);
  ExpectSameSwitch(ReadSonic("rack.config_db.json"), flat.config);
  const SonicFile again = ReadSonicConfig(WriteSonicConfig(flat.config), "flat");
  EXPECT_EQ(again.config.json, flat.config.json);
}

// [TABLE|key] is used everywhere, with rows of several ports, and blanks after a number.
TEST(SonicRead, OldReferencesAndListsOfPortsAreTheSameSwitch) {
  const SonicFile old = ReadSonicConfig(SonicText("rack_old.json"), "old");
  EXPECT_EQ(
      FindingsText(old.findings),
      "note: old: BUFFER_POOL|ingress_lossless_pool, field xoff: has blanks around its value, which are "
      "ignored\n");
  ExpectSameSwitch(ReadSonic("rack.config_db.json"), old.config);
  EXPECT_EQ(old.config.FindGroup("Ethernet12", 3)->place.key, "Ethernet8,Ethernet12|3-4");
  EXPECT_EQ(old.config.json, ReadSonicConfig(WriteSonicConfig(old.config), "old").config.json);
}

TEST(SonicRead, OldListsOfReferences) {
  const char* const kSame[] = {"ingress_lossy_profile,other_profile",
                               "[BUFFER_PROFILE|ingress_lossy_profile],[BUFFER_PROFILE|other_profile]",
                               "[BUFFER_PROFILE|ingress_lossy_profile,BUFFER_PROFILE|other_profile]",
                               " ingress_lossy_profile , other_profile"};
  for (const char* list : kSame) {
    const SonicFile file = EditedRack(
        {{"/BUFFER_POOL/other", {{"type", "ingress"}, {"mode", "dynamic"}, {"size", "1"}}},
         {"/BUFFER_PROFILE/other_profile", {{"pool", "other"}, {"size", "0"}, {"dynamic_th", "0"}}},
         {"/BUFFER_PORT_INGRESS_PROFILE_LIST/Ethernet0,Ethernet4/profile_list", list}});
    ASSERT_EQ(file.config.ingress_lists.size(), 1u);
    const SonicProfileList& row = file.config.ingress_lists[0];
    EXPECT_EQ(*row.profiles, (std::vector<std::string>{"ingress_lossy_profile", "other_profile"})) << list;
    EXPECT_EQ(row.ports, (std::vector<std::string>{"Ethernet0", "Ethernet4"}));
  }
}

TEST(SonicRead, SystemPortsOfAChassis) {
  const SonicFile file = ReadSonicConfig(SonicText("linecard.json"), "linecard");
  EXPECT_EQ(FindingsText(file.findings), "");
  const SonicConfig& c = file.config;
  // There are 3 rows for each of 2 ports of 2 line cards, of which this one has its own.
  EXPECT_EQ(c.buffer_queues.size(), 12u);
  EXPECT_EQ(c.FindBufferQueue("Ethernet4", 3)->host, "lc1");
  EXPECT_EQ(c.FindBufferQueue("Ethernet4", 3)->place.key, "lc1|Asic0|Ethernet4|3-4");
  EXPECT_FALSE(c.FindPort("Ethernet-Rec0")->external());
  EXPECT_EQ(*c.FindPool("deep_pool")->type, BufferPool::Type::both);
}

TEST(SonicRead, UnknownTablesAndFieldsSurvive) {
  const SonicFile file = EditedRack({{"/VLAN/Vlan7", {{"vlanid", "7"}, {"list", {"a", "b"}}}},
                                     {"/BUFFER_PROFILE/egress_lossy_profile/mode", "dynamic"},
                                     {"/QUEUE_GROUP/x", {{"y", "z"}}},
                                     {"/TUNNEL/Mux", {{"decap_tc_to_pg_map", "AZURE"}}}});
  EXPECT_EQ(FindingsText(file.findings),
            "note: x.json: BUFFER_PROFILE|egress_lossy_profile, field mode: Headroom does not use this "
            "field, but keeps it\nnote: x.json: QUEUE_GROUP: Headroom does not use this table, but keeps "
            "it\nnote: x.json: TUNNEL: Headroom does not use this table, but keeps it\n");
  const auto again = ReadSonicConfig(WriteSonicConfig(file.config), "x.json");
  EXPECT_EQ(again.config.json, file.config.json);
  EXPECT_EQ(again.config.json["VLAN"]["Vlan7"]["list"][1], "b");
  EXPECT_EQ(again.config.json["QUEUE_GROUP"]["x"]["y"], "z");
}

// Other programs' files are written back byte for byte if they have SONiC's own form.
TEST(SonicRead, SonicsFormIsWrittenAsItWas) {
  const std::string text = nlohmann::ordered_json::parse(SonicText("rack.config_db.json")).dump(4) + '\n';
  EXPECT_EQ(WriteSonicConfig(ReadSonicConfig(text, "x").config), text);
}

}  // namespace
}  // namespace headroom::sonic_read_test
