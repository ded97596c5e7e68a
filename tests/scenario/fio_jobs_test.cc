// fio's job files: the meaning of their keys and units, and the places of refusals.
#include "scenario/fio/jobs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <sstream>

#include "analysis/bounds/fabric.h"
#include "analysis/check/check.h"
#include "scenario/expected_traffic.h"
#include "scenario/memory/memory.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/test_folder.h"
#include "workload/io_arrivals.h"

namespace headroom::fio_jobs_test {
namespace {

namespace fs = std::filesystem;
using fio::WrittenJob;

/// A folder with a job file, which the test removes.
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
  /// The message without the folder.
  std::string MessageOf(const std::string& job_file, const std::string& more = "time_scale: 1/1000") const {
    try {
      Load(job_file, more);
    } catch (const ScenarioError& error) {
      return folder_.Without(error.what());
    }
    return "";
  }
  static const IoArrivals& Io(const Scenario& s, size_t w = 0) {
    return s.workloads.at(w).arrivals.As<IoArrivals>();
  }

  const TestFolder folder_;
};

/// Keys of fio's manual, HOWTO.rst, that do not describe I/O of a disk.
constexpr const char* kManual =
    "allow_file_create allow_mounted_write allrandrepeat arguments atomic ba bindname "
    "block_error_percentiles blockalign bs_is_seq_rand buffer_compress_chunk "
    "buffer_compress_percentage buffer_pattern buffered busy_poll busy_wait_polling bwavgtime cgroup "
    "cgroup_nodelete cgroup_weight chunk_size clat_percentiles clientname clocksource clustername "
    "cmd_type cmdprio cmdprio_bssplit cmdprio_class cmdprio_percentage conf cont continue_on_error "
    "cpuchunks cpuload cpumask cpumode cpus_allowed cpus_allowed_policy create_fsync create_on_open "
    "create_only create_serialize cuda_io dataplacement dedupe_global dedupe_mode dedupe_percentage "
    "dedupe_working_set_percentage description direct direct_write_to_pmem directory disable_bw "
    "disable_bw_measurement disable_clat disable_lat disable_slat disk_util do_verify donorname "
    "end_fsync error_dump exec_postrun exec_prerun exit_on_io_done exit_what exitall exitall_on_error "
    "experimental_verify fadvise_hint fallocate fdatasync fdp file_append file_service_type "
    "filename_format filesize fill_device fill_fs fixedbufs flow flow_id flow_sleep force_async fsync "
    "fsync_on_close gid gpu_dev_ids grace_time group_reporting gtod_cpu gtod_reduce hdfsdirectory "
    "hipri hipri_percentage hostname http_host http_mode http_pass http_s3_key http_s3_keyid "
    "http_s3_region http_s3_sse_customer_algorithm http_s3_sse_customer_key http_s3_storage_class "
    "http_swift_auth_token http_user http_verbose https hugepage-size ignore_error ignore_zone_limits "
    "inplace interface invalidate iodepth_batch iodepth_batch_complete iodepth_batch_complete_max "
    "iodepth_batch_complete_min iodepth_batch_submit iodepth_low iomem iomem_align iopsavgtime "
    "ioscheduler job_max_open_zones lat_percentiles latency_percentile latency_run latency_target "
    "latency_window listen lockfile lockmem log_alternate_epoch log_alternate_epoch_clock_id "
    "log_avg_msec log_compression log_compression_cpus log_entries log_hist_coarseness log_hist_msec "
    "log_issue_time log_max_value log_offset log_prio log_store_compressed log_unix_epoch "
    "log_window_value max_latency max_open_zones mem mem_align merge_blktrace_file "
    "merge_blktrace_iters merge_blktrace_scalars mss namenode new_group nfs_url nice nodelay "
    "nonvectored nowait nrfiles numa_cpu_nodes numa_mem_policy object_class offset_align opendir "
    "openfiles overwrite per_job_logs percentile_list pingpong pool port pre_read prio prioclass "
    "profile program proto protocol random_generator randrepeat randseed rate_cycle "
    "rate_ignore_thinktime rate_iops_min rate_min rbdname read_beyond_wp read_iolog read_iolog_chunked "
    "readfua refill_buffers registerfiles replay_align replay_no_stall replay_redirect replay_scale "
    "replay_skip replay_time_scale rwmixcycle scramble_buffers serialize_overlap serverip "
    "sg_write_mode significant_figures skip_bad slat_percentiles softrandommap sprandom sqthread_poll "
    "sqthread_poll_cpu ss ss_dur ss_ramp stat_type stats std_redirect steadystate steadystate_duration "
    "steadystate_ramp_time stream_id sync sync_file_range thinkcycles thinktime_spin thread "
    "touch_objects trim_backlog trim_backlog_batch trim_percentage trim_verify_zero ttl uid "
    "unified_rw_reporting unique_filename unit_base unlink unlink_each_loop uri userspace_reap verb "
    "verify verify_async verify_async_cpus verify_backlog verify_backlog_batch verify_dump "
    "verify_fatal verify_interval verify_offset verify_only verify_pattern verify_state_load "
    "verify_state_save verify_write_sequence wait_for window_size write_barrier write_bw_log "
    "write_hint write_hist_log write_iolog write_iops_log write_lat_log writefua xnvme_admin "
    "xnvme_async xnvme_dev_nsid xnvme_iovec xnvme_sync zero_buffers zone_reset_frequency "
    "zone_reset_threshold zonecapacity zonemode zonerange zonesize zoneskip";

std::vector<std::string> KeysOfTheManual() {
  std::istringstream words(kManual);
  return {std::istream_iterator<std::string>(words), {}};
}

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
    const WrittenJob job = Job(std::string("bs=") + text + "\nkb_base=1000");  // wherever the key is
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
  EXPECT_EQ(Job("rw=randrw\nrwmixread=60\nrwmixwrite=30").job.reads, 70);  // the later one counts
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
  // the distribution has no effect on a sequential job
  EXPECT_EQ(Job("rw=read\nrandom_distribution=zipf").job.addresses.order, IoAddresses::Order::sequential);
}

