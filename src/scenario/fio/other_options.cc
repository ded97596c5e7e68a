#include "scenario/fio/other_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario/fio/values.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/node.h"

namespace headroom::fio {

namespace {

constexpr std::string_view kSynchronous[] = {"sync", "psync", "vsync", "pvsync", "pvsync2"};
constexpr std::string_view kAsynchronous[] = {"libaio", "io_uring", "posixaio", "windowsaio", "solarisaio"};

/// Keys of reports and logs; of files; of the seed, which is the scenario's; of buffer content and its
/// checks; of the machine under fio; of submission by an engine. The list also has keys that depend on keys
/// that Headroom turns off.
constexpr std::string_view kChangesNothing =
    "description group_reporting new_group unit_base percentile_list clat_percentiles lat_percentiles "
    "slat_percentiles disable_lat disable_clat disable_slat disable_bw_measurement disable_bw "
    "gtod_reduce clocksource log_avg_msec log_hist_msec log_hist_coarseness log_max_value "
    "log_window_value log_offset log_prio log_issue_time log_entries log_compression "
    "log_compression_cpus log_store_compressed log_unix_epoch log_alternate_epoch "
    "log_alternate_epoch_clock_id per_job_logs write_bw_log write_lat_log write_iops_log "
    "write_hist_log unified_rw_reporting mixed significant_figures bwavgtime iopsavgtime rate_cycle "
    "disk_util block_error_percentiles write_iolog stats_interval idle_prof error_dump directory "
    "filename_format unique_filename openfiles open_files file_service_type fallocate create_on_open "
    "create_serialize create_fsync unlink unlink_each_loop overwrite fadvise_hint fadvise invalidate "
    "allow_mounted_write allow_file_create write_hint sync_file_range write_barrier barrier thread "
    "randrepeat allrandrepeat randseed softrandommap refill_buffers zero_buffers scramble_buffers "
    "buffer_compress_percentage buffer_compress_chunk buffer_pattern dedupe_percentage dedupe_mode "
    "dedupe_working_set_percentage dedupe_global mem iomem iomem_align mem_align lockmem hugepage-size "
    "verify_offset verify_interval verify_pattern verify_pattern_interval verify_fatal verify_dump "
    "verify_async verify_async_cpus verify_backlog verify_backlog_batch verifysort verifysort_nr "
    "verify_state_save verify_write_sequence verify_header_seed trim_percentage trim_verify_zero "
    "trim_backlog trim_backlog_batch nice prio prioclass cpumask cpus_allowed cpus_allowed_policy "
    "numa_cpu_nodes numa_mem_policy ioscheduler cgroup cgroup_weight cgroup_nodelete uid gid gtod_cpu "
    "exec_prerun exec_postrun thinkcycles hipri hipri_percentage fixedbufs registerfiles sqthread_poll "
    "sqthread_poll_cpu nonvectored uncached nowait force_async userspace_reap latency_window "
    "latency_percentile latency_run flow_id flow_sleep flow_watermark ss_dur ss_ramp "
    "steadystate_duration steadystate_ramp_time ss_interval steadystate_check_interval replay_no_stall "
    "replay_time_scale replay_redirect replay_align replay_scale replay_skip read_iolog_chunked "
    "merge_blktrace_scalars merge_blktrace_iters zone_reset_threshold zone_reset_frequency "
    "read_beyond_wp max_open_zones job_max_open_zones ignore_zone_limits fdp_pli plids";

constexpr const char* kOneFile = "the disk is the one file";
/// Keys that are refused, by the reason. Each has the values that turn it off; without a value, none does.
constexpr std::pair<const char*, std::string_view> kRefused[] = {
    {"a simulated disk has no page cache", "direct=1 buffered=0 pre_read=0"},
    {kOneFile, "nrfiles=1 opendir lockfile=none file_append=0"},
    {"size and offset give a job's part of the disk", "filesize"},
    {"size gives a job's share of the disk", "fill_device=0 fill_fs=0"},
    {"I/Os are only reads and writes",
     "sync=0|none fsync=0 fdatasync=0 end_fsync=0 fsync_on_close=0 atomic=0"},
    {"data are counted", "verify=0|none do_verify=0 verify_only=0 experimental_verify=0 verify_state_load=0"},
    {"every job does I/Os", "create_only=0"},
    {"every job is reported", "stats=1"},
    {"think times take no core", "thinktime_spin=0"},
    {"each random address is drawn independently", "random_generator=tausworthe|tausworthe64"},
    {"a simulated disk has no zones; to draw addresses unevenly, use random_distribution=zoned",
     "zonemode=none zonesize=0 zonerange=0 zoneskip=0 zonecapacity=0"},
    {"an I/O is aligned to its smallest size", "ba blockalign offset_align=0"},
    {"give the sizes of reads and of writes in bs", "bs_is_seq_rand=0"},
    {"an I/O is one range of the disk", "num_range"},
    {"fio's jobs draw their I/Os; to replay a recorded trace, use a workload of type trace (format: msr or "
     "alibaba)",
     "read_iolog merge_blktrace_file"},
    {"a job ends by its own runtime, size or number_ios",
     "max_latency=0 steadystate ss exitall=0 exit_what exitall_on_error=0 continue_on_error ignore_error "
     "rate_min=0 ratemin=0 rate_iops_min=0"},
    {"iodepth is fixed during a job; vary iodepth over several runs", "latency_target=0"},
    {"jobs do not share a pace; give each job its rate or rate_iops", "flow=0"},
    {"think times do not stop a job's rate", "rate_ignore_thinktime=0"},
    {"I/Os are submitted and reaped one by one",
     "iodepth_batch=1 iodepth_batch_submit=1 iodepth_batch_complete=1 iodepth_batch_complete_min=1 "
     "iodepth_batch_complete_max=1 iodepth_low"},
    {"overlapping I/Os may be open at the same time", "serialize_overlap=0"},
    {"to make a job wait for all earlier jobs, use stonewall", "wait_for"},
    {"a simulated disk serves its I/Os without priorities",
     "cmdprio_percentage=0 cmdprio_class=0 cmdprio_hint=0 cmdprio=0 cmdprio_bssplit priohint=0"},
    {"each I/O is drawn as a read or a write", "rwmixcycle"},
    {"a job file describes all jobs of the run", "profile"},
    {"a simulated disk places no data", "fdp=0 dataplacement=none"},
    {"a simulated disk has no flash to fill", "sprandom=0"}};

/// Keys of engines that do not access a disk.
constexpr std::string_view kOfOtherEngines =
    "cmd_type arguments bindname busy_poll busy_wait_polling chunk_size clientname clustername conf "
    "cont cpuchunks cpuload cpumode cuda_io direct_write_to_pmem donorname exit_on_io_done gpu_dev_ids "
    "grace_time hdfsdirectory hostname http_host http_mode http_pass http_s3_key http_s3_keyid "
    "http_s3_region http_s3_sse_customer_algorithm http_s3_sse_customer_key http_s3_storage_class "
    "http_swift_auth_token http_user http_verbose https inplace interface listen mss namenode nfs_url "
    "nodelay object_class pingpong pool port program proto protocol rbdname readfua serverip "
    "sg_write_mode skip_bad stat_type std_redirect stream_id touch_objects ttl uri verb window_size "
    "writefua xnvme_admin xnvme_async xnvme_dev_nsid xnvme_iovec xnvme_sync";

bool Holds(const auto& list, std::string_view word) {
  return std::ranges::find(list, word) != std::end(list);
}

std::vector<std::string_view> Split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (const auto part : std::views::split(text, at)) parts.emplace_back(part.begin(), part.end());
  return parts;
}

struct Refusal {
  const char* why;
  std::vector<std::string_view> off;
};

/// By key.
std::map<std::string_view, Refusal> Refusals() {
  std::map<std::string_view, Refusal> refusals;
  for (const auto& [why, keys] : kRefused) {
    for (const std::string_view key : Split(keys, ' ')) {
      const size_t equals = std::min(key.find('='), key.size());
      const std::string_view off = key.substr(std::min(equals + 1, key.size()));
      refusals[key.substr(0, equals)] = {why,
                                         off.empty() ? std::vector<std::string_view>{} : Split(off, '|')};
    }
  }
  return refusals;
}

}  // namespace

