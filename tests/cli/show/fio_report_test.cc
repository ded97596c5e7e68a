// `headroom show DIR io`: fio's report on results made by hand (tests/report/small_storage_run.h).
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "cli/show/show.h"
#include "report/result.h"
#include "report/small_storage_run.h"
#include "report/summary/summary.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"
#include "support/text_file.h"

namespace headroom::fio_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string Resolved(const std::string& operations) {
  return std::string("name: small\nseed: 7\nduration: 2s\n") + kSmallNetworkYaml +
         R"(switches: [{match: "*", buffer: {profile: azure-24mb}}]
services:
  - {name: store, type: storage, compute: a, extent_nodes: b, front: {protocol: sk_rdma}}
workloads:
  - {name: disks, type: io, service: store, blocks: [{size: 4KiB}], reads: 75%, depth: 2}
observe: {operations: )" +
         operations + "}\n";
}

class FioTest : public ::testing::Test {
 protected:
  FioTest() : root_(fs::temp_directory_path() / ("headroom-fio-" + std::to_string(getpid()))) {
    Write(SmallStorageRecord());
  }
  ~FioTest() override { fs::remove_all(root_); }

  void Write(const RunRecord& record, const std::string& operations = "all") {
    const Scenario s = SmallStorageScenario();
    WriteResult(root_, s, record, Summarise(s, record, {}), {{"resolved.yaml", Resolved(operations)}}, true);
  }
  std::string Text(std::optional<std::string> node = {}, bool json = false) const {
    std::ostringstream out;
    Show(root_, {"io", node, false, json}, out);
    return out.str();
  }
  ordered_json Json(std::optional<std::string> node = {}) const {
    return ordered_json::parse(Text(node, true));
  }
  std::string Refusal(std::optional<std::string> node = {}, bool json = false) const {
    try {
      Text(node, json);
    } catch (const std::exception& e) {
      return e.what();
    }
    return "no error";
  }

  const fs::path root_;
};

std::vector<std::string> Keys(const ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, unused] : object.items()) keys.push_back(key);
  return keys;
}

TEST_F(FioTest, OperationsOfOtherServicesBesideDisksAreNoJobs) {
  const std::string before = Text();
  const std::string resolved = Resolved("all");
  std::ifstream in(root_ / "operations.csv");
  std::string line;  // the last line: lines are in the order of time
  for (std::string next; std::getline(in, next);) line = next;
  const size_t of = line.find(",disks,");
  ASSERT_NE(of, std::string::npos) << line;
  std::ofstream(root_ / "operations.csv", std::ios::app) << line.replace(of, 7, ",payloads,") << '\n';
  for (const auto& [service, workload] :
       {std::pair("rdmavisor, servers: b, clients: a", "transfers, size: 2KiB, verb: read"),
        std::pair("nccl, ranks: [a, b]", "send_receive, size: 2KiB")}) {
    std::string yaml = resolved;
    yaml.replace(yaml.find("workloads:\n"), 11,
                 fmt::format("  - {{name: lines, type: {}}}\nworkloads:\n"
                             "  - {{name: payloads, service: lines, type: {}}}\n",
                             service, workload));
    std::ofstream(root_ / "resolved.yaml") << yaml;
    EXPECT_EQ(Text(), before) << service;
  }
}

