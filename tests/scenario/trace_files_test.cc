// Block traces: formats, owners of disks, cuts and splits, and refusals.
#include "scenario/trace_files.h"

#include <gtest/gtest.h>

#include "scenario/expected_traffic.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/test_folder.h"
#include "workload/io_arrivals.h"

namespace headroom::trace_files_test {
namespace {

namespace fs = std::filesystem;

class TraceFiles : public ::testing::Test {
 protected:
  ScenarioFile LoadFile(const std::string& trace, const std::string& more) const {
    folder_.Write("t.csv", trace);
    return LoadScenarioFileText(
        "topology: {type: star, hosts: [c0, c1, e0], link: {rate: 80Gbps, length: 3m}}\n"
        "services: [{name: store, type: storage, compute: \"c*\", extent_nodes: e0, disk_size: 1GiB, extent: "
        "1MiB, "
        "front: {protocol: su_rdma}}]\n"
        "workloads: [{name: w, type: trace, service: store, file: t.csv, " +
            more + "}]\n",
        "s.yaml", folder_.path());
  }
  Scenario Load(const std::string& trace, const std::string& more) const {
    return LoadFile(trace, more).scenario;
  }
  static const IoArrivals& Io(const Scenario& s) { return s.workloads.at(0).arrivals.As<IoArrivals>(); }
  std::string MessageOf(const std::string& trace, const std::string& more) const {
    try {
      Load(trace, more);
    } catch (const ScenarioError& error) {
      return folder_.Without(error.what());
    }
    return "";
  }