/// Source: fio's zone_split_ddir: a zone without a percentage shares what the others leave.
TEST_F(FioJobs, zones_without_a_percentage_have_the_rest) {
  const auto zones = [this](const std::string& text) {
    return Job("rw=randread\nrandom_distribution=zoned:" + text).job.addresses.read_zones;
  };
  using Zones = std::vector<IoZone>;
  EXPECT_EQ(zones("50/5:30/15:20/"), (Zones{{0.5, 0.05}, {0.3, 0.15}, {0.2, 0.8}}));
  EXPECT_EQ(zones("50/5:30/15:20"), zones("50/5:30/15:20/"));
  EXPECT_EQ(zones("50/5:30/15:20/0:"), zones("50/5:30/15:20/"));
  EXPECT_EQ(zones("50/:50/"), (Zones{{0.5, 0.5}, {0.5, 0.5}}));
  EXPECT_EQ(zones("30/:30/:40/1"), (Zones{{0.3, 0.49}, {0.3, 0.49}, {0.4, 0.01}}));
  EXPECT_EQ(zones("100/"), (Zones{{1, 1}}));
}

TEST_F(FioJobs, a_negative_hole_steps_back) {
  EXPECT_EQ(Job("rw=read:-8k").job.addresses.hole, Bytes(-8192));
  EXPECT_EQ(Job("rw=write:-1m").job.addresses.hole, Bytes(-(1 << 20)));
  EXPECT_EQ(Io(Load("[a]\nrw=read:-8k\nsize=16m\nnumber_ios=9\n")).addresses.hole, Bytes(-8192));
}