// Two reads succeeded, from 10 to 20 and from 20 to 40 µs. Each was posted 1 µs after its start. One that
// returned wrong data ended at 60 µs; the write took 8 µs. In the time from the first start at 1 µs to 100 µs
// there are three reads, one of them of the ramp, and the write.
TEST_F(FioTest, TextIsFiosLineByLine) {
  EXPECT_EQ(Text(),
            "disks: (groupid=0, jobs=1): err=84 (wrong CRC): pid=0: small, seed 7\n"
            "  read: IOPS=30.3k, BW=118MiB/s (124MB/s)(12.0KiB/0.099msec)\n"
            "    slat (nsec): min=1000, max=1000, avg=1000.00, stdev= 0.00\n"
            "    clat (nsec): min=9000, max=19000, avg=14000.00, stdev=7071.07\n"
            "     lat (nsec): min=10000, max=20000, avg=15000.00, stdev=7071.07\n"
            "    clat percentiles (nsec):\n"
            "     |  1.00th=[ 9000],  5.00th=[ 9000], 10.00th=[ 9000], 20.00th=[ 9000],\n"
            "     | 30.00th=[ 9000], 40.00th=[ 9000], 50.00th=[ 9000], 60.00th=[19000],\n"
            "     | 70.00th=[19000], 80.00th=[19000], 90.00th=[19000], 95.00th=[19000],\n"
            "     | 99.00th=[19000], 99.50th=[19000], 99.90th=[19000], 99.95th=[19000],\n"
            "     | 99.99th=[19000]\n"
            "  write: IOPS=10.1k, BW=39.5MiB/s (41.4MB/s)(4096B/0.099msec)\n"
            "    slat (nsec): min=1000, max=1000, avg=1000.00, stdev= 0.00\n"
            "    clat (nsec): min=7000, max=7000, avg=7000.00, stdev= 0.00\n"
            "     lat (nsec): min=8000, max=8000, avg=8000.00, stdev= 0.00\n"
            "    clat percentiles (nsec):\n"
            "     |  1.00th=[ 7000],  5.00th=[ 7000], 10.00th=[ 7000], 20.00th=[ 7000],\n"
            "     | 30.00th=[ 7000], 40.00th=[ 7000], 50.00th=[ 7000], 60.00th=[ 7000],\n"
            "     | 70.00th=[ 7000], 80.00th=[ 7000], 90.00th=[ 7000], 95.00th=[ 7000],\n"
            "     | 99.00th=[ 7000], 99.50th=[ 7000], 99.90th=[ 7000], 99.95th=[ 7000],\n"
            "     | 99.99th=[ 7000]\n"
            "  lat (usec)   : 10=66.67%, 20=33.33%\n"
            "  cpu          : usr=0.00%, sys=30.00%, ctx=0, majf=0, minf=0\n"
            "  IO depths    : 1=60.0%, 2=40.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
            "     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
            "     complete  : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
            "     issued rwts: total=2,1,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
            "     errors    : total=1, first_error=84/<wrong CRC>\n"
            "\n"
            "Run status group 0 (all jobs):\n"
            "   READ: bw=118MiB/s (124MB/s), 118MiB/s-118MiB/s (124MB/s-124MB/s), io=12.0KiB (12.3kB), "
            "run=0.099-0.099msec\n"
            "  WRITE: bw=39.5MiB/s (41.4MB/s), 39.5MiB/s-39.5MiB/s (41.4MB/s-41.4MB/s), io=4096B (4096B), "
            "run=0.099-0.099msec\n");
}