const std::vector<std::string_view>& KeysThatChangeNothing() {
  static const std::vector<std::string_view> keys = Split(kChangesNothing, ' ');
  return keys;
}

bool ApplyOther(const Line& line) {
  static const std::vector<std::string_view> of_other_engines = Split(kOfOtherEngines, ' ');
  static const std::map<std::string_view, Refusal> refusals = Refusals();
  const std::string& key = line.key.text;
  if (Holds(KeysThatChangeNothing(), key)) return true;
  if (key == "filename") {
    if (line.value.text.find(':') == std::string::npos) return true;
    throw ScenarioError(line.value.where, "several files per job are not supported", kOneFile);
  }
  if (Holds(of_other_engines, key))
    throw ScenarioError(line.key.where, Quote(key) + " is an engine that does no disk I/O", "leave it out");
  const auto found = refusals.find(key);
  if (found == refusals.end()) return false;
  const auto& [why, off] = found->second;
  const std::string value = line.bare ? "1" : line.value.text;
  if (Holds(off, value)) return true;
  const std::string written = line.bare ? key : key + '=' + value;
  const std::string fix = off.empty() ? "leave it out" : fmt::format("{}={}", key, off[0]);
  throw ScenarioError(line.bare ? line.key.where : line.value.where, written + " is not supported",
                      fmt::format("{}: {}", why, fix));
}

std::string EngineOf(const Text& value) {
  if (Holds(kSynchronous, value.text) || Holds(kAsynchronous, value.text)) return value.text;
  std::vector<std::string> names(std::begin(kAsynchronous), std::end(kAsynchronous));
  names.insert(names.end(), std::begin(kSynchronous), std::end(kSynchronous));
  throw ScenarioError(value.where, "ioengine=" + value.text + " is not supported", "allowed: " + Join(names),
                      Nearest(value.text, names));
}

bool IsSynchronous(const std::string& engine) { return Holds(kSynchronous, engine); }

}  // namespace headroom::fio
