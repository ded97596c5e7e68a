// Complete runs with a SONiC configuration at every switch: the files take effect.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "run/record_text.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/in_child.h"
#include "support/same_scenario.h"
#include "support/sonic.h"

namespace headroom::sonic_run_test {
namespace {

namespace fs = std::filesystem;

/// Two racks with two hosts at 40 Gb/s each (Ethernet0 and 4) have uplinks at 100 Gb/s (Ethernet8 and 12) to
/// two spines. h1, h2 and h3 send 2 MB each to h0, at line rate to the end.
std::string LeafSpine(const std::string& of_leaves = "", const std::string& more = "") {
  return "name: sonic\n"
         "duration: 1ms\n"
         "topology: {type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 2, host_link: {rate: 40Gbps, "
         "length: 5m},\n"
         "           fabric_link: {rate: 100Gbps, length: 40m}}\n"
         "priorities: {storage: {priority: 3, dscp: 3, lossless: true}, second: {priority: 4, dscp: 4, "
         "lossless: true},\n"
         "             cnp: {priority: 6, dscp: 48, lossless: false}}\n"
         "switches:\n"
         "  - {match: \"leaf*\", routing: {hash_seed: fixed}, buffer: {sonic: rack.config_db.json}" +
         of_leaves +
         "}\n"
         "  - {match: \"spine*\", buffer: {sonic: spine.config_db.json}}\n"
         "nics: [{match: \"*\", generation: gen2, congestion_control: none}]\n" +
         (more.empty()
              ? std::string("workloads: [{name: burst, type: incast, size: 2MB, from: \"*\", fan_in: 3, "
                            "to: h0, at: 1us, priority: storage}]\n")
              : more);
}

ScenarioFile Load(const std::string& text,
                  const fs::path& directory = fs::path(HEADROOM_SOURCE_DIR) / "tests/sonic/data") {
  return LoadScenarioFileText(text, "sonic.yaml", directory);
}

RunRecord CheckedRun(const Scenario& scenario) {
  RunOptions options;
  options.check = true;
  return Run(scenario, options);
}

NodeId Leaf0(const Scenario& s) { return s.topology.hosts; }

TEST(SonicRun, HasNothingToWarnOf) {
  for (const Finding& f : Load(LeafSpine()).scenario.switch_findings)
    EXPECT_EQ(f.severity, Finding::Severity::note) << f.where << ": " << f.what;
}

// The rack's ASIC has four slices of 10 MB / 4 = 2.5 MB. Its five ports are divided among them, Ethernet0 and
// 4 in the first, 8, 12 and 16 in one each: each group that sends to h0 is alone in its slice. With alpha 1
// it pauses when its shared bytes equal the free ones: 2.5 MB / 2 beyond its reserve of 1248 bytes, which a
// frame's 6 cells may exceed.
TEST(SonicRun, GroupsPauseWhereTheFileHasIt) {
  InChild([] {
    const Scenario s = Load(LeafSpine()).scenario;
    const RunRecord r = CheckedRun(s);
    EXPECT_EQ(r.status, RunStatus::complete);
    int pauses = 0;
    for (const PauseRecord& p : r.pauses) {
      if (p.node != Leaf0(s) || p.direction != PauseRecord::Direction::tx) continue;
      EXPECT_EQ(p.priority, 3);
      if (p.start > Microseconds(400))
        continue;  // the first pause of each port: later others may be in headroom
      EXPECT_GE(p.group_bytes, Bytes(1'250'000 + 1'248)) << pauses;
      EXPECT_LE(p.group_bytes, Bytes(1'250'000 + 1'248 + 6 * 208)) << pauses;
      ++pauses;
    }
    EXPECT_GE(pauses, 2);
    EXPECT_EQ(r.messages.size(), 3u);
    for (const MessageRecord& m : r.messages) {
      EXPECT_TRUE(m.Finished());
      EXPECT_EQ(m.retransmitted_packets, 0u);
    }
  });
}

TEST(SonicRun, EcnIsTheFilesUnlessTheScenarioSaysOtherwise) {
  const auto marked = [](const std::string& of_leaves) {
    return std::stoul(TextFromChild(
        [&] { return std::to_string(CheckedRun(Load(LeafSpine(of_leaves)).scenario).marked_packets); }));
  };
  // 6 MB go to h0's port, of which a third leaves meanwhile: the queue is far above 250 kB most of the time,
  // and for a part of it above 2.1 MB, where all packets are marked.
  const size_t of_file = marked("");
  EXPECT_GT(of_file, 500u);
  EXPECT_EQ(marked(", ecn: {storage: none}"), 0u);
  EXPECT_EQ(marked(", ecn: none"), 0u);
  EXPECT_EQ(marked(", ecn: {second: none}"), of_file);
  // With a mark on every packet above 10 kB, all but the first few of 3 · 2 MB / 1024 are marked.
  EXPECT_GT(marked(", ecn: {storage: {kmin: 10KB, kmax: 10KB, pmax: 100%}}"), 5'500u);
}

TEST(SonicRun, TheWatchdogIsTheFilesUnlessTheScenarioSaysOtherwise) {
  // Detection after 200 ms with polls of 200: a storm from 10 ms on is seen by the polls at 200 (which finds
  // the queue running before) and 400.
  const std::string storm =
      "workloads:\n"
      "  - {name: a, type: list, messages: [{at: 0us, from: h1, to: h0, size: 1KB}, {at: 600ms, from: h2, "
      "to: "
      "h3, size: 1KB}]}\n"
      "faults: [{type: pause_storm, node: h0, priority: 3, start: 10ms, stop: 590ms},\n"
      "         {type: pause_storm, node: h1, priority: 5, start: 10ms, stop: 590ms}]\n";
  const auto detected = [&](const std::string& of_leaves) {
    return TextFromChild([&] {
      std::string text = LeafSpine(of_leaves, storm);
      text.replace(text.find("1ms"), 3, "601ms");
      std::string found;
      for (const EventRecord& e : CheckedRun(Load(text).scenario).events_log) {
        if (e.kind == "watchdog_detected")
          found += std::to_string(e.time / Milliseconds(1)) + " ms, priority " + std::to_string(e.priority);
      }
      return found;
    });
  };
  EXPECT_EQ(detected(""), "400 ms, priority 3");
  EXPECT_EQ(detected(", pfc: {watchdog: none}"), "");
  EXPECT_EQ(detected(", pfc: {watchdog: {detection: 100ms, priority: 4}}"), "");
  EXPECT_EQ(detected(", pfc: {watchdog: {detection: 100ms, priority: 3}}"), "200 ms, priority 3");
}

TEST(SonicRun, WatchdogsAreTheFilesUnlessTheScenarioSaysOtherwise) {
  const auto of = [](const std::string& of_leaves) {
    return Load(LeafSpine(of_leaves)).scenario.switches[0].pfc;
  };
  ASSERT_EQ(of("").watchdogs.size(), 1u);
  EXPECT_EQ(of(", pfc: {response: 1us}").watchdogs[0].detection, Milliseconds(200));
  EXPECT_TRUE(of(", pfc: {watchdog: none}").watchdogs.empty());
  EXPECT_EQ(of(", pfc: {watchdog: {detection: 300ms}}").watchdogs.at(0).detection, Milliseconds(300));
}

TEST(SonicRun, WithoutPfcInTheScenarioFramesAreLost) {
  InChild([] {
    // Only the congested leaf pauses: its groups have 1.25 MB and 70 or 180 kB of headroom for 2 MB each.
    const RunRecord r = CheckedRun(Load(LeafSpine(", pfc: {enabled: false}")).scenario);
    for (const PauseRecord& p : r.pauses) EXPECT_NE(p.direction, PauseRecord::Direction::tx);
    uint64_t drops = 0;
    for (const PortRecord& p : r.ports)
      for (const uint64_t of_reason : p.priority[3].drops) drops += of_reason;
    EXPECT_GT(drops, 0u);
  });
}

/// Configurations with changes, in a folder that the test removes.
class SonicRunOfEdited : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        fs::path(::testing::TempDir()) /
        ("headroom-sonic-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(directory_);
    Write("spine.config_db.json", {});
  }
  void TearDown() override { fs::remove_all(directory_); }
  void Write(const std::string& name, const std::vector<SonicEdit>& edits) {
    std::ofstream(directory_ / name) << EditedSonicText(name, edits);
  }
  fs::path directory_;
};

// Two streams meet at h0's port, one in queue 3 and one in 4, with 30 and 10 of 40 turns, whatever the
// scenario's weights.
TEST_F(SonicRunOfEdited, QueuesShareByTheFilesWeights) {
  Write("rack.config_db.json", {{"/SCHEDULER/scheduler.1/weight", "30"},
                                {"/SCHEDULER/scheduler.0/weight", "10"},
                                {"/QUEUE/Ethernet0|4/scheduler", "scheduler.0"}});
  const std::string streams =
      "workloads:\n"
      "  - {name: s, type: stream, from: h1, to: h0, message: 64KiB, in_flight: 2, priority: storage}\n"
      "  - {name: t, type: stream, from: h2, to: h0, message: 64KiB, in_flight: 2, priority: second}\n";
  InChild([&] {
    std::string text = LeafSpine("", streams);
    text.replace(text.find("1ms"), 3, "5ms");
    const Scenario s = Load(text, directory_).scenario;
    const RunRecord r = CheckedRun(s);
    for (const PortRecord& p : r.ports) {
      if (p.node != Leaf0(s) || p.port != 0) continue;
      const double ratio =
          static_cast<double>(p.priority[3].tx_bytes) / static_cast<double>(p.priority[4].tx_bytes);
      // 18.75 MB and 6.25 MB in 5 ms, and at the end 128 KiB of each: 2.96.
      EXPECT_NEAR(ratio, 2.96, 0.05);
    }
  });
}

// DSCP 3 is in traffic class 4 at every port: its group and queue are 4, and so is the priority of its
// pauses.
TEST_F(SonicRunOfEdited, TheDscpDecidesTheGroup) {
  Write("rack.config_db.json", {{"/DSCP_TO_TC_MAP/AZURE/3", "4"}});
  Write("spine.config_db.json", {{"/DSCP_TO_TC_MAP/AZURE/3", "4"}});
  const std::string text = LeafSpine();
  try {
    Load(text, directory_);
    FAIL() << "priority 3 has no pauses in group 4";
  } catch (const ScenarioError& e) {
    EXPECT_NE(std::string(e.what()).find("group 4 sends no pause of its priority, 3"), std::string::npos)
        << e.what();
  }
  std::string fitting = text;
  const std::string was =
      "storage: {priority: 3, dscp: 3, lossless: true}, second: {priority: 4, dscp: 4, lossless: true}";
  fitting.replace(fitting.find(was), was.size(), "storage: {priority: 4, dscp: 3, lossless: true}");
  InChild([&] {
    const RunRecord r = CheckedRun(Load(fitting, directory_).scenario);
    EXPECT_FALSE(r.pauses.empty());
    for (const PauseRecord& p : r.pauses) EXPECT_EQ(p.priority, 4);
  });
}

TEST_F(SonicRunOfEdited, TheResolvedScenarioGivesTheSame) {
  // In the last scenario an entry for all switches marks one class of all, and the spines' file another.
  std::string mixed = LeafSpine();
  mixed.insert(
      mixed.find("  - {match: \"leaf*\""),
      "  - {match: \"*\", buffer: {profile: azure-24mb}, ecn: {storage: {kmin: 9MB, kmax: 9MB, pmax: "
      "1%}}}\n");
  for (const std::string& text : {LeafSpine(", ecn: {second: {kmin: 1KB, kmax: 2KB, pmax: 5%}}"),
                                  LeafSpine(", pfc: {watchdog: none}"), mixed}) {
    SCOPED_TRACE(text);
    const ScenarioFile file = Load(text);
    const Resolved resolved = WriteResolved(file);
    EXPECT_EQ(resolved.files.size(), 2u);
    for (const ReferencedFile& f : resolved.files)
      fs::copy_file(f.from, directory_ / f.name, fs::copy_options::overwrite_existing);
    const ScenarioFile again = Load(resolved.yaml, directory_);
    ExpectSameScenario(file.scenario, again.scenario);
    const auto run = [](const Scenario& s) {
      return TextFromChild([&] { return RecordText(headroom::Run(s, {})); });
    };
    ExpectSameText(run(again.scenario), run(file.scenario));
  }
}

}  // namespace
}  // namespace headroom::sonic_run_test