TEST_F(FioTest, JsonHasFiosFieldsAtEachLevel) {
  const ordered_json report = Json();
  EXPECT_EQ(Keys(report), (std::vector<std::string>{"fio version", "timestamp", "timestamp_ms", "time",
                                                    "global options", "jobs", "disk_util"}));
  const ordered_json& job = report["jobs"].at(0);
  const std::vector<std::string> with_errors = {"jobname",       "groupid",        "error",
                                                "total_err",     "first_error",    "eta",
                                                "elapsed",       "job options",    "read",
                                                "write",         "trim",           "sync",
                                                "job_runtime",   "usr_cpu",        "sys_cpu",
                                                "ctx",           "majf",           "minf",
                                                "iodepth_level", "iodepth_submit", "iodepth_complete",
                                                "latency_ns",    "latency_us",     "latency_ms",
                                                "latency_depth", "latency_target", "latency_percentile",
                                                "latency_window"};
  EXPECT_EQ(Keys(job), with_errors);
  const std::vector<std::string> side = {"io_bytes",  "io_kbytes",   "bw_bytes",    "bw",       "iops",
                                         "runtime",   "total_ios",   "short_ios",   "drop_ios", "slat_ns",
                                         "clat_ns",   "lat_ns",      "bw_min",      "bw_max",   "bw_agg",
                                         "bw_mean",   "bw_dev",      "bw_samples",  "iops_min", "iops_max",
                                         "iops_mean", "iops_stddev", "iops_samples"};
  for (const char* direction : {"read", "write", "trim"}) EXPECT_EQ(Keys(job[direction]), side) << direction;
  EXPECT_EQ(Keys(job["read"]["slat_ns"]), (std::vector<std::string>{"min", "max", "mean", "stddev", "N"}));
  EXPECT_EQ(Keys(job["latency_us"]),
            (std::vector<std::string>{"2", "4", "10", "20", "50", "100", "250", "500", "750", "1000"}));
  EXPECT_EQ(Keys(job["latency_ms"]).back(), ">=2000");
  EXPECT_EQ(Keys(job["latency_ms"]).size(), 12u);
  EXPECT_EQ(Keys(job["iodepth_level"]), (std::vector<std::string>{"1", "2", "4", "8", "16", "32", ">=64"}));
  EXPECT_EQ(job["job options"].dump(),
            R"({"name":"disks","rw":"randrw","rwmixread":"75","bs":"4096","iodepth":"2","numjobs":"1"})");
}

TEST_F(FioTest, JsonAndSummaryAgree) {
  const ordered_json job = Json()["jobs"].at(0);
  const ordered_json disks = ReadSummary(root_)["operations"]["disks"];
  for (const char* direction : {"read", "write"}) {
    const ordered_json &side = job[direction], &of = disks[direction];
    EXPECT_DOUBLE_EQ(side["iops"], of["iops"]) << direction;
    EXPECT_NEAR(side["bw_bytes"], of["gbps"].get<double>() / 8 * 1e9, 0.5) << direction;
    EXPECT_EQ(side["clat_ns"]["N"],
              of["finished"].get<int>() - of["failed"].get<int>() - of["corrupt"].get<int>());
    EXPECT_EQ(side["clat_ns"]["percentile"].size(), 17u);
    EXPECT_EQ(side["slat_ns"]["mean"].get<double>() + side["clat_ns"]["mean"].get<double>(),
              side["lat_ns"]["mean"].get<double>());
  }
  EXPECT_EQ(job["read"]["clat_ns"]["percentile"]["50.000000"], 9000);
  EXPECT_EQ(job["read"]["clat_ns"]["percentile"]["99.990000"], 19'000);
  EXPECT_EQ(job["error"], 84);
  EXPECT_EQ(job["total_err"], 1);
  EXPECT_EQ(job["sys_cpu"], 30);  // a's two cores worked 25 % and 5 % of the run
}

// In a run with a ramp, the report and the summary leave out operations that start during the ramp.
TEST_F(FioTest, OfARunTheReportAndTheSummaryAgree) {
  std::string yaml = Resolved("all");
  yaml.replace(yaml.find("depth: 2"), 8, "depth: 2, ramp: 100us, stop: 1ms");
  std::ofstream(root_ / "run.yaml") << yaml;
  InChild([&] {
    const Scenario scenario = LoadScenario(root_ / "run.yaml");
    const RunRecord record = headroom::Run(scenario, {});
    WriteResult(root_ / "result", scenario, record, Summarise(scenario, record, {}),
                {{"resolved.yaml", yaml}}, true);
  });
  std::ostringstream out;
  Show(root_ / "result", {"io", {}, false, true}, out);
  const ordered_json job = ordered_json::parse(out.str())["jobs"].at(0);
  const ordered_json disks = ReadSummary(root_ / "result")["operations"]["disks"];
  EXPECT_GT(disks["all"]["ramp_offered"], 5);
  for (const char* direction : {"read", "write"}) {
    const ordered_json &side = job[direction], &of = disks[direction];
    ASSERT_GT(of["offered"], 50) << direction;
    EXPECT_EQ(side["clat_ns"]["N"], of["offered"]);
    EXPECT_NEAR(side["total_ios"].get<double>(), of["offered"].get<double>(), 3);
    EXPECT_DOUBLE_EQ(side["iops"], of["iops"]);
    EXPECT_NEAR(side["lat_ns"]["mean"], of["latency_us"]["mean"].get<double>() * 1e3, 1);
    EXPECT_NEAR(side["lat_ns"]["max"], of["latency_us"]["max"].get<double>() * 1e3, 1);
    EXPECT_GT(side["clat_ns"]["min"], 0);
  }
  EXPECT_EQ(job["iodepth_level"]["2"].get<double>() + job["iodepth_level"]["1"].get<double>(), 100);
}

TEST_F(FioTest, WithANodeAJobIsOfAHost) {
  const ordered_json jobs = Json("a")["jobs"];
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0]["jobname"], "disks");
  EXPECT_EQ(jobs[0]["hostname"], "a");
  EXPECT_TRUE(Text("*").starts_with("<a> disks: (groupid=0, jobs=1): err=84 ")) << Text("*");
  EXPECT_EQ(Refusal("b"), root_.string() + ": no host \"b\" has a disk; there are: a");
  EXPECT_EQ(Refusal("leaf*"), root_.string() + ": no host \"leaf*\" has a disk; there are: a");
}

