// fio's job files: what their keys and units mean, and what is refused where.
#include "scenario/fio/jobs.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "scenario/expected_traffic.h"
#include "scenario/memory/memory.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/test_folder.h"

namespace headroom::fio_jobs_test {
namespace {

namespace fs = std::filesystem;
using fio::WrittenJob;

/// A folder with a job file, removed again.
class FioJobs : public ::testing::Test {
 protected:
  fs::path Write(const std::string& text, const std::string& name = "job.fio") const {
    return folder_.Write(name, text);
  }
  std::vector<WrittenJob> Jobs(const std::string& text) const { return fio::ReadJobs(Write(text), {}); }
  WrittenJob Job(const std::string& keys) const { return Jobs("[job]\n" + keys + "\n").at(0); }

  std::string Text(const std::string& more = "time_scale: 1/1000", const std::string& service = "") const {
    return "duration: 20ms\n"
           "topology: {type: star, hosts: [c0, c1, e0], link: {rate: 80Gbps, length: 3m}}\n"
           "services: [{name: store, type: storage, compute: \"c*\", extent_nodes: e0, disk_size: 1GiB" +
           service +
           ", front: {protocol: sk_rdma}}]\n"
           "workloads: [{name: w, type: fio, service: store, file: job.fio, " +
           more + "}]\n";
  }
  Scenario Load(const std::string& job_file, const std::string& more = "time_scale: 1/1000") const {
    Write(job_file);
    return LoadScenarioText(Text(more), "s.yaml", folder_.path());
  }
  /// Without the folder.
  std::string MessageOf(const std::string& job_file, const std::string& more = "time_scale: 1/1000") const {
    try {
      Load(job_file, more);
    } catch (const ScenarioError& error) {
      return folder_.Without(error.what());
    }
    return "";
  }
  static const IoArrivals& Io(const Scenario& s, size_t w = 0) {
    return std::get<IoArrivals>(s.workloads.at(w).arrivals);
  }

