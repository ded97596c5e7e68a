// Configurations of 18 switches are read and summed up, and compared with summaries by another program. They
// are data that accompanies the project.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sonic/chip/dynamic_model.h"
#include "sonic/chip/sonic_switch.h"
#include "sonic/tables/check_pfc.h"
#include "sonic/tables/read.h"
#include "support/shared_data.h"
#include "support/text_file.h"
#include "switch/buffer/shared_buffer.h"

namespace headroom::sonic_facts_test {

namespace {

using Json = nlohmann::json;

/// Adds a field in the form of config_db.
template <class T, class Text>
void Put(Json& row, const char* field, const SonicValue<T>& value, Text text) {
  if (value) row[field] = text(*value);
}
const auto kText = [](const std::string& s) { return s; };
const auto kBytes = [](Bytes b) { return std::to_string(b.v); };
const auto kNumber = [](int64_t n) { return std::to_string(n); };
const auto kFlag = [](bool on) { return on ? "true" : "false"; };
const auto kMilliseconds = [](Time t) { return std::to_string(t / Milliseconds(1)); };

void Count(Json& counts, const std::string& name) { counts[name] = counts.value(name, 0) + 1; }

Json DeviceFacts(const SonicDevice& d) {
  Json facts = Json::object();
  Put(facts, "hwsku", d.hwsku, kText);
  Put(facts, "platform", d.platform, kText);
  Put(facts, "type", d.type, kText);
  Put(facts, "hostname", d.hostname, kText);
  Put(facts, "buffer_model", d.buffer_model, [](SonicDevice::BufferModel m) {
    return m == SonicDevice::BufferModel::dynamic ? "dynamic" : "traditional";
  });
  return facts;
}

Json PortFacts(const SonicConfig& c, Json& cables) {
  Json facts{
      {"total", c.ports.size()}, {"by_speed", Json::object()}, {"admin_up", 0}, {"mtu", Json::object()}};
  cables = Json::object();
  for (const SonicPort& p : c.ports) {
    Count(facts["by_speed"], std::to_string(*p.speed / MegabitsPerSecond(1)));
    Count(facts["mtu"], std::to_string(*p.mtu));
    if (p.up()) facts["admin_up"] = facts["admin_up"].get<int>() + 1;
    if (p.cable) Count(cables, *p.cable);
  }
  return facts;
}

Json PoolFacts(const SonicPool& p) {
  Json facts = Json::object();
  Put(facts, "type", p.type, [](BufferPool::Type t) {
    return t == BufferPool::Type::ingress ? "ingress" : t == BufferPool::Type::egress ? "egress" : "both";
  });
  Put(facts, "mode", p.mode,
      [](BufferPool::Mode m) { return m == BufferPool::Mode::dynamic ? "dynamic" : "static"; });
  Put(facts, "size", p.size, kBytes);
  Put(facts, "xoff", p.xoff, kBytes);
  return facts;
}

Json ProfileFacts(const SonicConfig& c, const SonicProfile& p) {
  Json facts = Json::object();
  Put(facts, "pool", p.pool, kText);
  Put(facts, "size", p.size, kBytes);
  Put(facts, "dynamic_th", p.dynamic_th, kNumber);
  Put(facts, "static_th", p.static_th, kBytes);
  Put(facts, "xon", p.xon, kBytes);
  Put(facts, "xon_offset", p.xon_offset, kBytes);
  Put(facts, "xoff", p.xoff, kBytes);
  // An old field that no code reads: it is kept.
  const auto& table = c.json.contains("BUFFER_PROFILE") ? c.json["BUFFER_PROFILE"] : c.json;
  if (table.contains(p.name) && table[p.name].contains("mode")) facts["mode"] = table[p.name]["mode"];
  return facts;
}

Json WredFacts(const SonicWred& w) {
  Json facts = Json::object();
  const auto colour = [&](const std::string& name, const SonicWredColour& c) {
    Put(facts, ("wred_" + name + "_enable").c_str(), c.enabled, kFlag);
    Put(facts, (name + "_min_threshold").c_str(), c.min_threshold, kBytes);
    Put(facts, (name + "_max_threshold").c_str(), c.max_threshold, kBytes);
    Put(facts, (name + "_drop_probability").c_str(), c.drop_probability, kNumber);
  };
  colour("green", w.green);
  colour("yellow", w.yellow);
  colour("red", w.red);
  Put(facts, "ecn", w.ecn, kText);
  return facts;
}

Json SchedulerFacts(const SonicScheduler& s) {
  Json facts = Json::object();
  Put(facts, "type", s.type, [](SonicScheduler::Type t) {
    return t == SonicScheduler::Type::dwrr ? "DWRR" : t == SonicScheduler::Type::wrr ? "WRR" : "STRICT";
  });
  Put(facts, "weight", s.weight, kNumber);
  return facts;
}

template <class Row, class Name>
Json CountsOf(const std::vector<Row>& rows, const char* letter, Name name) {
  Json counts = Json::object();
  for (const Row& row : rows)
    for (size_t port = 0; port < row.ports.size(); ++port)
      for (int n = row.first; n <= row.last; ++n) Count(counts, letter + std::to_string(n) + ':' + name(row));
  return counts;
}

Json WatchdogFacts(const SonicConfig& c) {
  Json sample = Json::object();
  const SonicWatchdog& w = c.watchdogs.front();
  Put(sample, "action", w.action, [](SonicWatchdog::Action a) {
    return a == SonicWatchdog::Action::drop      ? "drop"
           : a == SonicWatchdog::Action::forward ? "forward"
                                                 : "alert";
  });
  Put(sample, "detection_time", w.detection_time, kMilliseconds);
  Put(sample, "restoration_time", w.restoration_time, kMilliseconds);
  Put(sample, "pfc_stat_history", w.pfc_stat_history, [](bool on) { return on ? "enable" : "disable"; });
  Json global = Json::object();
  Put(global, "POLL_INTERVAL", c.watchdog_global.poll_interval, kMilliseconds);
  return {{"ports", c.watchdogs.size()}, {"GLOBAL", global}, {"sample", sample}};
}

Json FactsOf(const SonicConfig& c) {
  Json facts;
  facts["device"] = DeviceFacts(c.device);
  facts["ports"] = PortFacts(c, facts["cable_length_histogram"]);
  for (const char* table : {"pools", "profiles", "wred_profiles", "schedulers", "pfc_enable_counts"})
    facts[table] = Json::object();
  for (const auto& [name, pool] : c.pools) facts["pools"][name] = PoolFacts(pool);
  for (const auto& [name, profile] : c.profiles) facts["profiles"][name] = ProfileFacts(c, profile);
  for (const auto& [name, wred] : c.wred) facts["wred_profiles"][name] = WredFacts(wred);
  for (const auto& [name, scheduler] : c.schedulers) facts["schedulers"][name] = SchedulerFacts(scheduler);
  for (const SonicPortQos& qos : c.port_qos) {
    if (!qos.pfc_enable) continue;
    std::string priorities;
    for (const char digit : PrioritiesText(*qos.pfc_enable))
      if (digit != ' ') priorities += digit;
    for (size_t port = 0; port < qos.ports.size(); ++port) Count(facts["pfc_enable_counts"], priorities);
  }
  facts["pg_to_profile_counts"] =
      CountsOf(c.groups, "PG", [](const SonicGroupRow& row) { return row.computed ? "NULL" : *row.profile; });
  facts["queue_to_buffer_profile_counts"] =
      CountsOf(c.buffer_queues, "Q", [](const SonicBufferQueueRow& row) { return *row.profile; });
  facts["queue_to_sched_wred_counts"] = CountsOf(c.queues, "Q", [](const SonicQueueRow& row) {
    return "sched=" + row.scheduler.value_or("-") + ",wred=" + row.wred_profile.value_or("-");
  });
  int lossless = 0;
  int64_t xoff = 0;
  for (const SonicGroupRow& row : c.groups) {
    const SonicProfile* profile = row.profile ? c.FindProfile(*row.profile) : nullptr;
    if (!profile || !profile->lossless()) continue;
    const auto groups = static_cast<int>(row.ports.size()) * (row.last - row.first + 1);
    lossless += groups;
    xoff += groups * profile->xoff->v;
  }
  facts["lossless_pg_instances"] = lossless;
  facts["sum_xoff_bytes_over_lossless_pgs"] = xoff;
  const SonicPool* pool = c.FindPool("ingress_lossless_pool");
  if (pool && pool->xoff)
    facts["headroom_pool_oversubscription_ratio"] =
        std::round(1e4 * static_cast<double>(xoff) / static_cast<double>(pool->xoff->v)) / 1e4;
  if (!c.watchdogs.empty()) facts["pfc_wd"] = WatchdogFacts(c);
  return facts;
}

std::vector<std::string> NamesOf(const std::filesystem::path& folder, const std::string& ending) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(ending)) names.push_back(name.substr(0, name.size() - ending.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

size_t Errors(const Findings& findings) {
  return static_cast<size_t>(std::count_if(findings.begin(), findings.end(), [](const Finding& f) {
    return f.severity == Finding::Severity::error;
  }));
}

}  // namespace

TEST(SonicFacts, EveryConfigurationHasItsFactsAndNoErrors) {
  const auto folder = SharedData("sonic");
  if (folder.empty()) GTEST_SKIP() << "the data are not at hand";
  const std::vector<std::string> names = NamesOf(folder / "facts", ".facts.json");
  EXPECT_EQ(names.size(), 18u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const SonicFile file =
        ReadSonicConfig(ReadTextFile(folder / "config_db" / (name + ".config_db.json")), name);
    EXPECT_EQ(Errors(file.findings), 0u) << file.findings.front().where << ' ' << file.findings.front().what;
    const Json facts = FactsOf(file.config);
    const Json expected = Json::parse(ReadTextFile(folder / "facts" / (name + ".facts.json")));
    EXPECT_GE(expected.size(), 13u);
    for (const auto& [key, value] : expected.items()) EXPECT_EQ(facts.value(key, Json()), value) << key;
  }
}

TEST(SonicFacts, WhatIsWrittenIsReadAsTheSame) {
  const auto folder = SharedData("sonic");
  if (folder.empty()) GTEST_SKIP() << "the data are not at hand";
  for (const std::string& name : NamesOf(folder / "config_db", ".json")) {
    SCOPED_TRACE(name);
    const std::string text = ReadTextFile(folder / "config_db" / (name + ".json"));
    const SonicFile file = ReadSonicConfig(text, name);
    EXPECT_EQ(file.config.json, nlohmann::ordered_json::parse(text));  // the order counts
    const SonicFile again = ReadSonicConfig(WriteSonicConfig(file.config), name);
    EXPECT_EQ(again.config.json, file.config.json);
    EXPECT_EQ(again.findings, file.findings);
  }
}

// Each real configuration becomes a switch with four linked ports and a buffer that can be set up. Three have
// no usable lossless class, which is reported.
TEST(SonicFacts, EveryConfigurationIsASwitch) {
  const auto folder = SharedData("sonic");
  if (folder.empty()) GTEST_SKIP() << "the data are not at hand";
  TrafficClasses classes;
  classes[3] = {"storage", 3, 3, true, 1, false};
  classes[6] = {"cnp", 6, 48, false, 1, false};
  std::vector<std::string> refused;
  for (const std::string& name : NamesOf(folder / "facts", ".facts.json")) {
    SCOPED_TRACE(name);
    SonicConfig config =
        ReadSonicConfig(ReadTextFile(folder / "config_db" / (name + ".config_db.json")), name).config;
    const Findings computed = config.device.dynamic() ? ComputeDynamicModel(config) : Findings();
    EXPECT_EQ(Errors(computed), 0u);
    std::vector<ChipPort> ports;
    for (const SonicPort& port : config.ports)
      if (port.up() && port.external() && config.PfcEnable(port.name) != 0 && ports.size() < 4)
        ports.push_back({port.name, *port.speed, Nanoseconds(5) * port.cable_m});
    if (ports.empty()) ports.push_back({config.ports[0].name, *config.ports[0].speed, Nanoseconds(25)});
    const SonicSwitchModel model = SonicSwitch(config, ports, classes);
    if (Errors(model.findings) > 0) {
      EXPECT_NE(model.findings[0].what.find("lossless in the scenario, but not on this switch"),
                std::string::npos);
      refused.push_back(name);
      continue;
    }
    EXPECT_EQ(model.buffer.chip_ports.size(), config.ports.size());
    std::vector<BufferPort> buffer_ports;
    for (const ChipPort& port : ports) buffer_ports.push_back({port.name, port.speed, port.delay});
    const auto buffer = ns3::CreateObject<SharedBuffer>();
    EXPECT_NO_THROW(buffer->Setup(model.buffer, buffer_ports, classes, model.qos));
    EXPECT_TRUE(buffer->lossless(0, 3));
    EXPECT_EQ(buffer->headroom_cap(0, 3),
              config.FindProfile(*config.FindGroup(ports[0].name, 3)->profile)->xoff->v);
    EXPECT_TRUE(model.qos[0].ecn[3]);
  }
  EXPECT_EQ(refused,
            (std::vector<std::string>{"th5_7060x6_o128_frh_NEGATIVE", "upstream_spc1_msn2700_t1_dynamic_flat",
                                      "upstream_spc2_sn3800_c64_t1_flat"}));
}

// The generated database, with the lookup table of its SKU, gives the state of the switch after its buffer
// manager ran.
TEST(SonicFacts, TheBufferManagersExpansion) {
  const auto folder = SharedData("sonic");
  if (folder.empty()) GTEST_SKIP() << "the data are not at hand";
  for (const auto& [name, table] :
       std::vector<std::pair<std::string, std::string>>{{"spc3_sn4600c_c64_t1", "spc3_sn4600c_c64"},
                                                        {"th2_7260cx3_c64_t1", "th2_7260_BALANCED"},
                                                        {"th_s6100_t0", "th_s6100_BALANCED"}}) {
    SCOPED_TRACE(name);
    const PgProfileLookup lookup =
        ReadPgProfileLookup(ReadTextFile(folder / "pg_profile_lookup" / (table + ".ini")), table + ".ini");
    const SonicFile file =
        ReadSonicConfig(ReadTextFile(folder / "config_db" / (name + ".init.json")), name, &lookup);
    const Json expected = Json::parse(ReadTextFile(folder / "config_db" / (name + ".config_db.json")));
    EXPECT_EQ(Json(file.config.json["BUFFER_PROFILE"]), expected["BUFFER_PROFILE"]);
    EXPECT_EQ(Json(file.config.json["BUFFER_PG"]), expected["BUFFER_PG"]);
    EXPECT_EQ(Errors(file.findings), 0u);
    EXPECT_TRUE(CheckPfcGroups(file.config).empty());
    // A repetition changes nothing.
    EXPECT_EQ(ReadSonicConfig(WriteSonicConfig(file.config), name, &lookup).config.json, file.config.json);
  }
}

TEST(SonicFacts, EveryLookupTableIsRead) {
  const auto folder = SharedData("sonic/pg_profile_lookup");
  if (folder.empty()) GTEST_SKIP() << "the data are not at hand";
  const std::vector<std::string> names = NamesOf(folder, ".ini");
  EXPECT_EQ(names.size(), 19u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    EXPECT_GE(ReadPgProfileLookup(ReadTextFile(folder / (name + ".ini")), name).rows.size(), 3u);
  }
  // " 100000  300m 1248    2288 268736  0        2288"
  const auto th = ReadPgProfileLookup(ReadTextFile(folder / "th_gen_BALANCED.ini"), "th");
  const PgProfileRow* row = th.Find(GigabitsPerSecond(100), "300m");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->size, Bytes(1248));
  EXPECT_EQ(row->xon, Bytes(2288));
  EXPECT_EQ(row->xoff, Bytes(268736));
  EXPECT_EQ(row->threshold, 0);
  EXPECT_EQ(row->xon_offset, Bytes(2288));
  EXPECT_FALSE(th.Find(GigabitsPerSecond(100), "0300m"));
}

TEST(SonicFacts, TheSwitchWhoseTableLacksItsSpeedAndCable) {
  const auto folder = SharedData("sonic");
  if (folder.empty()) GTEST_SKIP() << "the data are not at hand";
  const std::string name = "th5_7060x6_o128_frh_NEGATIVE.config_db.json";
  const std::string text = ReadTextFile(folder / "config_db" / name);
  const PgProfileLookup lookup =
      ReadPgProfileLookup(ReadTextFile(folder / "pg_profile_lookup/th5_7060x6_b_o128.ini"), "th5.ini");
  const SonicFile file = ReadSonicConfig(text, name, &lookup);
  EXPECT_EQ(file.config.json, nlohmann::ordered_json::parse(text));  // nothing is added
  const Findings findings = CheckPfcGroups(file.config);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Finding::Severity::error);
  EXPECT_EQ(findings[0].table, "PORT_QOS_MAP");
  EXPECT_EQ(findings[0].field, "pfc_enable");
  EXPECT_EQ(
      findings[0].what,
      "PFC is enabled for priority 3, 4, but the priority has no lossless group: th5.ini has no row for "
      "800000 Mb/s and 5m, and no row for this speed (and 62 more such rows)");
}

}  // namespace headroom::sonic_facts_test