/// Keys of fio's manual (HOWTO) that are not listed here change the job.
TEST_F(FioJobs, each_key_of_the_manual_changes_nothing_or_is_refused_with_a_reason) {
  const IoJob plain = Job("").job;
  int changes_nothing = 0, refused = 0;
  for (const std::string& key : KeysOfTheManual()) {
    const std::string message = MessageOf("[job]\n" + key + "=7\n");
    if (message.empty()) {
      IoJob job = Job(key + "=7").job;
      job.options.clear();
      EXPECT_EQ(job, plain) << key;
      ++changes_nothing;
    } else {
      EXPECT_EQ(message.find("unknown key"), std::string::npos) << message;
      EXPECT_NE(message.find("; "), std::string::npos) << message;
      ++refused;
    }
  }
  EXPECT_GT(changes_nothing, 120);
  EXPECT_GT(refused, 60);
}

/// The scenario accepts the correction that a refusal suggests.
TEST_F(FioJobs, each_fix_of_a_refused_value_is_accepted) {
  int fixes = 0;
  for (const std::string& key : KeysOfTheManual()) {
    const std::string message = MessageOf("[job]\n" + key + "=7\n");
    const size_t at = message.rfind(": " + key + '=');
    if (at == std::string::npos || at < message.find("; ")) continue;
    EXPECT_EQ(MessageOf("[job]\n" + message.substr(at + 2) + '\n'), "") << message;
    ++fixes;
  }
  EXPECT_GT(fixes, 30);
}

/// Two jobs of one file have one note, and times have few digits: 5 ms for 12 s are 416.7 µs for one.
TEST_F(FioJobs, keys_that_change_nothing_are_noted_once) {
  const Scenario s = Load("[global]\nlog_prio=1\nnice=5\nruntime=12\n[a]\n[b]\n", "span: 5ms");
  std::vector<std::string> notes;
  for (const Finding& finding : CheckScenario(Fabric(s)).findings)
    if (finding.what.find("job file") != std::string::npos) notes.push_back(finding.what);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0], "keys of the job file without effect: log_prio, nice");
  EXPECT_TRUE(
      notes[1].starts_with("a second of the job file is 416.7us of simulated time: runtime 5ms, ramp_time 0"))
      << notes[1];
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
  EXPECT_EQ(Job("log_prio=1\nwrite_lat_log=lat\ncpus_allowed=0-3").job.addresses, plain.addresses);
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
  EXPECT_EQ(Io(s, 1).job->sides[1].rate, Bytes(1 << 20));  // rates keep their written values
  EXPECT_EQ(Io(s, 2).job->walled, 2);
  EXPECT_EQ(Io(s, 2).job->wall_back, 2);
  EXPECT_FALSE(Io(s, 2).stop.has_value());
}