  const TestFolder folder_;
};

TEST_F(FioJobs, have_fios_defaults) {
  const WrittenJob job = Job("");
  EXPECT_EQ(job.job.name, "job");
  EXPECT_EQ(job.job.reads, 100);
  EXPECT_EQ(job.job.sides[0].least, Bytes(4096));
  EXPECT_EQ(job.job.depth, 1);
  EXPECT_EQ(job.job.clones, 1);
  EXPECT_EQ(job.job.addresses.order, IoAddresses::Order::sequential);
  EXPECT_FALSE(job.job.time_based);
}

TEST_F(FioJobs, units_are_fios) {
  const std::pair<const char*, int64_t> all[] = {
      {"512", 512},     {"4k", 4096},  {"4K", 4096},     {"4kb", 4096},    {"4kib", 4000},
      {"4KiB", 4000},   {"4ki", 4096}, {"1m", 1 << 20},  {"1mb", 1 << 20}, {"1mib", 1'000'000},
      {"1mi", 1 << 20}, {"512b", 512}, {"0x1000", 4096}, {" 4k", 4096}};
  for (const auto& [text, bytes] : all)
    EXPECT_EQ(Job(std::string("bs=") + text).job.sides[0].least, Bytes(bytes)) << text;
  const std::pair<const char*, int64_t> thousand[] = {{"4k", 4000},  {"4kb", 4000},     {"4kib", 4096},
                                                      {"4ki", 4000}, {"1m", 1'000'000}, {"1mib", 1 << 20}};
  for (const auto& [text, bytes] : thousand) {
    const WrittenJob job = Job(std::string("bs=") + text + "\nkb_base=1000");  // wherever it stands
    EXPECT_EQ(job.job.sides[0].least, Bytes(bytes)) << text;
  }
}

TEST_F(FioJobs, bare_times_are_seconds_and_of_thinking_microseconds) {
  const WrittenJob job = Job("runtime=2\nramp_time=500ms\nstartdelay=1-3\nthinktime=20\nthinktime_iotime=1");
  EXPECT_EQ(job.runtime_us, 2'000'000);
  EXPECT_EQ(job.ramp_us, 500'000);
  EXPECT_EQ(job.delay_us, (std::array<int64_t, 2>{1'000'000, 3'000'000}));
  EXPECT_EQ(job.job.think, Microseconds(20));
  EXPECT_EQ(job.think_every_us, 1'000'000);
  for (const auto& [text, us] :
       {std::pair("1m", 60'000'000), {"90s", 90'000'000}, {"7us", 7}, {"5usec", 5}, {"2msec", 2000}})
    EXPECT_EQ(Job(std::string("runtime=") + text).runtime_us, us) << text;
}

TEST_F(FioJobs, sections_copy_the_defaults_above_them_and_the_last_key_stands) {
  const auto jobs = Jobs(
      "# a comment\n[global]\nbs=8k ; of "
      "all\niodepth=4\n[a]\n[b]\nbs=16k\nbs=32k\n[global-2]\niodepth=9\n[c]\n");
  ASSERT_EQ(jobs.size(), 3u);
  EXPECT_EQ(jobs[0].job.sides[0].least, Bytes(8192));
  EXPECT_EQ(jobs[0].job.depth, 4);
  EXPECT_EQ(jobs[1].job.sides[0].least, Bytes(32'768));
  EXPECT_EQ(jobs[2].job.depth, 9);
  EXPECT_EQ(jobs[2].job.name, "c");
}

TEST_F(FioJobs, reads_and_writes_have_their_own_where_given) {
  const WrittenJob job =
      Job("rw=randrw\nrwmixwrite=30\nbs=4k,8k\nrate=1m,2m\nrate_iops=,500\npercentage_random=50,100");
  EXPECT_EQ(job.job.reads, 70);
  EXPECT_EQ(job.job.sides[0].least, Bytes(4096));
  EXPECT_EQ(job.job.sides[1].most, Bytes(8192));
  EXPECT_EQ(job.job.sides[1].rate, Bytes(2 << 20));
  EXPECT_EQ(job.job.sides[0].rate_iops, 0);
  EXPECT_EQ(job.job.sides[1].rate_iops, 500);
  EXPECT_EQ(job.job.addresses.random_reads, 50);
  EXPECT_EQ(Job("bs=16k,").job.sides[1].least, Bytes(4096));               // the default for the rest
  EXPECT_EQ(Job("rw=randrw\nrwmixread=60\nrwmixwrite=30").job.reads, 70);  // the later one
}

TEST_F(FioJobs, bssplit_shares_below_all_are_filled_up_as_fio_does) {
  const auto split = [this](const std::string& text) {
    std::vector<std::pair<int64_t, int>> shares;
    const WrittenJob job = Job("bssplit=" + text);
    for (const IoBlock& b : job.job.sides[0].split)
      shares.emplace_back(b.size.v, static_cast<int>(b.share * 100 + 0.5));
    return shares;
  };
  using Shares = std::vector<std::pair<int64_t, int>>;
  EXPECT_EQ(split("4k/10:64k/50:32k/40"), (Shares{{4096, 10}, {32'768, 40}, {65'536, 50}}));
  EXPECT_EQ(split("4k/10:8k/20"), (Shares{{4096, 10}, {8192, 90}}));
  EXPECT_EQ(split("4k/50:8k/:16k/"), (Shares{{8192, 25}, {16'384, 25}, {4096, 50}}));
  EXPECT_EQ(split("4k:8k"), (Shares{{4096, 50}, {8192, 50}}));
  EXPECT_EQ(split("4k"), (Shares{{4096, 100}}));
  const IoJob job = Job("rw=randrw\nbssplit=4k/100,8k/40:16k/60").job;
  EXPECT_EQ(job.sides[0].split.size(), 1u);
  EXPECT_EQ(job.sides[1].split.size(), 2u);
  EXPECT_EQ(job.sides[1].most, Bytes(16'384));
}

TEST_F(FioJobs, random_jobs_visit_each_block_once_unless_told_otherwise) {
  EXPECT_TRUE(Job("rw=randread").job.addresses.once);
  EXPECT_FALSE(Job("rw=randread\nnorandommap").job.addresses.once);
  EXPECT_FALSE(Job("rw=randread\nrandom_distribution=zipf:0.9").job.addresses.once);
  EXPECT_FALSE(Job("rw=read").job.addresses.once);
}

TEST_F(FioJobs, distributions_and_sequences_are_read) {
  IoAddresses a =
      Job("rw=randread:8\nrw_sequencer=identical\nrandom_distribution=pareto:0.3:0.5").job.addresses;
  EXPECT_EQ(a.order, IoAddresses::Order::pareto);
  EXPECT_EQ(a.parameter, 0.3);
  EXPECT_EQ(a.centre, 0.5);
  EXPECT_EQ(a.run, 8);
  EXPECT_TRUE(a.repeated);
  a = Job("rw=randrw\nrandom_distribution=zoned:60/10:40/90,100/50").job.addresses;
  EXPECT_EQ(a.read_zones, (std::vector<IoZone>{{0.6, 0.1}, {0.4, 0.9}}));
  EXPECT_EQ(a.write_zones, (std::vector<IoZone>{{1, 0.5}}));
  EXPECT_EQ(Job("rw=write:4k").job.addresses.hole, Bytes(4096));
  // of a sequential job the distribution says nothing
  EXPECT_EQ(Job("rw=read\nrandom_distribution=zipf").job.addresses.order, IoAddresses::Order::sequential);
}

TEST_F(FioJobs, of_a_synchronous_engine_one_io_is_open) {
  EXPECT_EQ(Job("iodepth=16\nioengine=psync").job.depth, 1);
  EXPECT_EQ(Job("iodepth=16\nioengine=io_uring").job.depth, 16);
  EXPECT_EQ(Job("iodepth=16").job.depth, 16);
}

TEST_F(FioJobs, what_is_of_reports_and_files_changes_nothing) {
  const IoJob plain = Job("").job;
  IoJob job =
      Job("direct=1\ngroup_reporting\nfilename=/dev/nvme0n1\nrandseed=5\nwrite_lat_log=x\nfsync=0\nverify=0\n"
          "description=a job")
          .job;
  EXPECT_EQ(job.options.size(), 8u);
  job.options.clear();
  EXPECT_EQ(job, plain);
}

TEST_F(FioJobs, are_a_workload_each_in_simulated_time) {
  const Scenario s = Load(
      "[global]\nruntime=10\nramp_time=2\ntime_based\n[rand read]\nrw=randread\nbs=8k\niodepth=4\nnumjobs=3\n"
      "size=25%\noffset=10%\n[log]\nrw=write\nstartdelay=1\nrate=1m\n[log]\nstonewall\n");
  ASSERT_EQ(s.workloads.size(), 3u);
  EXPECT_EQ(s.workloads[0].name, "w-rand-read");
  EXPECT_EQ(s.workloads[1].name, "w-log");
  EXPECT_EQ(s.workloads[2].name, "w-log-2");
  const IoArrivals& io = Io(s);
  EXPECT_EQ(io.from, (std::vector<NodeId>{0, 1}));
  EXPECT_EQ(io.ramp, Milliseconds(2));
  EXPECT_EQ(io.stop, Milliseconds(12));
  EXPECT_EQ(io.depth, 12);
  EXPECT_EQ(io.reads, 1);
  EXPECT_EQ(io.job->runtime, Milliseconds(10));
  EXPECT_EQ(io.job->size.v, (int64_t{1} << 30) / 4);
  EXPECT_EQ(io.job->offset.v, (int64_t{1} << 30) / 10 / 8192 * 8192);
  EXPECT_EQ(Io(s, 1).start, Milliseconds(1));
  EXPECT_EQ(Io(s, 1).reads, 0);
  EXPECT_EQ(Io(s, 1).job->sides[1].rate, Bytes(1 << 20));  // rates are as written
  EXPECT_EQ(Io(s, 2).job->walled, 2);
  EXPECT_EQ(Io(s, 2).job->wall_back, 2);
  EXPECT_FALSE(Io(s, 2).stop.has_value());
}

/// One file of 12 and 13 s, then 12 s more: 25 s are 5 ms.
TEST_F(FioJobs, take_the_span_together) {
  const Scenario s =
      Load("[global]\nruntime=10\nramp_time=2\n[a]\n[b]\nstartdelay=1\n[c]\nstonewall\n", "span: 5ms");
  EXPECT_EQ(Io(s, 0).job->runtime, Milliseconds(2));
  EXPECT_EQ(Io(s, 1).start, Microseconds(200));
}

TEST_F(FioJobs, one_job_has_the_name_of_its_entry_and_no_times_need_no_scale) {
  const Scenario s = Load("[a]\nrw=randread\nnumber_ios=5\n", "start: 1ms");
  ASSERT_EQ(s.workloads.size(), 1u);
  EXPECT_EQ(s.workloads[0].name, "w");
  EXPECT_EQ(Io(s).start, Milliseconds(1));
  EXPECT_EQ(ExpectedMessages(s.workloads[0], s), 10);  // five at each of two hosts
}

TEST_F(FioJobs, without_a_duration_the_run_is_as_long_as_they_are) {
  Write("[a]\nruntime=30\n");
  std::string text = Text();
  text.erase(0, text.find('\n') + 1);
  EXPECT_EQ(LoadScenarioText(text, "s.yaml", folder_.path()).duration, Milliseconds(30));
}

TEST_F(FioJobs, are_written_with_their_file_and_read_the_same_again) {
  Write(
      "[global]\nruntime=10\nrw=randrw\nbsrange=4k-64k\nrandom_distribution=zoned_abs:90/100m:10/"
      "200m\n[a]\n[b]\nstonewall\n");
  const ScenarioFile file =
      LoadScenarioFileText(Text("span: 5ms, from: c1, start: 1ms, stop: 9ms"), "s.yaml", folder_.path());
  const Resolved resolved = WriteResolved(file);
  ASSERT_EQ(resolved.files.size(), 1u);
  EXPECT_EQ(resolved.files[0].name, "input-job.fio");
  fs::create_directories(folder_ / "again");
  fs::copy_file(resolved.files[0].from, folder_ / "again" / resolved.files[0].name);
  const ScenarioFile again = LoadScenarioFileText(resolved.yaml, "resolved.yaml", folder_ / "again");
  ASSERT_EQ(again.scenario.workloads.size(), 2u);
  for (size_t w = 0; w < 2; ++w) {
    EXPECT_EQ(Io(again.scenario, w), Io(file.scenario, w));
    EXPECT_EQ(again.scenario.workloads[w].name, file.scenario.workloads[w].name);
  }
  EXPECT_EQ(WriteResolved(again).yaml, resolved.yaml);
}

TEST_F(FioJobs, may_be_commented_and_named_in_any_language) {
  EXPECT_EQ(Jobs("; caf\xe9\n[j\u00f6b]\n\tbs=4k # \x01\n").at(0).job.name, "j\u00f6b");
}

TEST_F(FioJobs, each_refusal_has_its_exact_message) {
  const std::pair<std::string, std::string> all[] = {
      {"", "job.fio:1:1: there is no job; a section besides [global]"},
      {"[global]\nbs=4k\n", "job.fio:1:1: there is no job; a section besides [global]"},
      {"bs=4k\n[a]\n", R"(job.fio:1:1: "bs=4k" stands in no section; [name] before it)"},
      {"[a\n", R"(job.fio:1:1: "[a" is no section; a section is [name])"},
      {"[a]\n iodpth=4\n",
       R"(job.fio:2:2: unknown key "iodpth"; fio's manual has those there are; did you mean "iodepth"?)"},
      {"[a]\nfsync=32\n", "job.fio:2:7: fsync=32 is not supported; I/Os are reads and writes alone: fsync=0"},
      {"[a]\nbuffered=1\n",
       "job.fio:2:10: buffered=1 is not supported; a simulated disk has no page cache: buffered=0"},
      {"[a]\nverify=crc32c\n", "job.fio:2:8: verify=crc32c is not supported; data are counted: verify=0"},
      {"[a]\nlatency_target=5ms\n",
       R"(job.fio:2:1: "latency_target" of fio is not supported; leave it out; docs/models/io-workloads.md has the keys that are)"},
      {"[a]\nioengine=rbd\n",
       "job.fio:2:10: ioengine=rbd is not supported; allowed: libaio, io_uring, posixaio, windowsaio, "
       "solarisaio, "
       "sync, psync, vsync, pvsync, pvsync2"},
      {"[a]\nfilename=/a:/b\n", "job.fio:2:10: several files are not supported; the disk is the one file"},
      {"[a]\nrw=trim\n", R"(job.fio:2:4: "trim" is not supported; a simulated disk has no trims)"},
      {"[a]\nrw= randread\n", "job.fio:2:4: fio takes the blank behind = as part of the value; no blank"},
      {"[a]\nrw=randred\n",
       R"(job.fio:2:4: "randred" is not one of the choices; allowed: read, write, rw, readwrite, randread, randwrite, randrw; did you mean "randread"?)"},
      {"[a]\nbs=4x\n",
       R"(job.fio:2:4: "4x" has no unit of fio's; allowed: b, k, m, g, t, p, kb, kib and their like)"},
      {"[a]\nbs=-4k\n", R"(job.fio:2:4: "-4k" is not a number)"},
      {"[a]\nbs=0\n", R"(job.fio:2:4: "0" is out of range; allowed: 1 to 1073741824)"},
      {"[a]\nbs\n", R"(job.fio:2:1: "bs" has no value; bs=…)"},
      {"[a]\nbssplit=4k/50:8k/x\n", R"(job.fio:2:18: "x" is not a number)"},
      {"[a]\nrw=randrw\nbssplit=4k/100,4k/70:64k/50\n",
       "job.fio:3:16: the percentages are 120 together; up to 100 together"},
      {"[a]\nbssplit=4k/70:64k/50:1m\n", "job.fio:2:9: the percentages are 120 together; up to 100 together"},
      {"[a]\nrate_iops=\n", R"(job.fio:2:1: "rate_iops" has no value; rate_iops=…)"},
      {"[a]\nbs=  \n", R"(job.fio:2:1: "bs" has no value; bs=…)"},
      {"[a]\niodepth 8\n",
       R"(job.fio:2:1: "iodepth 8" has no "="; a line is KEY=VALUE; did you mean "iodepth=8"?)"},
      {"[a]\nno equals\n", R"(job.fio:2:1: "no equals" has no "="; a line is KEY=VALUE)"},
      {"[a]\nequals\n",
       R"(job.fio:2:1: unknown key "equals"; a line is KEY=VALUE, and fio's manual has the keys)"},
      {"[a]\nbs=4k\x1b]0;x\n", R"(job.fio:2:6: the byte \x1b is no text; a job file is text)"},
      {"\x7f"
       "ELF\x02\x01\n",
       R"(job.fio:1:1: the byte \x7f is no text; a job file is text)"},
      {"[a]\nname=\xfc\n", R"(job.fio:2:6: the byte \xfc is no text; a job file is text)"},
      {"[a]\nruntime=5sec\n",
       R"(job.fio:2:9: "5sec" has no unit of time of fio's; allowed: us, usec, ms, msec, s, m, h, d)"},
      {"[a]\ntime_based\n", "job.fio:1:1: time_based without a runtime; runtime=10 beside it"},
      {"[a]\nrandom_distribution=zipf:1.0\n",
       "job.fio:2:26: theta of zipf must differ from 1; zipf:0.99 or zipf:1.01"},
      {"[a]\nrandom_distribution=zoned:60/10:30/90\n",
       "job.fio:2:27: the zones have 90% of the I/Os; 100% together"},
      {"[a]\nbs=64k\nrate=4k\n",
       "job.fio:1:1: a rate of 4096 bytes a second is less than a block of 65536; a higher rate, or smaller "
       "blocks"},
      {"[a]\nrate_iops=2m\nrate_process=poisson\n",
       "job.fio:1:1: 2097152 I/Os a second: gaps of such a rate are whole microseconds in fio, which would "
       "be 0; up "
       "to 1000000, or rate_process=linear without bssplit"},
      {"[a]\nsize=2g\n",
       "job.fio:2:6: a region ends at 2GiB, beyond the disk; allowed: up to 1GiB, disk_size of the service"},
      {"[a]\nsize=4k\nbs=8k\n",
       "job.fio:2:6: a region of 4KiB has no room for a block of 8KiB; a larger size"},
      {"[a]\noffset_increment=1m\nnumjobs=2\n",
       "job.fio:2:18: offset_increment without a size; size=… beside it"},
      {"[a]\nbs=${BS}\n", "job.fio:2:4: variables are not supported; the value itself"},
      {"[a]\nsize=(4*1024)\n", "job.fio:2:6: arithmetic in ( ) is not supported; the value itself"},
      {"[a]\ninclude other.fio\n", R"(job.fio:2:1: "include" is not supported; one file with all sections)"},
  };
  for (const auto& [text, message] : all) EXPECT_EQ(MessageOf(text), message) << text;
  EXPECT_EQ(MessageOf("[a]\nruntime=1\n[global]\nbs=8k\n"),
            "job.fio:3:1: no job stands below this section, so it is of none; above the jobs that it is for");
  const std::string job = "[a]\nruntime=60\n";
  EXPECT_EQ(MessageOf(job, "start: 1ms"),
            "s.yaml:4:13: the jobs of the file take 60s: how much of simulated time is that?; time_scale: "
            "1/1000, or "
            "span: 10ms");
  EXPECT_EQ(MessageOf("[a]\n", "span: 1ms"),
            "s.yaml:4:71: no job of the file has a runtime; runtime=10 in it");
  EXPECT_EQ(MessageOf(job, "span: 1ms, time_scale: 1/2"),
            R"(s.yaml:4:71: "span" beside "time_scale"; one of them)");
  EXPECT_EQ(MessageOf(job, "time_scale: 1/1000, from: e0"),
            R"(s.yaml:4:91: "e0" is no compute host of service "store")");
}

}  // namespace
}  // namespace headroom::fio_jobs_test
