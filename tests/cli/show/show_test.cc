// The tables of `headroom show`, on a result made by hand (tests/report/small_run.h). Switch t0 has ports
// Ethernet4 and p1, and uses priorities 3 and 6.
#include "cli/show/show.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "report/result.h"
#include "report/small_run.h"
#include "report/summary/summary.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/text_file.h"

namespace headroom::show_test {
namespace {

namespace fs = std::filesystem;

const std::string kResolved = std::string("name: small\nduration: 1ms\n") + kSmallNetworkYaml + R"(switches:
  - match: "*"
    buffer: {profile: azure-24mb}
    ecn: {storage: {kmin: 100KB, kmax: 400KB, pmax: 12.5%}}
workloads:
  - {name: pair, type: list, messages: [{at: 0us, from: a, to: b, size: 1KB}]}
)";

class ShowTest : public ::testing::Test {
 protected:
  ShowTest() : root_(fs::temp_directory_path() / ("headroom-show-" + std::to_string(getpid()))) {
    const Scenario scenario = SmallScenario();
    RunRecord record = SmallRecord();
    record.ports[2].priority[3].peak_headroom = Bytes(2080);
    record.ports[2].priority[3].drops[static_cast<int>(DropReason::group_cap)] = 4;
    record.ports[2].priority[3].drops[static_cast<int>(DropReason::headroom_full)] = 1;
    record.ports[3].priority[3].marked_packets = 7;
    record.ports[3].priority[3].peak_queue_shared = Bytes(150'000);
    record.watchdogs = {{2, 0, 3, "drop", false, 0, 0, {}, {}},
                        {2, 1, 3, "drop", true, 2, 1, {5, 6, 7, 8}, {1, 2, 3, 4}}};
    WriteResult(root_, scenario, record, Summarise(scenario, record, {}), {{"resolved.yaml", kResolved}},
                false);
  }
  ~ShowTest() override { fs::remove_all(root_); }

  std::string Text(ShowOptions options) const {
    std::ostringstream out;
    Show(root_, options, out);
    return out.str();
  }
  std::string Text(const std::string& table) const { return Text(ShowOptions{table, {}, false, false}); }
  std::string Refusal(const ShowOptions& options) const {
    try {
      Text(options);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  }

  const fs::path root_;
};

TEST_F(ShowTest, PfcCountersAreFramesByPortAndPriority) {
  // 2 pauses and a resume were sent, 5 received.
  EXPECT_EQ(Text("pfc counters"),
            "switch t0\n"
            "  Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7\n"
            "---------  ------  ------  ------  ------  ------  ------  ------  ------\n"
            "Ethernet4       0       0       0       5       0       0       0       0\n"
            "       p1       0       0       0       0       0       0       0       0\n"
            "\n"
            "  Port Tx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7\n"
            "---------  ------  ------  ------  ------  ------  ------  ------  ------\n"
            "Ethernet4       0       0       0       3       0       0       0       0\n"
            "       p1       0       0       0       0       0       0       0       0\n");
}

TEST_F(ShowTest, WatermarksHaveSonicsTitles) {
  EXPECT_EQ(Text({"priority-group watermark headroom", {}, true, false}),
            "switch t0\n"
            "Ingress headroom per PG:\n"
            "     Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6    PG7\n"
            "---------  -----  -----  -----  -----  -----  -----  -----  -----\n"
            "Ethernet4      0      0      0   2080      0      0      0      0\n");
  EXPECT_EQ(Text({"priority-group watermark shared", {}, true, false}),
            "switch t0\n"
            "Ingress shared pool occupancy per PG:\n"
            "     Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6    PG7\n"
            "---------  -----  -----  -----  -----  -----  -----  -----  -----\n"
            "Ethernet4      0      0      0   2912      0      0      0      0\n");
  EXPECT_EQ(Text("buffer_pool watermark"),
            "switch t0\n"
            "Shared pool maximum occupancy:\n"
            "  Pool    Bytes\n"
            "------  -------\n"
            "    in     4000\n"
            "  both        3\n");  // the direction with more bytes
  EXPECT_EQ(Text("headroom-pool watermark"),
            "switch t0\n"
            "Headroom pool maximum occupancy:\n"
            "  Pool    Bytes\n"
            "------  -------\n"
            "    in      500\n"
            "  both        2\n");
  EXPECT_EQ(Text({"queue watermark unicast", {}, true, false}),
            "switch t0\n"
            "Egress shared pool occupancy per unicast queue:\n"
            "  Port    UC0    UC1    UC2     UC3    UC4    UC5    UC6    UC7\n"
            "------  -----  -----  -----  ------  -----  -----  -----  -----\n"
            "    p1      0      0      0  150000      0      0      0      0\n");
}

TEST_F(ShowTest, DropsStandWithTheGroupOrTheQueueThatRefused) {
  EXPECT_EQ(Text({"priority-group drop counters", {}, true, false}),
            "switch t0\n"
            "Ingress PG dropped packets:\n"
            "     Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6    PG7\n"
            "---------  -----  -----  -----  -----  -----  -----  -----  -----\n"
            "Ethernet4      0      0      0      5      0      0      0      0\n");
  EXPECT_EQ(Text("queue counters"),
            "switch t0\n"
            "     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes\n"
            "---------  -----  --------------  ---------------  -----------  ------------\n"
            "Ethernet4    UC3               2             2000            0           N/A\n"
            "Ethernet4    UC6               0                0            0           N/A\n"
            "       p1    UC3               0                0            0           N/A\n"
            "       p1    UC6               0                0            1           N/A\n");
}

TEST_F(ShowTest, MarksAndTheirThresholds) {
  EXPECT_EQ(Text({"queue wredcounters", {}, true, false}),
            "switch t0\n"
            "  Port    TxQ    WredDrp/pkts    WredDrp/bytes    EcnMarked/pkts    EcnMarked/bytes\n"
            "------  -----  --------------  ---------------  ----------------  -----------------\n"
            "    p1    UC3               0                0                 7                N/A\n");
  EXPECT_EQ(Text("ecn"),
            "switch t0\n"
            "Class: storage, queue 3 (thresholds of the scenario)\n"
            "                 field      value\n"
            "----------------------  ---------\n"
            "                   ecn  ecn_green\n"
            "   green_min_threshold     100000\n"
            "   green_max_threshold     400000\n"
            "green_drop_probability       12.5\n");
}

TEST_F(ShowTest, ControlsHaveWhatTheyNeedOfSwitchesAndNics) {
  const auto of = [&](const std::string& nics) {
    std::ofstream(root_ / "resolved.yaml") << kResolved << "nics: [" << nics << "]\n";
    return Text("control");
  };
  const std::string dctcp = of("{match: a, congestion_control: dctcp}");
  EXPECT_NE(dctcp.find("1 host, as a: {type: dctcp, variant: rfc"), std::string::npos) << dctcp;
  EXPECT_NE(dctcp.find(
                "ECN marks from one threshold on: kmin = kmax, pmax 100 %\n"
                "              class storage: kmin 100KB, kmax 400KB, pmax 12.5 %: 1 of 1 switches, as t0\n"),
            std::string::npos);
  EXPECT_NE(dctcp.find("as b: dcqcn\n"), std::string::npos);
  const std::string hpcc = of("{match: \"*\", congestion_control: {type: hpcc, hops: 3}}");
  EXPECT_NE(
      hpcc.find("telemetry (INT): time, rate, bytes sent and bytes queued, in data of up to 3 switches"),
      std::string::npos);
  EXPECT_NE(hpcc.find("26 B more in data and their ACKs"), std::string::npos);
  EXPECT_NE(hpcc.find("no ECN: it ignores marks"), std::string::npos);
  for (const char* name : {"timely", "swift"}) {
    const std::string trips = of(std::string("{match: \"*\", congestion_control: ") + name + "}");
    EXPECT_NE(trips.find("timestamps of data and ACKs"), std::string::npos) << trips;
  }
  EXPECT_NE(of("{match: \"*\", congestion_control: receiver_credit}")
                .find("receivers that send a credit for each packet, at 98 % of their line rate"),
            std::string::npos);
  EXPECT_NE(of("{match: \"*\", congestion_control: none}").find("ROCE_CC_PRIO_MASK_P1=0"), std::string::npos);
  const std::string wrong = Refusal({"control", "x", false, false});
  EXPECT_NE(wrong.find("there is no host \"x\"; there are: a, b"), std::string::npos) << wrong;
}

TEST_F(ShowTest, WatchdogStatsArePairsAsInSonic) {
  EXPECT_EQ(
      Text({"pfcwd show stats", {}, true, false}),
      "switch t0\n"
      "  QUEUE    STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP    TX LAST OK/DROP    "
      "RX LAST OK/DROP\n"
      "-------  --------  -------------------------  ------------  ------------  -----------------  "
      "-----------------\n"
      "   p1:3   stormed                        2/1           5/6           7/8                1/2      "
      "          3/4\n");
}

TEST_F(ShowTest, JsonHasTheSameRows) {
  EXPECT_EQ(Text({"priority-group watermark headroom", "t*", true, true}), R"({
  "table": "priority-group watermark headroom",
  "tables": [
    {
      "switch": "t0",
      "title": "Ingress headroom per PG:",
      "rows": [
        {
          "Port": "Ethernet4",
          "PG0": 0,
          "PG1": 0,
          "PG2": 0,
          "PG3": 2080,
          "PG4": 0,
          "PG5": 0,
          "PG6": 0,
          "PG7": 0
        }
      ]
    }
  ]
}
)");
}

TEST_F(ShowTest, SonicsOwnWordsAreUnderstood) {
  EXPECT_EQ(Text("show pfc counters"), Text("pfc counters"));
  EXPECT_EQ(Refusal({"pfc counter", {}, false, false}),
            "there is no table \"pfc counter\"; did you mean \"pfc counters\"?");
  EXPECT_EQ(Refusal({"queue watermark", {}, false, false}),
            "there is no table \"queue watermark\"; did you mean \"queue watermark unicast\"?");
  EXPECT_EQ(Refusal({"acl", {}, false, false}).substr(0, 50),
            "there is no table \"acl\"; there are: pfc counters, ");
}

TEST_F(ShowTest, ASwitchThatIsNotThereIsNamed) {
  EXPECT_EQ(Refusal({"ecn", "t1", false, false}),
            root_.string() + ": there is no switch \"t1\"; did you mean \"t0\"?");
  EXPECT_EQ(Refusal({"ecn", "leaf*", false, false}),
            root_.string() + ": there is no switch \"leaf*\"; there are: t0");
}

TEST_F(ShowTest, ANodeOfTheOtherKindIsToldFromOneThatIsNotThere) {
  EXPECT_EQ(Refusal({"pfc counters", "a", false, false}),
            root_.string() +
                ": \"a\" is a host; the table \"pfc counters\" covers switches; there are: t0 (for hosts use "
                "the table \"estats\")");
}

TEST_F(ShowTest, TheProfileOfAConfigurationHasItsName) {
  const ScenarioFile file =
      LoadScenarioFile(std::string(HEADROOM_SOURCE_DIR) + "/scenarios/own-switch.yaml", {});
  const Resolved resolved = WriteResolved(file);
  std::vector<NamedText> texts = {{"resolved.yaml", resolved.yaml}};
  for (const auto& f : resolved.files) texts.push_back({f.name, ReadTextFile(f.from)});
  WriteResult(root_, SmallScenario(), SmallRecord(), Summarise(SmallScenario(), SmallRecord(), {}), texts,
              true);
  const std::string text = Text("ecn");
  EXPECT_EQ(text,
            "switch t0\n"
            "Profile: AZURE_LOSSLESS, class storage, queue 3\n"
            "                 field     value\n"
            "----------------------  --------\n"
            "                   ecn   ecn_all\n"
            "   green_min_threshold   2000000\n"
            "   green_max_threshold  10000000\n"
            "green_drop_probability         5\n");
}

TEST_F(ShowTest, OfSeveralRunsOneIsToBeNamed) {
  const fs::path several = root_.string() + "-several";
  fs::create_directories(several);
  fs::copy(root_, several / "seed-1", fs::copy_options::recursive);
  fs::copy(root_, several / "seed-2", fs::copy_options::recursive);
  std::ostringstream out;
  try {
    Show(several, {"ecn", {}, false, false}, out);
    FAIL();
  } catch (const ResultError& e) {
    EXPECT_EQ(e.what(),
              several.string() + ": holds 2 runs; name one of them, such as " + several.string() + "/seed-1");
  }
  fs::remove_all(several);
  try {
    Show(root_ / "none", {"ecn", {}, false, false}, out);
    FAIL();
  } catch (const ResultError& e) {
    EXPECT_EQ(e.what(), (root_ / "none").string() + ": there is no such result");
  }
}

TEST_F(ShowTest, EstatsAreOfHosts) {
  Scenario scenario = SmallScenario();
  scenario.observe.estats = {Seconds(60), {"*"}};
  RunRecord record = SmallRecord();
  EstatsRecord e;
  e.until = Microseconds(100);
  e.host = 1;
  e.peer = 0;
  e.qp = 4;
  e.workload = 0;
  e.operation = WcOpcode::rdma_read;
  e.count = 12;
  e.t5_t1 = {Nanoseconds(-500), Nanoseconds(2'500), Microseconds(3), Microseconds(4)};
  e.t6_t1 = {Microseconds(5), Microseconds(6), Microseconds(7), Picoseconds(8'000'001)};
  record.estats = {e};
  record.estats_totals = {e};
  WriteResult(root_, scenario, record, Summarise(scenario, record, {}), {{"resolved.yaml", kResolved}}, true);
  EXPECT_EQ(ReadTextFile(root_ / "estats.csv"),
            "time_ns,host,peer,qp,workload,operation,status,count,t5_t1_p50_ns,t5_t1_p99_ns,t5_t1_p999_ns,t5_"
            "t1_max_ns,"
            "t6_t1_p50_ns,t6_t1_p99_ns,t6_t1_p999_ns,t6_t1_max_ns\n"
            "100000.000,b,a,4,pair,rdma_read,success,12,-500.000,2500.000,3000.000,4000.000,5000.000,6000."
            "000,7000.000,"
            "8000.001\n");
  const std::string text = Text("estats");
  EXPECT_TRUE(text.starts_with(
      "host b\n  Until [us]    Peer    QP    Operation    Status    Count    T5-T1 p50 [us]"))
      << text;
  EXPECT_NE(text.find("100.0       a     4    rdma_read   success       12              -0.5"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("8.000001\n"), std::string::npos) << text;
  EXPECT_EQ(
      Refusal({"estats", "t0", false, false}),
      root_.string() + ": \"t0\" is a switch; the table \"estats\" covers hosts that kept any; there are: b");
}

TEST_F(ShowTest, WithoutEstatsItSaysHowToAskForThem) {
  try {
    Text("estats");
    FAIL() << "no error";
  } catch (const ResultError& e) {
    EXPECT_NE(std::string(e.what()).find("observe: {estats: {}}"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace headroom::show_test