/// One file has 12 and 13 s, then 12 s more: 25 s are 5 ms.
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
  EXPECT_EQ(s.workloads[0].arrivals->Expected(s), 10);  // five at each of two hosts
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
      {"", "job.fio:1:1: the file has no job; add a section besides [global]"},
      {"[global]\nbs=4k\n", "job.fio:1:1: the file has no job; add a section besides [global]"},
      {"bs=4k\n[a]\n", R"(job.fio:1:1: "bs=4k" stands before the first section; [name] before it)"},
      {"[a\n", R"(job.fio:1:1: "[a" is not a section; a section is [name])"},
      {"[a]\n iodpth=4\n",
       R"(job.fio:2:2: unknown key "iodpth"; allowed: the keys of fio's manual; did you mean "iodepth"?)"},
      {"[a]\nfsync=32\n", "job.fio:2:7: fsync=32 is not supported; I/Os are only reads and writes: fsync=0"},
      {"[a]\nbuffered=1\n",
       "job.fio:2:10: buffered=1 is not supported; a simulated disk has no page cache: buffered=0"},
      {"[a]\nverify=crc32c\n", "job.fio:2:8: verify=crc32c is not supported; data are counted: verify=0"},
      {"[a]\nlatency_target=5ms\n",
       "job.fio:2:16: latency_target=5ms is not supported; iodepth is fixed during a job; vary iodepth "
       "over several runs: latency_target=0"},
      {"[a]\nexitall\n",
       "job.fio:2:1: exitall is not supported; a job ends by its own runtime, size or number_ios: exitall=0"},
      {"[a]\nrbdname=x\n", R"(job.fio:2:1: "rbdname" is an engine that does no disk I/O; leave it out)"},
      {"[a]\nioengine=libaoi\n",
       "job.fio:2:10: ioengine=libaoi is not supported; allowed: libaio, io_uring, posixaio, windowsaio, "
       "solarisaio, sync, psync, vsync, pvsync, pvsync2; did you mean \"libaio\"?"},
      {"[a]\nlog_pri=1\n",
       R"(job.fio:2:1: unknown key "log_pri"; allowed: the keys of fio's manual; did you mean "log_prio"?)"},
      {"[a]\nrandom_distribution=zoned:60/60:20/40:20/\n",
       "job.fio:2:27: zones with a percentage cover 100% of the disk, so nothing is left for the 1 "
       "without one; give percentages that leave 1% for each of these"},
      {"[a]\nrandom_distribution=zoned_abs:60/:40/1m\n",
       "job.fio:2:31: \"60/\" is not a zone; give each zone as PERCENTAGE/BYTES"},
      {"[a]\nrw=read:-8m\nsize=4m\n",
       "job.fio:3:6: rw steps back by 8MiB, more than the region of 4MiB; give a larger size, or a "
       "smaller step"},
      {"[a]\nrw=randread:-3\n", R"(job.fio:2:13: "-3" is negative; 0 or more)"},
      {"[a]\nruntime=-5\n", R"(job.fio:2:9: "-5" is negative; 0 or more)"},
      {"[a]\nioengine=rbd\n",
       "job.fio:2:10: ioengine=rbd is not supported; allowed: libaio, io_uring, posixaio, windowsaio, "
       "solarisaio, "
       "sync, psync, vsync, pvsync, pvsync2"},
      {"[a]\nfilename=/a:/b\n",
       "job.fio:2:10: several files per job are not supported; the disk is the "
       "one file"},
      {"[a]\nrw=trim\n", R"(job.fio:2:4: "trim" is not supported; a simulated disk does not support trims)"},
      {"[a]\nrw= randread\n",
       "job.fio:2:4: remove the blank after =; fio takes it as part of the value; no blank"},
      {"[a]\nrw=randred\n",
       R"(job.fio:2:4: "randred" is not an allowed value; allowed: read, write, rw, readwrite, randread, randwrite, randrw; did you mean "randread"?)"},
      {"[a]\nbs=4x\n",
       R"(job.fio:2:4: "4x" does not end with a unit of fio; allowed: b, k, m, g, t, p, kb, kib and so on)"},
      {"[a]\nbs=-4k\n", R"(job.fio:2:4: "-4k" is negative; 0 or more)"},
      {"[a]\nbs=0\n", R"(job.fio:2:4: "0" is out of range; allowed: 1 to 1073741824)"},
      {"[a]\nbs\n", R"(job.fio:2:1: "bs" has no value; bs=…)"},
      {"[a]\nbssplit=4k/50:8k/x\n",
       R"(job.fio:2:18: "x" is not a number; allowed: a whole number, optionally with k, m, g, t or p)"},
      {"[a]\nrw=randrw\nbssplit=4k/100,4k/70:64k/50\n",
       "job.fio:3:16: the sum of the percentages is 120; allowed: a sum up to 100"},
      {"[a]\nbssplit=4k/70:64k/50:1m\n",
       "job.fio:2:9: the sum of the percentages is 120; allowed: a sum up to 100"},
      {"[a]\nrate_iops=\n", R"(job.fio:2:1: "rate_iops" has no value; rate_iops=…)"},
      {"[a]\nbs=  \n", R"(job.fio:2:1: "bs" has no value; bs=…)"},
      {"[a]\niodepth 8\n",
       R"(job.fio:2:1: "iodepth 8" has no "="; write the line as KEY=VALUE; did you mean "iodepth=8"?)"},
      {"[a]\nno equals\n", R"(job.fio:2:1: "no equals" has no "="; write the line as KEY=VALUE)"},
      {"[a]\nequals\n",
       R"(job.fio:2:1: unknown key "equals"; write each line as KEY=VALUE, with a key of fio's manual)"},
      {"[a]\nbs=4k\x1b]0;x\n",
       R"(job.fio:2:6: the file has the byte \x1b, which is not text; give a job file, which is text)"},
      {"\x7f"
       "ELF\x02\x01\n",
       R"(job.fio:1:1: the file has the byte \x7f, which is not text; give a job file, which is text)"},
      {"[a]\nname=\xfc\n",
       R"(job.fio:2:6: the file has the byte \xfc, which is not text; give a job file, which is text)"},
      {"[a]\nruntime=5sec\n",
       R"(job.fio:2:9: "5sec" does not end with a unit of time of fio; allowed: us, usec, ms, msec, s, m, h, d)"},
      {"[a]\ntime_based\n",
       "job.fio:1:1: time_based needs a runtime, which is missing; runtime=10 "
       "beside it"},
      {"[a]\nrandom_distribution=zipf:1.0\n",
       "job.fio:2:26: theta of zipf must differ from 1; zipf:0.99 or zipf:1.01"},
      {"[a]\nrandom_distribution=zoned:60/10:30/90\n",
       "job.fio:2:27: the zones have 90% of the I/Os together; 100% together"},
      {"[a]\nbs=64k\nrate=4k\n",
       "job.fio:1:1: a rate of 4096 bytes a second is less than a block of 65536; give a higher rate, or "
       "smaller blocks"},
      {"[a]\nrate_iops=2m\nrate_process=poisson\n",
       "job.fio:1:1: the rate is 2097152 I/Os a second, but fio rounds gaps to whole microseconds, and this "
       "gap would be 0; "
       "allowed: up to 1000000, or rate_process=linear without bssplit"},
      {"[a]\nsize=2g\n",
       "job.fio:2:6: a job's region ends at 2GiB, beyond the end of the disk; allowed: up to 1GiB, "
       "disk_size of the service"},
      {"[a]\nsize=4k\nbs=8k\n",
       "job.fio:2:6: a job's region of 4KiB is smaller than its block of 8KiB; a larger size"},
      {"[a]\noffset_increment=1m\nnumjobs=2\n",
       "job.fio:2:18: offset_increment needs a size, which is missing; size=… beside it"},
      {"[a]\nbs=${BS}\n", "job.fio:2:4: variables are not supported; the value itself"},
      {"[a]\nsize=(4*1024)\n", "job.fio:2:6: arithmetic in ( ) is not supported; the value itself"},
      {"include other.fio\n", R"(job.fio:1:1: "include" is not supported; one file with all sections)"},
      {"[a]\ninclude other.fio\n", R"(job.fio:2:1: "include" is not supported; one file with all sections)"},
  };
  for (const auto& [text, message] : all) EXPECT_EQ(MessageOf(text), message) << text;
  EXPECT_EQ(MessageOf("[a]\nruntime=1\n[global]\nbs=8k\n"),
            "job.fio:3:1: no job stands below this section, so it has no effect; put it above the jobs "
            "that it is for");
  const std::string job = "[a]\nruntime=60\n";
  EXPECT_EQ(MessageOf(job, "start: 1ms"),
            "s.yaml:4:13: the jobs of the file take 60s, and the scenario does not give the simulated "
            "time for it; give time_scale: 1/1000, or span: 10ms");
  EXPECT_EQ(MessageOf("[a]\n", "span: 1ms"),
            "s.yaml:4:71: no job of the file has a runtime; runtime=10 in it");
  EXPECT_EQ(MessageOf(job, "span: 1ms, time_scale: 1/2"),
            R"(s.yaml:4:71: "span" beside "time_scale"; one of them)");
  EXPECT_EQ(MessageOf(job, "time_scale: 1/1000, from: e0"),
            R"(s.yaml:4:91: "e0" is not a compute host of service "store")");
}

}  // namespace
}  // namespace headroom::fio_jobs_test
