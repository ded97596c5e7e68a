#include "report/result.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <functional>
#include <sstream>

#include "report/csv/result_file.h"
#include "report/small_storage_run.h"
#include "report/summary/summary.h"

namespace headroom::result_test {
namespace {

namespace fs = std::filesystem;

class WriteResultTest : public ::testing::Test {
 protected:
  WriteResultTest() : root_(fs::temp_directory_path() / ("headroom-result-" + std::to_string(getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~WriteResultTest() override { fs::remove_all(root_); }

  void Write(bool force = false, RunStatus status = RunStatus::complete) {
    RunRecord record = SmallRecord();
    record.status = status;
    Write(record, force);
  }
  void Write(const RunRecord& record, bool force) { Write(SmallScenario(), record, force); }
  void Write(const Scenario& s, const RunRecord& record, bool force) {
    WriteResult(target_, s, record, Summarise(s, record, {}), {{"resolved.yaml", "name: small\n"}}, force);
  }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(target_ / name).rdbuf();
    return text.str();
  }
  /// The contents of the results folder; temporary names would show here.
  std::vector<std::string> Entries() const {
    std::vector<std::string> names;
    for (const auto& e : fs::directory_iterator(root_)) names.push_back(e.path().filename());
    return names;
  }
  static std::string MessageOf(const std::function<void()>& action) {
    try {
      action();
    } catch (const ResultError& e) {
      return e.what();
    }
    return "no error";
  }

  const fs::path root_;
  const fs::path target_ = root_ / "small";
};

TEST_F(WriteResultTest, MessagesInOrderWithEmptyFieldsWhereThereIsNoValue) {
  Write();
  EXPECT_EQ(
      Read("messages.csv"),
      "id,workload,src,dst,scope,priority,verb,bytes,start_ns,delivered_ns,completed_ns,ideal_ns,slowdown,"
      "finished,marked_packets,retransmitted_packets\n"
      "pair/a/0,pair,a,b,cluster,3,write,1000,10000.000,11900.000,12000.000,1000.000,2.000000,1,0,0\n"
      "pair/b/0,pair,b,a,cluster,3,write,1000,10000.000,13900.000,14000.000,1000.000,4.000000,1,0,0\n"
      "pair/a/1,pair,a,b,cluster,3,write,1000,20000.000,,,1000.000,,0,0,0\n");
}

TEST_F(WriteResultTest, OfMessagesLinesOfSomeOrNone) {
  Scenario s = SmallScenario();
  RunRecord record = SmallRecord();
  const MessageRecord one = record.messages[0];
  record.messages.clear();
  for (uint32_t i = 0; i < 5000; ++i) {
    MessageRecord& m = record.messages.emplace_back(one);
    m.src = static_cast<NodeId>(i % 2);
    m.dst = 1 - m.src;
    m.number = i / 2;
  }
  const auto lines = [&](uint32_t one_in) {
    s.observe.messages.one_in = one_in;
    Write(s, record, true);
    std::vector<std::string> found;
    std::istringstream text(Read("messages.csv"));
    for (std::string line; std::getline(text, line);) found.push_back(line);
    return found;
  };
  const std::vector<std::string> all = lines(1);
  const std::string whole = Read("summary.json");
  ASSERT_EQ(all.size(), 5001u);
  const std::vector<std::string> some = lines(10);
  EXPECT_EQ(Read("summary.json"), whole);
  EXPECT_NEAR(static_cast<double>(some.size()), 501, 70);
  const auto of_a = std::ranges::count_if(some, [](const auto& line) { return line.starts_with("pair/a/"); });
  EXPECT_NEAR(static_cast<double>(of_a), 250, 50);
  for (const std::string& line : some) EXPECT_NE(std::ranges::find(all, line), all.end());
  EXPECT_LE(lines(100'000).size(), 3u);  // not the first of each kind
  EXPECT_EQ(lines(0), std::vector{all[0]});
}

TEST_F(WriteResultTest, EachLinkFromBothEnds) {
  Scenario s = SmallScenario();
  s.topology.links[1].spec = {GigabitsPerSecond(25), Nanoseconds(10), Nanoseconds(3), 0.0};
  Write(s, SmallRecord(), false);
  EXPECT_EQ(Read("links.csv"),
            "node,port,peer_node,peer_port,rate_bps,delay_ns\n"
            "a,p0,t0,Ethernet4,100000000000,15.000\n"
            "t0,Ethernet4,a,p0,100000000000,15.000\n"
            "b,p0,t0,p1,25000000000,13.000\n"
            "t0,p1,b,p0,25000000000,13.000\n");
}

/// A file as a type outside the tree registers it.
const Table<OperationRecord> kOwnFile{"own_of_test",
                                      "the operations of a type",
                                      [](const ResultRun& run, const auto& use) {
                                        for (const OperationRecord& o : run.record.operations) use(o);
                                      },
                                      {{"number", kinds::kCount, "number", &OperationRecord::number},
                                       {"size_bytes", kinds::kBytes, "size", &OperationRecord::bytes}},
                                      [](const ResultRun& run) { return !run.record.operations.empty(); }};

TEST_F(WriteResultTest, AFileThatAWorkloadTypeRegisters) {
  Write(SmallStorageScenario(), SmallStorageRecord(), false);
  const RunRecord record = SmallStorageRecord();
  const OperationRecord& first = record.operations.front();
  const std::string text = Read("own_of_test.csv");
  EXPECT_TRUE(text.starts_with(fmt::format("number,size_bytes\n{},{}\n", first.number, first.bytes.v)))
      << text;
  EXPECT_EQ(ResultFiles().at("own_of_test")->Columns()[1].help, "size");
  Write(SmallScenario(), SmallRecord(), true);
  EXPECT_FALSE(fs::exists(target_ / "own_of_test.csv"));
}

// With maps, as in a SONiC configuration, the curve is the port's own. Otherwise it is that of the class, at
// the port's rate.
TEST_F(WriteResultTest, TheThresholdsOfEveryQueueThatMarksAreThoseOfTheRun) {
  Scenario s = SmallScenario();
  s.switches[0].ecn[3] = EcnParameters{Kilobytes(50), Kilobytes(200), 0.05, GigabitsPerSecond(50)};
  Write(s, SmallRecord(), false);
  EXPECT_EQ(Read("marking.csv"),
            "node,port,queue,kmin_bytes,kmax_bytes,pmax\n"
            "t0,Ethernet4,3,100000,400000,0.05\n"
            "t0,p1,3,100000,400000,0.05\n");
  s.switches[0].qos.resize(2);
  s.switches[0].qos[1].ecn[4] = EcnParameters{Kilobytes(1), Kilobytes(2), 1, {}};
  Write(s, SmallRecord(), true);
  EXPECT_EQ(Read("marking.csv"), "node,port,queue,kmin_bytes,kmax_bytes,pmax\nt0,p1,4,1000,2000,1\n");
}

// The columns of message parts, which are zero for a service without RDMA.
#define kZeroParts ",0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000,0.000"

TEST_F(WriteResultTest, OperationsInOrderWithTheirPartsThatSumToTheirTime) {
  Write(SmallStorageScenario(), SmallStorageRecord(), false);
  EXPECT_EQ(
      Read("operations.csv"),
      "id,workload,service,kind,client,bytes,start_ns,completed_ns,status,retries,server,qp,ramp,"
      "t1_ns,t2_ns,t3_ns,t4_ns,t5_ns,t6_ns,scope,core_ns,core_queue_ns,credits_ns,chunk_ns,memory_ns,"
      "device_ns,network_ns,connection_ns,order_ns,timeout_ns,other_ns,own_queue_ns,own_packets_ns,"
      "limiter_ns,nic_ns,port_ns,queued_ns,paused_ns,recovery_ns,wire_ns,ack_queued_ns,"
      "ack_paused_ns,ack_wire_ns\n"
      "disks/a/0,disks,store,read,a,4096,1000.000,6000.000,ok,0,b,5,1,2000.000,2010.000,2350.000,"
      "5980.000,5980.000,6000.000,cluster,1000.000,0.000,0.000,0.000,0.000,2000.000,2000.000,0.000,0.000,0."
      "000,"
      "0.000" kZeroParts
      "\n"
      "disks/a/1,disks,store,read,a,4096,10000.000,20000.000,ok,0,b,5,0,11000.000,11010.000,11350.000,"
      "19980.000,19980.000,20000.000,cluster,1000.000,0.000,0.000,0.000,0.000,2000.000,7000.000,0.000,0.000,"
      "0."
      "000,0.000" kZeroParts
      "\n"
      "disks/a/2,disks,store,read,a,4096,20000.000,40000.000,ok,0,b,5,0,21000.000,21010.000,21350.000,"
      "39980.000,39980.000,40000.000,cluster,1000.000,0.000,0.000,0.000,0.000,2000.000,17000.000,0.000,0.000,"
      "0."
      "000,0.000" kZeroParts
      "\n"
      "disks/a/3,disks,store,read,a,4096,30000.000,60000.000,corrupt,1,b,5,0,31000.000,31010.000,"
      "31350.000,59980.000,59980.000,60000.000,cluster,1000.000,0.000,0.000,0.000,0.000,2000.000,27000.000,"
      "0.000,0.000,0.000,0.000" kZeroParts
      "\n"
      "disks/a/4,disks,store,write,a,4096,50000.000,58000.000,ok,0,b,5,0,51000.000,51010.000,51350.000,"
      "57980.000,57980.000,58000.000,cluster,1000.000,0.000,0.000,0.000,0.000,2000.000,5000.000,0.000,0.000,"
      "0."
      "000,0.000" kZeroParts
      "\n"
      "disks/a/"
      "5,disks,store,read,a,4096,60000.000,,,0,b,5,0,61000.000,,,,,,cluster,,,,,,,,,,,,,,,,,,,,,,,\n");
}

TEST_F(WriteResultTest, AnOperationThatWasNotPostedHasNoQueuePair) {
  RunRecord record = SmallStorageRecord();
  record.operations = {SmallOperation(0, OperationKind::write, Microseconds(1), kNever)};
  record.operations[0].times = {};
  Write(SmallStorageScenario(), record, false);
  const std::string text = Read("operations.csv");
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            "disks/a/0,disks,store,write,a,4096,1000.000,,,0,b,,0,,,,,,,cluster,,,,,,,,,,,,,,,,,,,,,,,\n");
}

TEST_F(WriteResultTest, OperationsHaveAHeaderWhereNoneIsKeptAndNoFileWithoutThem) {
  RunRecord record = SmallStorageRecord();
  record.operations.clear();
  Write(SmallStorageScenario(), record, false);
  const std::string text = Read("operations.csv");
  EXPECT_TRUE(text.starts_with("id,workload,service,kind,")) << text;
  EXPECT_EQ(text.find('\n') + 1, text.size());
  Write(/*force=*/true);
  EXPECT_FALSE(fs::exists(target_ / "operations.csv"));
}

TEST_F(WriteResultTest, ASummaryWhoseOperationsAreNoneIsRefused) {
  Write(SmallStorageScenario(), SmallStorageRecord(), false);
  const auto whole = ReadSummary(target_);
  for (const char* path : {"/operations", "/operations/disks", "/operations/disks/read", "/services",
                           "/services/store", "/cores", "/cores/a/utilisation"}) {
    auto damaged = whole;
    damaged[nlohmann::ordered_json::json_pointer(path)] = 7;
    WriteSummary(target_, damaged);
    std::string dotted = path + 1;
    std::replace(dotted.begin(), dotted.end(), '/', '.');
    EXPECT_EQ(MessageOf([&] { ReadSummary(target_); }),
              (target_ / "summary.json").string() + ": the file is not a summary of a run: " + dotted +
                  " is missing, or its type is wrong");
  }
}

TEST_F(WriteResultTest, PausesAtBothEnds) {
  Write();
  EXPECT_EQ(Read("pfc.csv"),
            "time_ns,node,port,peer_node,peer_port,priority,direction,duration_ns,refreshes,group_bytes\n"
            "11000.000,t0,Ethernet4,a,p0,3,tx,3000.000,1,4160\n"
            "11020.000,a,p0,t0,Ethernet4,3,rx,,1,\n");
}

TEST_F(WriteResultTest, PausesHaveTheirCausesTheirSharesSumToOne) {
  RunRecord record = SmallRecord();
  record.pause_causes = SmallCauses();
  Write(record, false);
  EXPECT_EQ(
      Read("pfc_causes.csv"),
      "start_ns,node,port,priority,duration_ns,root_node,root_port,root_queue,workload,share,root_kind\n"
      "11000.000,t0,Ethernet4,3,3000.000,t0,p1,3,pair,0.750000,queue\n"
      "11000.000,t0,Ethernet4,3,3000.000,a,p0,3,pair,0.200000,receiver\n"
      "11000.000,t0,Ethernet4,3,3000.000,t0,Ethernet4,3,,0.050000,queue\n");
}

TEST_F(WriteResultTest, SmallRootsTogetherHaveNoPlace) {
  RunRecord record = SmallRecord();
  record.pause_causes = {{1, {PauseRoot::Kind::cycle, 2, 1, 3, 1}, 2.0 / 3},
                         {1, {PauseRoot::Kind::rest, 0, 0, 0, 0}, 1.0 / 3}};
  Write(record, false);
  const std::string csv = Read("pfc_causes.csv");
  EXPECT_EQ(csv.substr(csv.find('\n') + 1),
            "11000.000,t0,Ethernet4,3,3000.000,t0,p1,3,pair,0.666667,cycle\n"
            "11000.000,t0,Ethernet4,3,3000.000,,,,,0.333333,rest\n");
}

TEST_F(WriteResultTest, EventsAreQuotedWhereNeeded) {
  Write();
  EXPECT_EQ(Read("events.csv"),
            "time_ns,event,node,port,priority,detail\n"
            "10000.000,fault_start,t0,,,\n"
            "11000.000,first_mark,t0,p1,3,\"queue at 5, above \"\"kmin\"\"\"\n");
}

TEST_F(WriteResultTest, PortsListThePrioritiesInUse) {
  Write();
  const std::string ports = Read("ports.csv");
  std::string reasons, no_drops;
  for (int r = 0; r < kDropReasons; ++r) {
    reasons += std::string(",drop_") + DropReasonName(static_cast<DropReason>(r));
    no_drops += ",0";
  }
  EXPECT_EQ(ports.substr(0, ports.find('\n')),
            "node,port,priority,tx_bytes,tx_packets,rx_bytes,rx_packets,utilisation,marked_packets" +
                reasons +
                ",pauses_tx,pauses_rx,paused_us_tx,paused_us_rx,peak_queue_bytes,peak_group_bytes,"
                "peak_headroom_bytes,pfc_frames_tx,pfc_frames_rx,headroom_configured_bytes,"
                "peak_group_shared_bytes,peak_queue_shared_bytes");
  // 125000 B on the wire are 10 µs of the 100 µs.
  const std::string row = "\nt0,Ethernet4,3,2000,2,0,0,0.100000,0" + no_drops +
                          ",1,0,3.000000,0.000000,0,4160,0,3,5,9000,2912,0\n";
  EXPECT_NE(ports.find(row), std::string::npos) << ports;
  EXPECT_EQ(std::count(ports.begin(), ports.end(), '\n'), 1 + 4 * 2);
}

TEST_F(WriteResultTest, SeriesHaveAHeaderAlways) {
  RunRecord record = SmallRecord();
  record.rates = {{Microseconds(2), 1, 0, GigabitsPerSecond(20), Bytes(2500), 0},
                  {Microseconds(1), 0, 4, GigabitsPerSecond(40), Bytes(0), 1}};
  record.groups = {{Microseconds(1), 2, 1, 3, Bytes(208), Bytes(0), Bytes(9000)},
                   {Microseconds(2), 2, 1, 6, Bytes(208), Bytes(0), Bytes(-1)}};
  record.goodput = {{Microseconds(5), 0, Bytes(77)}};
  Write(record, false);
  EXPECT_EQ(Read("queues.csv"), "time_ns,node,port,queue,bytes\n");
  EXPECT_EQ(Read("groups.csv"),
            "time_ns,node,port,group,shared_bytes,headroom_bytes,xoff_at_bytes\n1000.000,t0,p1,3,208,0,9000\n"
            "2000.000,t0,p1,6,208,0,\n");
  EXPECT_EQ(Read("rates.csv"),
            "time_ns,host,qp,rate_bps,sent_bytes,peer\n1000.000,a,4,40000000000,0,b\n"
            "2000.000,b,0,20000000000,2500,a\n");
  EXPECT_EQ(Read("goodput.csv"), "time_ns,workload,bytes\n5000.000,pair,77\n");
}

TEST_F(WriteResultTest, NotificationsAndDropsOneByOne) {
  RunRecord record = SmallRecord();
  record.cnps = {{Microseconds(2), 1, 0, false}, {Microseconds(1), 0, 4, true}};
  DropRecord& drop = record.drops.emplace_back();
  drop.time = Microseconds(3);
  drop.limit = Bytes(5000);
  drop.fill = Bytes(4500);
  drop.node = 2;
  drop.port = 1;
  drop.src = 0;
  drop.dst = 1;
  drop.psn = 7;
  drop.bytes = 1082;
  drop.priority = 6;
  drop.queue = 6;
  drop.reason = DropReason::egress_limit;
  Write(record, false);
  EXPECT_EQ(Read("cnps.csv"), "time_ns,host,qp,effect\n1000.000,a,4,cut\n2000.000,b,0,none\n");
  EXPECT_EQ(Read("drops.csv"),
            "time_ns,node,port,priority,reason,bytes,kind,src,dst,message,psn,queue,limit_bytes,fill_bytes\n"
            "3000.000,t0,p1,6,egress_limit,1082,data,a,b,,7,6,5000,4500\n");
}

TEST_F(WriteResultTest, WatchdogHasALineForEachWatchedQueue) {
  RunRecord record = SmallRecord();
  record.watchdogs = {{2, 0, 3, "drop", false, 2, 2, {1, 2, 3, 4}, {5, 6, 7, 8}},
                      {2, 1, 3, "alert", true, 1, 0, {}, {}}};
  Write(record, false);
  EXPECT_EQ(Read("watchdog.csv"),
            "node,port,priority,action,status,storms_detected,storms_restored,tx_ok,tx_drop,rx_ok,rx_drop,"
            "tx_ok_last,tx_drop_last,rx_ok_last,rx_drop_last\n"
            "t0,Ethernet4,3,drop,operational,2,2,1,2,3,4,5,6,7,8\n"
            "t0,p1,3,alert,stormed,1,0,0,0,0,0,0,0,0,0\n");
}

TEST_F(WriteResultTest, AFinishedResultIsReplacedByForceOnly) {
  Write();
  const std::string message = MessageOf([&] { Write(); });
  EXPECT_EQ(message,
            target_.string() + ": holds a finished result; give --force to replace it, or another --out");
  std::ofstream(target_ / "mark") << "old";
  Write(/*force=*/true);
  EXPECT_EQ(Read("mark"), "old");  // the result did not write this file
  EXPECT_EQ(Entries(), std::vector<std::string>{"small"});
}

TEST_F(WriteResultTest, AnInterruptedResultGivesWay) {
  Write(false, RunStatus::interrupted);
  Write();
  EXPECT_EQ(ReadSummary(target_)["status"], "complete");
}

TEST_F(WriteResultTest, AFolderThatIsNoResultIsLeftAloneEvenByForce) {
  fs::create_directories(target_);
  std::ofstream(target_ / "thesis.tex") << "all of it";
  EXPECT_NE(MessageOf([&] { Write(true); }).find("not a result"), std::string::npos);
  EXPECT_EQ(Read("thesis.tex"), "all of it");
}

TEST_F(WriteResultTest, WhereNothingCanBeMadeTheErrorNamesTheTarget) {
  std::ofstream(root_ / "file") << "";
  const Scenario s = SmallScenario();
  const fs::path target = root_ / "file" / "small";
  const std::string message =
      MessageOf([&] { WriteResult(target, s, SmallRecord(), Summarise(s, SmallRecord(), {}), {}, false); });
  EXPECT_EQ(message, target.string() + ": cannot be written: Not a directory");
}

TEST_F(WriteResultTest, AFullDiskLeavesNothingHalfWritten) {
  // A limit on the size of files replaces a full disk. Writes beyond it fail in the same way.
  RunRecord record = SmallRecord();
  record.messages.assign(2000, record.messages[0]);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 64 * 1024;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = MessageOf([&] { Write(record, false); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(message.find("messages.csv: cannot be written: File too large"), std::string::npos) << message;
  EXPECT_TRUE(Entries().empty());
}

TEST_F(WriteResultTest, ManyMessagesTakeLittleTime) {
  RunRecord record = SmallRecord();
  record.messages.assign(200'000, record.messages[2]);
  const std::clock_t start = std::clock();  // CPU time, because other processes may use the processor, too
  Write(record, false);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  // A fifth of a second when optimised (0.8 s for a million); with sanitizers it takes a multiple.
  EXPECT_LT(seconds, 20);
  EXPECT_GT(fs::file_size(target_ / "messages.csv"), 18'000'000u);
}

TEST(ReadSummary, SaysWhereThereIsNoResult) {
  try {
    ReadSummary("/nowhere");
    FAIL();
  } catch (const ResultError& e) {
    EXPECT_STREQ(e.what(), "/nowhere: there is no such result");
  }
}

}  // namespace
}  // namespace headroom::result_test