  const TestFolder folder_;
};

const std::string kMsr =
    "128166372003061629,usr,0,Read,4096,8192,4123\n"
    "128166372003061729,usr,1,Write,0,512,1\n"
    "128166372003061629,src1,0,Write,1048576,4096,1\n";

TEST_F(TraceFiles, of_msr_count_hundreds_of_nanoseconds) {
  const Scenario s = Load(kMsr, "format: msr");
  const BlockTrace& trace = *Io(s).trace;
  ASSERT_EQ(trace.disks.size(), 2u);
  // usr_0 and src1_0 are the first and third device: both belong to c0
  EXPECT_EQ(trace.disks[0].ios,
            (std::vector<BlockTrace::Io>{{Time(0), 4096, 8192, false}, {Time(0), 1048576, 4096, true}}));
  EXPECT_EQ(trace.disks[1].ios, (std::vector<BlockTrace::Io>{{Microseconds(10), 0, 512, true}}));
  EXPECT_EQ(s.duration, Milliseconds(10));
  EXPECT_EQ(s.workloads[0].arrivals->Expected(s), 3);
  EXPECT_NEAR(Io(s).reads, 1 / 3.0, 1e-9);
}

/// Lines come in any order, with a header or without.
TEST_F(TraceFiles, of_alibaba_count_microseconds) {
  const std::string lines = "419,W,8192,16384,1577808000001626\n725,R,0,4096,1577808000000626\n";
  for (const std::string& header :
       {std::string(), std::string("device_id,opcode,offset,length,timestamp\r\n")}) {
    const Scenario s = Load(header + lines, "format: alibaba");
    EXPECT_EQ(Io(s).trace->disks[0].ios, (std::vector<BlockTrace::Io>{{Milliseconds(1), 8192, 16384, true}}));
    EXPECT_EQ(Io(s).trace->disks[1].ios, (std::vector<BlockTrace::Io>{{Time(0), 0, 4096, false}}));
  }
}

TEST_F(TraceFiles, are_scaled_cut_and_started) {
  const std::string lines = "1,R,0,4096,1000000\n1,R,4096,4096,2000000\n1,R,8192,4096,4000000\n";
  const Scenario s = Load(lines, "format: alibaba, time_scale: 1/1000, span: 2ms, start: 1ms");
  const auto& ios = Io(s).trace->disks[0].ios;
  ASSERT_EQ(ios.size(), 2u);  // the third would be at 3 ms
  EXPECT_EQ(ios[0].at, Milliseconds(1));
  EXPECT_EQ(ios[1].at, Milliseconds(2));
  EXPECT_EQ(Io(s).rate, 2 / 2.0 / 1e-3);  // of each of two hosts
}

TEST_F(TraceFiles, devices_have_the_disks_that_the_scenario_says) {
  const Scenario s = Load(kMsr, "format: msr, devices: {src1_0: c1, usr_1: c1}");
  EXPECT_TRUE(Io(s).trace->disks[0].ios.empty());
  EXPECT_EQ(Io(s).trace->disks[1].ios.size(), 2u);
}

/// The disk has 1 GiB, an extent 1 MiB.
TEST_F(TraceFiles, what_is_beyond_the_disk_begins_again_and_what_is_large_is_split) {
  const Scenario s = Load("1,W,1073737728,8192,0\n1,R,2147483648,2500000,1\n", "format: alibaba");
  EXPECT_EQ(Io(s).trace->disks[0].ios,
            (std::vector<BlockTrace::Io>{{Time(0), 1073737728, 4096, true},
                                         {Time(0), 0, 4096, true},
                                         {Microseconds(1), 0, 1048576, false},
                                         {Microseconds(1), 1048576, 1048576, false},
                                         {Microseconds(1), 2097152, 402848, false}}));
  EXPECT_EQ(LargestBlock(Io(s)), Bytes(1048576));
}

TEST_F(TraceFiles, are_written_with_their_file_and_read_the_same_again) {
  const ScenarioFile file =
      LoadFile(kMsr, "format: msr, devices: {usr_0: c1, src1_0: c0}, span: 5us, ramp: 1us, from: \"c*\"");
  const Resolved resolved = WriteResolved(file);
  ASSERT_EQ(resolved.files.size(), 1u);
  fs::create_directories(folder_ / "again");
  fs::copy_file(resolved.files[0].from, folder_ / "again" / resolved.files[0].name);
  const ScenarioFile again = LoadScenarioFileText(resolved.yaml, "resolved.yaml", folder_ / "again");
  EXPECT_EQ(Io(again.scenario), Io(file.scenario));
  EXPECT_EQ(WriteResolved(again).yaml, resolved.yaml);
}

TEST_F(TraceFiles, each_refusal_has_its_exact_message) {
  struct Refused {
    std::string trace, more, message;
  };
  const Refused all[] = {
      {"", "format: alibaba",
       "t.csv:1:1: the file has no I/O; expected: device_id,opcode,offset,length,timestamp"},
      {"device_id,opcode,offset,length,timestamp\n", "format: alibaba",
       "t.csv:1:1: the file has no I/O; expected: device_id,opcode,offset,length,timestamp"},
      {kMsr, "format: alibaba", "t.csv:1:1: 7 columns; expected: device_id,opcode,offset,length,timestamp"},
      {"1,R,0,4096,5\n1,R,0,-4096,6\n", "format: alibaba",
       R"(t.csv:2:7: "-4096" is not a size in bytes; allowed: whole numbers from 1)"},
      {"1,R,0,0,5\n", "format: alibaba",
       R"(t.csv:1:7: "0" is not a size in bytes; allowed: whole numbers from 1)"},
      {"1,R,4k,1,5\n", "format: alibaba",
       R"(t.csv:1:5: "4k" is not an offset in bytes; allowed: whole numbers from 0)"},
      {"1,X,0,1,5\n", "format: alibaba", R"(t.csv:1:3: "X" is no operation; allowed: R, W)"},
      {"1,Read,0,1,5\n", "format: alibaba", R"(t.csv:1:3: "Read" is no operation; allowed: R, W)"},
      {"1,R,0,1,5.5\n", "format: alibaba",
       R"(t.csv:1:9: "5.5" is not a timestamp; allowed: whole numbers from 0)"},
      {"1,,0,Read,0,4096,3\n", "format: msr",
       "t.csv:1:3: the host name is missing; expected: "
       "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime"},
      {"1,usr,x,Read,0,4096,3\n", "format: msr",
       R"(t.csv:1:7: "x" is not a disk number; allowed: whole numbers from 0)"},
      {"1,usr,,Read,0,4096,3\n", "format: msr",
       R"(t.csv:1:7: "" is not a disk number; allowed: whole numbers from 0)"},
      {",R,0,4096,5\n", "format: alibaba",
       "t.csv:1:1: the device is missing; expected: device_id,opcode,offset,length,timestamp"},
      {"1,R,0,4096,99999999999999999999\n", "format: alibaba",
       R"(t.csv:1:12: "99999999999999999999" is too large for a timestamp; up to 9223372036854775807)"},
      {"7,R,0,4096,1577808000000000\n7,R,0,4096,9223372036854775807\n7,R,0,4096,1577808000000009\n",
       "format: alibaba",
       R"(t.csv:2:12: the timestamp "9223372036854775807" is more than a year from the other timestamps; microseconds throughout)"},
      {"7,R,0,4096,1577808000000001\n17,R,0,4096,12\n7,R,0,4096,1577808000000009\n", "format: alibaba",
       R"(t.csv:2:13: the timestamp "12" is more than a year from the other timestamps; microseconds throughout)"},
      {"128166372003061629,usr,0,Read,0,4096,1\n128166372003061630,usr,0,Read,0,4096,1\n1,usr,0,Read,0,4096,"
       "1\n",
       "format: msr",
       R"(t.csv:3:1: the timestamp "1" is more than a year from the other timestamps; units of 100 ns throughout)"},
      {kMsr, "format: msr, devices: {usr_2: c0}",
       R"(s.yaml:3:95: the trace has no device "usr_2"; there are usr_0, usr_1, src1_0; did you mean "usr_0"?)"},
      {kMsr, "format: msr, devices: {usr_0: c0}, from: c1",
       R"(s.yaml:3:95: "c0" is not among the hosts of from)"},
      {kMsr, "format: tencent", R"(s.yaml:3:73: "tencent" is not an allowed value; allowed: msr, alibaba)"},
      {"1,R,0,4096,0\n1,R,0,4096,86500000000\n", "format: alibaba",
       "s.yaml:3:58: the trace is longer than a day of simulated time; give time_scale: 1/1000, or span: 1s"},
  };
  for (const Refused& one : all)
    EXPECT_EQ(MessageOf(one.trace, one.more), one.message) << one.trace << one.more;
}

}  // namespace
}  // namespace headroom::trace_files_test
