// The values that a scenario's switch gets from a configuration.
#include "sonic/chip/sonic_switch.h"

#include <gtest/gtest.h>

#include "support/sonic.h"
#include "switch/buffer/profiles.h"

namespace headroom::sonic_switch_test {
namespace {

const ChipPort k40 = {"", GigabitsPerSecond(40), Nanoseconds(25)};     // 5 m
const ChipPort k100 = {"", GigabitsPerSecond(100), Nanoseconds(200)};  // 40 m

ChipPort Named(const std::string& name, ChipPort port) {
  port.name = name;
  return port;
}

/// Two hosts and two uplinks, with a topology's port names.
std::vector<ChipPort> Links() {
  return {Named("p0", k40), Named("p1", k40), Named("p2", k100), Named("p3", k100)};
}

TrafficClasses Classes() {
  TrafficClasses classes;
  classes[1] = {"bulk", 1, 0, false, 1, false};
  classes[3] = {"storage", 3, 3, true, 1, false};
  classes[6] = {"cnp", 6, 48, false, 1, false};
  return classes;
}

SonicSwitchModel Of(const std::vector<SonicEdit>& edits, const SonicSwitchOptions& options = {}) {
  return SonicSwitch(EditedRack(edits).config, Links(), Classes(), options);
}

const BufferProfile& GroupProfile(const BufferParameters& b, const std::string& port, int group) {
  return *FindProfile(b, GroupProfileName(b, port, group, false));
}

TEST(SonicSwitch, PortsInOrderAreThoseThatAreUp) {
  const SonicSwitchModel m =
      Of({{"/PORT/Ethernet4/admin_status", "down"}, {"/PORT/Ethernet16/admin_status", "up"}});
  EXPECT_FALSE(m.by_name);
  EXPECT_EQ(m.file_ports, (std::vector<std::string>{"Ethernet0", "Ethernet8", "Ethernet12", "Ethernet16"}));
}

TEST(SonicSwitch, PortsByName) {
  const std::vector<ChipPort> ports = {Named("Ethernet8", k100), Named("Ethernet0", k40)};
  const SonicSwitchModel m = SonicSwitch(ReadSonic("rack.config_db.json"), ports, Classes());
  EXPECT_TRUE(m.by_name);
  EXPECT_EQ(m.file_ports, (std::vector<std::string>{"Ethernet8", "Ethernet0"}));
  EXPECT_EQ(FindingsText(m.findings),
            "note: rack.config_db.json: PORT: ports are matched by name: the scenario uses the names in "
            "the file\n");
  EXPECT_EQ(GroupProfile(m.buffer, "Ethernet8", 3).xoff, Bytes(180'000));
  EXPECT_EQ(GroupProfile(m.buffer, "Ethernet0", 3).xoff, Bytes(70'000));
  // The names would match, but the order is requested: the other port of that name gets another one.
  SonicSwitchOptions order;
  order.naming = SonicPortNaming::order;
  const SonicSwitchModel n = SonicSwitch(ReadSonic("rack.config_db.json"), ports, Classes(), order);
  EXPECT_EQ(n.file_ports, (std::vector<std::string>{"Ethernet0", "Ethernet4"}));
  EXPECT_EQ(n.buffer.chip_ports[0].name, "Ethernet8");
  EXPECT_EQ(n.buffer.chip_ports[1].name, "Ethernet0");
  EXPECT_EQ(n.buffer.chip_ports[2].name, "unlinked Ethernet8");
}

// Pools may have more bytes than the memory. check reports it, and a frame that does not fit is lost.
TEST(SonicSwitch, TheMemoryIsTheAsicsWhateverPoolsGiveOut) {
  const BufferParameters b = Of({{"/BUFFER_POOL/ingress_lossless_pool/size", "20000000"}}).buffer;
  EXPECT_EQ(b.size, Bytes(16'777'216));
  EXPECT_TRUE(b.source.ends_with("; memory: data sheet, 16 MB")) << b.source;
}

TEST(SonicSwitch, TheBuffer) {
  const BufferParameters b = Of({}).buffer;
  EXPECT_EQ(b.cell, Bytes(208));
  EXPECT_EQ(b.slices, 4);
  // The egress pools overlap, and the ingress pool with its headroom has 14 MB: the memory of 16 MiB holds
  // all.
  EXPECT_EQ(b.size, Bytes(16'777'216));
  ASSERT_EQ(b.pools.size(), 3u);
  EXPECT_EQ(b.pools[2].name, "ingress_lossless_pool");
  EXPECT_EQ(b.pools[2].xoff, Bytes(4'000'000));
  // All ports of the file, with their names in the scenario.
  ASSERT_EQ(b.chip_ports.size(), 5u);
  EXPECT_EQ(b.chip_ports[3].name, "p3");
  EXPECT_EQ(b.chip_ports[3].speed, GigabitsPerSecond(100));
  EXPECT_EQ(b.chip_ports[3].delay, Nanoseconds(200));
  EXPECT_EQ(b.chip_ports[4].name, "Ethernet16");
  EXPECT_EQ(GroupProfile(b, "p0", 4).xoff, Bytes(70'000));
  EXPECT_EQ(GroupProfile(b, "p3", 4).xoff, Bytes(180'000));
  EXPECT_EQ(GroupProfileName(b, "p3", 5, false), "");
  EXPECT_EQ(GroupProfileName(b, "Ethernet16", 3, false), "");
  EXPECT_EQ(QueueProfileName(b, "p0", 6, false), "egress_lossy_profile");
  EXPECT_EQ(QueueProfileName(b, "p0", 3, false), "egress_lossless_profile");
}

TEST(SonicSwitch, OneAssignmentForAllPortsWhereTheyAreAlike) {
  const SonicFile file =
      EditedRack({{"/PORT/Ethernet16", nullptr}, {"/CABLE_LENGTH/AZURE/Ethernet16", nullptr}});
  const BufferParameters b = SonicSwitch(file.config, Links(), Classes()).buffer;
  ASSERT_EQ(b.queues.size(), 3u);  // 3-4, 0-2, 5-6
  EXPECT_EQ(b.queues[0].ports, "*");
  EXPECT_EQ(b.groups.size(), 8u);  // two rows at each of four ports
}

TEST(SonicSwitch, PortLists) {
  const std::vector<SonicEdit> zero = {
      {"/BUFFER_POOL/zero", {{"type", "ingress"}, {"mode", "static"}, {"size", "0"}}},
      {"/BUFFER_PROFILE/zero_profile", {{"pool", "zero"}, {"size", "0"}, {"static_th", "0"}}},
      {"/BUFFER_PORT_INGRESS_PROFILE_LIST/Ethernet16/profile_list", "zero_profile"}};
  const BufferParameters b = Of(zero).buffer;
  ASSERT_EQ(b.port_ingress.size(), 1u);
  EXPECT_EQ(b.port_ingress[0].ports, "Ethernet16");
  EXPECT_EQ(b.port_ingress[0].profiles, (std::vector<std::string>{"zero_profile"}));
  // A static limit of 0 means no limit, except in a pool that must admit nothing.
  EXPECT_EQ(FindProfile(b, "zero_profile")->static_th, std::nullopt);
  EXPECT_EQ(FindProfile(b, "zero_profile")->dynamic_th, -8);
}

TEST(SonicSwitch, MapsOfAPort) {
  const PortQos q = Of({}).qos.at(2);
  EXPECT_EQ(q.dscp_to_tc[3], 3);
  EXPECT_EQ(q.dscp_to_tc[48], 6);
  EXPECT_EQ(q.dscp_to_tc[63], 1);
  EXPECT_EQ(q.tc_to_group, (std::array<uint8_t, 8>{0, 0, 0, 3, 4, 0, 0, 7}));
  EXPECT_EQ(q.tc_to_queue, (std::array<uint8_t, 8>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(q.pfc_enable, 0b11000);
  EXPECT_EQ(q.scheduling[0], (QueueScheduling{QueueScheduling::Kind::dwrr, 14}));
  EXPECT_EQ(q.scheduling[3], (QueueScheduling{QueueScheduling::Kind::dwrr, 15}));
  ASSERT_TRUE(q.ecn[3]);
  EXPECT_EQ(q.ecn[3]->kmin, Bytes(250'000));  // the green curve of three
  EXPECT_EQ(q.ecn[3]->kmax, Bytes(2'097'152));
  EXPECT_DOUBLE_EQ(q.ecn[3]->pmax, 0.05);
  EXPECT_FALSE(q.ecn[0]);
}

// A port without a map uses the switch's; without any, class, group and queue are 0.
TEST(SonicSwitch, MissingMaps) {
  const PortQos of_switch = Of({{"/PORT_QOS_MAP/Ethernet0/dscp_to_tc_map", nullptr}}).qos[0];
  EXPECT_EQ(of_switch.dscp_to_tc[48], 6);
  const PortQos none = Of({{"/PORT_QOS_MAP/Ethernet0", nullptr}, {"/PORT_QOS_MAP/global", nullptr}}).qos[0];
  EXPECT_EQ(none.dscp_to_tc[48], 0);
  EXPECT_EQ(none.tc_to_queue[6], 0);
  EXPECT_EQ(none.pfc_to_queue[6], 6);
  EXPECT_EQ(none.pfc_enable, 0);
}

TEST(SonicSwitch, Scheduling) {
  const SonicSwitchModel m =
      Of({{"/SCHEDULER/scheduler.0", {{"type", "STRICT"}, {"priority", "2"}}},
          {"/SCHEDULER/scheduler.1", {{"weight", "30"}, {"meter_type", "bytes"}, {"pir", "1000000"}}},
          {"/QUEUE/Ethernet0|5/scheduler", nullptr}});
  EXPECT_EQ(m.qos[0].scheduling[0].kind, QueueScheduling::Kind::strict);
  EXPECT_EQ(m.qos[0].scheduling[3],
            (QueueScheduling{QueueScheduling::Kind::wrr, 30}));  // SONiC's default type
  EXPECT_EQ(m.qos[0].scheduling[5], (QueueScheduling{QueueScheduling::Kind::dwrr, 1}));
  EXPECT_EQ(FindingsText(m.findings),
            "warning: x.json: SCHEDULER|scheduler.1, field pir: shapers are not supported, so the queue "
            "has no rate limit and may get more bandwidth than on the switch (and 7 more such rows)\nnote: "
            "x.json: PORT: ports are matched in the order of the file: p0 is Ethernet0, p1 "
            "is Ethernet4, p2 is Ethernet8, p3 is Ethernet12\nnote: x.json: SCHEDULER|scheduler.0, field "
            "priority: Headroom does not use this field: it serves strict queues in the order of their "
            "numbers (and 18 more such rows)\n");
}

TEST(SonicSwitch, NoWatchdogWithoutItsCounters) {
  const SonicSwitchModel m = Of({{"/FLEX_COUNTER_TABLE/PFCWD", {{"FLEX_COUNTER_STATUS", "disable"}}}});
  EXPECT_TRUE(m.watchdogs.empty());
  EXPECT_EQ(FindingsText({m.findings[0]}),
            "warning: x.json: FLEX_COUNTER_TABLE|PFCWD, field FLEX_COUNTER_STATUS: is disable, so the "
            "watchdogs of PFC_WD read no counters and detect nothing\n");
  EXPECT_EQ(Of({{"/FLEX_COUNTER_TABLE/PFCWD", {{"FLEX_COUNTER_STATUS", "enable"}}}}).watchdogs.size(), 1u);
}

TEST(SonicSwitch, WatchdogsOfTheVendor) {
  SonicSwitchModel m = Of({});
  ASSERT_EQ(m.watchdogs.size(), 1u);
  WatchdogParameters w = m.watchdogs[0];
  EXPECT_EQ(w.ports, "*");
  EXPECT_EQ(w.detection, Milliseconds(200));
  EXPECT_EQ(w.restoration, Milliseconds(400));
  EXPECT_EQ(w.poll, Milliseconds(200));
  EXPECT_EQ(w.action, WatchdogAction::drop);
  EXPECT_EQ(w.vendor, WatchdogVendor::broadcom);
  EXPECT_FALSE(w.big_red_switch);
  EXPECT_EQ(w.priorities, 0b11000);
  m = Of({{"/PFC_WD/Ethernet4", nullptr},
          {"/PFC_WD/Ethernet8/action", "forward"},
          {"/PFC_WD/GLOBAL", {{"BIG_RED_SWITCH", "enable"}}}},
         {"spectrum2", SonicPortNaming::automatic});
  ASSERT_EQ(m.watchdogs.size(), 3u);
  w = m.watchdogs[1];
  EXPECT_EQ(w.ports, "p2");
  EXPECT_EQ(w.action, WatchdogAction::forward);
  EXPECT_EQ(w.vendor, WatchdogVendor::mellanox);
  EXPECT_EQ(w.poll, Milliseconds(100));  // SONiC's own value
  EXPECT_TRUE(w.big_red_switch);
}

TEST(SonicSwitch, WatchdogsOfThePrioritiesThatAreToBeWatched) {
  const SonicSwitchModel m = Of({{"/PORT_QOS_MAP/Ethernet0/pfcwd_sw_enable", "4"},
                                 {"/PORT_QOS_MAP/Ethernet4/pfcwd_sw_enable", nullptr}});
  ASSERT_EQ(m.watchdogs.size(), 3u);
  EXPECT_EQ(m.watchdogs[0].priorities, 0b10000);
  EXPECT_EQ(m.watchdogs[1].ports, "p2");
  EXPECT_EQ(FindingsText(m.findings),
            "warning: x.json: PFC_WD|Ethernet4: has no effect: pfcwd_sw_enable of the port names no "
            "priority, so SONiC starts no watchdog\nnote: x.json: PORT: ports are matched in the order of "
            "the file: p0 is "
            "Ethernet0, p1 is Ethernet4, p2 is Ethernet8, p3 is Ethernet12\nnote: x.json: "
            "PORT_QOS_MAP|Ethernet0, field pfcwd_sw_enable: priority 3 has PFC but no watchdog\n");
}

struct Case {
  const char* name;
  std::vector<SonicEdit> edits;
  const char* finding;  ///< the first finding
};
class SonicSwitchFindings : public testing::TestWithParam<Case> {};
std::string NameOf(const testing::TestParamInfo<Case>& of) { return of.param.name; }

TEST_P(SonicSwitchFindings, AreTheseWords) {
  const SonicFile file = EditedRack(GetParam().edits);
  ASSERT_FALSE(!file.findings.empty() && file.findings[0].severity == Finding::Severity::error)
      << FindingsText(file.findings);
  const Findings findings = SonicSwitch(file.config, Links(), Classes()).findings;
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(FindingsText({findings[0]}), std::string(GetParam().finding) + '\n');
}

INSTANTIATE_TEST_SUITE_P(
    One, SonicSwitchFindings,
    testing::Values(
        Case{"UnknownSku",
             {{"/DEVICE_METADATA/localhost/hwsku", "Acme-1"},
              {"/DEVICE_METADATA/localhost/platform", "x86-acme"}},
             "error: x.json: DEVICE_METADATA|localhost, field hwsku: the ASIC of \"Acme-1\" is unknown; "
             "give asic, one of: td2, th, th2, td3, th3, th4, th5, spectrum1, spectrum2, spectrum3, "
             "spectrum4, spectrum5, jericho2, q3d"},
        Case{"NoSpeed",
             {{"/PORT/Ethernet0/speed", nullptr}},
             "error: x.json: PORT|Ethernet0, field speed: is missing; Mb/s, as \"100000\""},
        Case{"AnotherSpeed",
             {{"/PORT/Ethernet0/speed", "50000"}},
             "warning: x.json: PORT|Ethernet0, field speed: the speed is 50 Gb/s in the file, but 40 Gb/s "
             "on the scenario's link; headroom follows the file"},
        Case{"AShorterCable",
             {{"/CABLE_LENGTH/AZURE/Ethernet8", "5m"}},
             "warning: x.json: CABLE_LENGTH|AZURE, field Ethernet8: the cable has 5m in the file, but 40 m "
             "on the "
             "scenario's link, so headroom is too small"},
        Case{"ALongerCable",
             {{"/CABLE_LENGTH/AZURE/Ethernet8", "300m"}, {"/CABLE_LENGTH/AZURE/Ethernet12", "300m"}},
             "note: x.json: PORT: ports are matched in the order of the file: p0 is Ethernet0, p1 is "
             "Ethernet4, p2 is Ethernet8, p3 is Ethernet12"},
        Case{"TooFewPorts",
             {{"/PORT/Ethernet0/admin_status", "down"}},
             "error: x.json: PORT: only 3 of 5 ports are up and external, but the scenario links 4; give a "
             "file with "
             "more ports that have admin_status up, or fewer links at this switch"},
        Case{"Spectrum6",
             {{"/DEVICE_METADATA/localhost/hwsku", "ACS-SN6600_LD"},
              {"/DEVICE_METADATA/localhost/platform", "x86_64-nvidia_sn6600_ld-r0"}},
             "error: x.json: DEVICE_METADATA|localhost, field hwsku: the buffer of Spectrum-6 is not "
             "supported yet; in place of the file, describe the buffer in the scenario: buffer: {size: …, "
             "cell: …, tables: …}"},
        Case{"TrafficClassBeyondSeven",
             {{"/DSCP_TO_TC_MAP/AZURE/48", "8"}},
             "error: x.json: DSCP_TO_TC_MAP|AZURE, field 48: class \"cnp\" (DSCP 48) is in traffic class "
             "8, but Headroom has only 0 to 7 (and 3 more such rows); map it to one of these, or give "
             "the class another DSCP"},
        Case{"QueueBeyondSeven",
             {{"/TC_TO_QUEUE_MAP/AZURE/6", "9"}},
             "error: x.json: TC_TO_QUEUE_MAP|AZURE, field 6: class \"cnp\" (DSCP 48) is in queue 9, but "
             "Headroom has only 0 to 7 (and 3 more such rows); map it to one of these, or give the class "
             "another DSCP"},
        Case{"GroupWithoutProfile",
             {{"/DSCP_TO_TC_MAP/AZURE/48", "7"}, {"/TC_TO_QUEUE_MAP/AZURE/7", "6"}},
             "error: x.json: BUFFER_PG|Ethernet0|7: class \"cnp\" (DSCP 48) is in traffic class 7, group 7, "
             "which has "
             "no profile (and 3 more such rows); add a row, or give the class another DSCP"},
        Case{"QueueWithoutProfile",
             {{"/TC_TO_QUEUE_MAP/AZURE/6", "7"}},
             "error: x.json: BUFFER_QUEUE|Ethernet0|7: class \"cnp\" (DSCP 48) is in queue 7, which has no "
             "profile "
             "(and 3 more such rows); add a row, or give the class another DSCP"},
        Case{"NoHeadroom",
             {{"/BUFFER_PG/Ethernet0|3-4/profile", "ingress_lossy_profile"}},
             "error: x.json: BUFFER_PG|Ethernet0|3-4, field profile: class \"storage\" is lossless in "
             "the scenario, but not on this switch: DSCP 3 is traffic class 3, group 3, which has no "
             "headroom; give the class a DSCP that the switch maps to a lossless group, or give the "
             "group a profile with xoff"},
        Case{"NoGroup",
             {{"/BUFFER_PG/Ethernet0|3-4", nullptr}},
             "error: x.json: BUFFER_PG|Ethernet0|3: class \"storage\" is lossless in the scenario, but "
             "not on this switch: DSCP 3 is traffic class 3, group 3, which has no headroom, although "
             "PFC is enabled for it: BUFFER_PG has none; add a row with a profile that has xoff; or, "
             "because a fresh switch creates rows from its pg_profile_lookup.ini, give that file as "
             "lookup"},
        Case{"NoPfc",
             {{"/PORT_QOS_MAP/Ethernet0/pfc_enable", "4"}},
             "error: x.json: PORT_QOS_MAP|Ethernet0, field pfc_enable: class \"storage\" is lossless in the "
             "scenario, "
             "but not on this switch: group 3 sends no pause of its priority, 3; add the priority to "
             "pfc_enable, or "
             "give the class the priority of its group"},
        Case{"PauseOfAnotherQueue",
             {{"/MAP_PFC_PRIORITY_TO_QUEUE/AZURE/3", "4"}},
             "error: x.json: MAP_PFC_PRIORITY_TO_QUEUE: a pause of priority 3 stops queue 4, but class "
             "\"storage\" "
             "(DSCP 3) is in queue 3 (and 3 more such rows); map the priority to the class's queue"},
        Case{"LosslessThereAlone",
             {{"/DSCP_TO_TC_MAP/AZURE/0", "4"}},
             "warning: x.json: BUFFER_PG|Ethernet0|3-4, field profile: class \"bulk\" (DSCP 0) is in traffic "
             "class 4, "
             "group 4, which is lossless on this switch but not in the scenario (and 3 more such rows)"},
        Case{"EarlyDropsWithoutMarks",
             {{"/WRED_PROFILE/AZURE_LOSSLESS/ecn", "ecn_none"}},
             "warning: x.json: WRED_PROFILE|AZURE_LOSSLESS, field ecn: drops green frames early instead "
             "of marking them, which Headroom does not support (and 7 more such rows)"}),
    NameOf);

// The dynamic model removes the rows of a port that is down: rows are not what is missing.
TEST(SonicSwitch, APortThatIsDownIsNamedBeforeItsMissingRows) {
  std::vector<ChipPort> ports = {Named("Ethernet8", k100), Named("Ethernet0", k40)};
  for (const bool dynamic : {false, true}) {
    std::vector<SonicEdit> edits = {{"/PORT/Ethernet0/admin_status", "down"}};
    if (dynamic) edits.emplace_back("/DEVICE_METADATA/localhost/buffer_model", "dynamic");
    const Findings findings = SonicSwitch(EditedRack(edits).config, ports, Classes()).findings;
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].severity, dynamic ? Finding::Severity::error : Finding::Severity::warning);
    EXPECT_EQ(findings[0].key, "Ethernet0");
    EXPECT_EQ(findings[0].field, "admin_status");
  }
}

// Pools of a shipped file are the memory where no data sheet has it.
TEST(SonicSwitch, PoolsThatExceedWhatIsKnownOfATomahawk4AreItsMemory) {
  SonicSwitchOptions options;
  options.asic = "th4";
  for (const int64_t size : {100'000'000, 120'000'000}) {
    const SonicSwitchModel m =
        Of({{"/BUFFER_POOL/ingress_lossless_pool/size", std::to_string(size)}}, options);
    EXPECT_GE(m.buffer.size, Bytes(std::max<int64_t>(size, 113'620'296)));
  }
}

TEST(SonicSwitch, ALineCardOfAChassis) {
  const std::vector<ChipPort> ports = {Named("p0", {"", GigabitsPerSecond(100), Nanoseconds(1500)}),
                                       Named("p1", {"", GigabitsPerSecond(100), Nanoseconds(1500)})};
  const SonicSwitchModel m = SonicSwitch(ReadSonic("linecard.json"), ports, Classes());
  EXPECT_EQ(FindingsText(m.findings),
            "note: linecard.json: PORT: ports are matched in the order of the file: p0 is Ethernet0, p1 "
            "is Ethernet4\n");
  EXPECT_EQ(m.buffer.pools.at(0).type, BufferPool::Type::both);
  EXPECT_EQ(m.buffer.size, Bytes(7'000'000'000));  // the sum of the pools: the memory is not known
  EXPECT_EQ(QueueProfileName(m.buffer, "p1", 3, true), "egress_lossless_profile");
  EXPECT_EQ(QueueProfileName(m.buffer, "Ethernet-Rec0", 3, true), "");
}

TEST(SonicSwitch, AsicsBySku) {
  const auto family = [](const std::string& hwsku, const std::string& platform) {
    SonicDevice device;
    device.hwsku.value = hwsku;
    device.platform.value = platform;
    const auto asic = AsicOfDevice(device);
    return asic ? asic->family->name : "none";
  };
  EXPECT_EQ(family("Force10-S6000", ""), "td2");
  EXPECT_EQ(family("Arista-7050CX3-32S-D48C8", ""), "td3");
  EXPECT_EQ(family("Arista-7060CX-32S-C32", ""), "th");
  EXPECT_EQ(family("DellEMC-Z9264f-C64", ""), "th2");
  EXPECT_EQ(family("DellEMC-Z9332f-M-O16C64", ""), "th3");
  EXPECT_EQ(family("Arista-7060DX5-64S", ""), "th4");
  EXPECT_EQ(family("Arista-7060X6-64PE-B-O128", ""), "th5");
  EXPECT_EQ(family("Mellanox-SN2700-D48C8", "x86_64-mlnx_msn2700-r0"), "spectrum1");
  EXPECT_EQ(family("Mellanox-SN3800-C64", ""), "spectrum2");
  EXPECT_EQ(family("ACS-MSN4600C", ""), "spectrum3");
  EXPECT_EQ(family("Mellanox-SN5600-C256S1", "x86_64-nvidia_sn5600-r0"), "spectrum4");
  EXPECT_EQ(family("ACS-SN5640", "x86_64-nvidia_sn5640-r0"), "spectrum5");
  EXPECT_EQ(family("Nokia-IXR7250E-36x400G", ""), "jericho2");
  EXPECT_EQ(family("NH-5010-F-O64", ""), "q3d");
  EXPECT_EQ(family("Cisco-8101-O32", "x86_64-8101_32fh_o-r0"), "none");
  for (const std::string& name : SonicAsicNames()) EXPECT_TRUE(FindSonicAsic(name)) << name;
}

}  // namespace
}  // namespace headroom::sonic_switch_test