TEST_F(FioTest, WindowsOfHalfASecondHaveLinesWhereARunHoldsThem) {
  // A read of 4 KiB ends every 10 ms for 1.2 s: two complete windows have 50 each.
  RunRecord r = SmallStorageRecord();
  r.operations.clear();
  r.end = Seconds(2);
  for (uint32_t i = 0; i < 120; ++i)
    r.operations.push_back(SmallOperation(i, OperationKind::read, Milliseconds(10) * i, Milliseconds(5)));
  r.operations.back().completed = Milliseconds(1200);
  Write(r);
  const std::string text = Text();
  EXPECT_NE(
      text.find("   bw (  KiB/s): min=  400, max=  400, per=100.00%, avg=400.00, stdev= 0.00, samples=2\n"
                "   iops        : min=  100, max=  100, avg=100.00, stdev= 0.00, samples=2\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("BW=240KiB/s (246kB/s)(480KiB/2000msec)"), std::string::npos) << text;
  EXPECT_EQ(Json()["jobs"][0]["read"]["iops_samples"], 2);
}

TEST_F(FioTest, LongLatenciesHaveFiosUnits) {
  RunRecord r = SmallStorageRecord();
  r.operations = {SmallOperation(0, OperationKind::read, Time(0), Microseconds(101)),
                  SmallOperation(1, OperationKind::read, Time(0), Microseconds(301)),
                  SmallOperation(2, OperationKind::write, Time(0), Milliseconds(101)),
                  SmallOperation(3, OperationKind::write, Time(0), Milliseconds(3001))};
  Write(r);
  const std::string text = Text();
  EXPECT_NE(text.find("    clat (usec): min=100, max=300, avg=200.00, stdev=141.42\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("    clat percentiles (usec):\n     |  1.00th=[  100],"), std::string::npos) << text;
  EXPECT_NE(text.find("    clat (msec): min=100, max=3000, avg=1551.00, "), std::string::npos) << text;
  EXPECT_NE(text.find("  lat (usec)   : 250=25.00%, 500=25.00%\n"
                      "  lat (msec)   : 250=25.00%, >=2000=25.00%\n"),
            std::string::npos)
      << text;
}

TEST_F(FioTest, WhereLinesAreOfSomeItSaysWhatIsExactAndRefusesTheRest) {
  Write(SmallStorageRecord(), "1/100");
  EXPECT_EQ(Text(),
            "operations.csv has a line of one in 100 operations; summary.json has for all of them:\ndisks:\n "
            " read: IOPS=30,303, BW=118.4MiB/s (124.1MB/s)\n     lat (usec): avg>=25.00, max>=40.00, "
            "50.00th=20.00, 90.00th>=40.00, 95.00th>=40.00, 99.00th>=40.00, 99.90th>=40.00\n  write: "
            "IOPS=10,101, BW=39.5MiB/s (41.4MB/s)\n     lat (usec): avg=8.00, max=8.00, 50.00th=8.00, "
            "90.00th=8.00, 95.00th=8.00, 99.00th=8.00, 99.90th=8.00\nslat, clat and the rest of fio's report "
            "need a line of each operation: run the scenario again with observe: {operations: all}\n");
  const std::string refusal =
      ": operations.csv has a line of one in 100 operations; run the scenario again with "
      "observe: {operations: all}";
  EXPECT_EQ(Refusal({}, true), root_.string() + refusal);
  EXPECT_EQ(Refusal("a"), root_.string() + refusal);
  Write(SmallStorageRecord(), "none");
  EXPECT_TRUE(Text().starts_with("operations.csv has no line of an operation; summary.json has")) << Text();
}

TEST_F(FioTest, ARunWithoutIosIsRefused) {
  WriteResult(root_, SmallScenario(), SmallRecord(), Summarise(SmallScenario(), SmallRecord(), {}),
              {{"resolved.yaml", "name: small\n"}}, true);
  EXPECT_EQ(Refusal(), root_.string() +
                           ": the run had no I/Os; those of workloads of type io, fio and "
                           "trace are reported");
}

TEST_F(FioTest, NothingFinishedHasNoLinesOfADirection) {
  RunRecord r = SmallStorageRecord();
  r.operations = {SmallOperation(0, OperationKind::read, Time(0), kNever)};
  Write(r);
  const std::string text = Text();
  EXPECT_EQ(text.find("IOPS"), std::string::npos) << text;
  EXPECT_NE(text.find("issued rwts: total=0,0,0,0"), std::string::npos) << text;
  EXPECT_FALSE(Json()["jobs"][0]["read"]["clat_ns"].contains("percentile"));
  std::ostringstream nonzero;
  Show(root_, {"io", {}, true, false}, nonzero);
  EXPECT_EQ(nonzero.str(), "\nRun status group 0 (all jobs):\n");
}

TEST_F(FioTest, DamagedLinesAreRefusedWithTheirPlace) {
  const fs::path file = root_ / "operations.csv";
  const std::string whole = ReadTextFile(file);
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    text.replace(text.find(from), from.size(), to);
    std::ofstream(file) << text;
    return Refusal();
  };
  const std::string at = file.string() + ":2: ";
  const std::string again = ", which headroom does not write; run the scenario again";
  EXPECT_EQ(damaged(",read,", ",trim,"), at + "kind is \"trim\"" + again);
  EXPECT_EQ(damaged(",4096,", ",-4096,"), at + "bytes is \"-4096\"" + again);
  EXPECT_EQ(damaged(",1000.000,", ",1e3,"), at + "start_ns is \"1e3\"" + again);
  EXPECT_EQ(damaged(",6000.000,", ",600.000,"), at + "completed_ns is \"600.000\"" + again);
  EXPECT_EQ(damaged(",ok,", ",,"), at + "status is \"\"" + again);
  EXPECT_EQ(damaged(",5,1,", ",5,2,"), at + "ramp is \"2\"" + again);
  EXPECT_EQ(damaged(",2000.000,", ",500.000,"), at + "t1_ns is \"500.000\"" + again);
  EXPECT_EQ(damaged("disks/a/0,disks,", "disks/a/0,discs,"),
            file.string() + ": there is no workload discs at a in resolved.yaml; run the scenario again");
  EXPECT_EQ(damaged("disks/a/0,disks,", "disks/a/0,"), at + "has 42 fields, its header 43");
  EXPECT_EQ(damaged(",1000.000,", ",999999999.000,"), at + "completed_ns is \"6000.000\"" + again);
  EXPECT_EQ(damaged("id,workload", "id,work"),
            file.string() + ":1: has no column workload; run the scenario again with this version");
}

}  // namespace
}  // namespace headroom::fio_test
