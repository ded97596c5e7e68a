#include "scenario/fio/other_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
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
constexpr std::string_view kChangesNothing[] = {"description",
                                                "group_reporting",
                                                "new_group",
                                                "unit_base",
                                                "percentile_list",
                                                "clat_percentiles",
                                                "lat_percentiles",
                                                "slat_percentiles",
                                                "disable_lat",
                                                "disable_clat",
                                                "disable_slat",
                                                "disable_bw_measurement",
                                                "disable_bw",
                                                "gtod_reduce",
                                                "clocksource",
                                                "log_avg_msec",
                                                "log_hist_msec",
                                                "log_hist_coarseness",
                                                "log_max_value",
                                                "log_window_value",
                                                "log_offset",
                                                "log_prio",
                                                "log_issue_time",
                                                "log_entries",
                                                "log_compression",
                                                "log_compression_cpus",
                                                "log_store_compressed",
                                                "log_unix_epoch",
                                                "log_alternate_epoch",
                                                "log_alternate_epoch_clock_id",
                                                "per_job_logs",
                                                "write_bw_log",
                                                "write_lat_log",
                                                "write_iops_log",
                                                "write_hist_log",
                                                "unified_rw_reporting",
                                                "mixed",
                                                "significant_figures",
                                                "bwavgtime",
                                                "iopsavgtime",
                                                "rate_cycle",
                                                "disk_util",
                                                "block_error_percentiles",
                                                "write_iolog",
                                                "stats_interval",
                                                "idle_prof",
                                                "error_dump",
                                                "directory",
                                                "filename_format",
                                                "unique_filename",
                                                "openfiles",
                                                "open_files",
                                                "file_service_type",
                                                "fallocate",
                                                "create_on_open",
                                                "create_serialize",
                                                "create_fsync",
                                                "unlink",
                                                "unlink_each_loop",
                                                "overwrite",
                                                "fadvise_hint",
                                                "fadvise",
                                                "invalidate",
                                                "allow_mounted_write",
                                                "allow_file_create",
                                                "write_hint",
                                                "sync_file_range",
                                                "write_barrier",
                                                "barrier",
                                                "thread",
                                                "randrepeat",
                                                "allrandrepeat",
                                                "randseed",
                                                "softrandommap",
                                                "refill_buffers",
                                                "zero_buffers",
                                                "scramble_buffers",
                                                "buffer_compress_percentage",
                                                "buffer_compress_chunk",
                                                "buffer_pattern",
                                                "dedupe_percentage",
                                                "dedupe_mode",
                                                "dedupe_working_set_percentage",
                                                "dedupe_global",
                                                "mem",
                                                "iomem",
                                                "iomem_align",
                                                "mem_align",
                                                "lockmem",
                                                "hugepage-size",
                                                "verify_offset",
                                                "verify_interval",
                                                "verify_pattern",
                                                "verify_pattern_interval",
                                                "verify_fatal",
                                                "verify_dump",
                                                "verify_async",
                                                "verify_async_cpus",
                                                "verify_backlog",
                                                "verify_backlog_batch",
                                                "verifysort",
                                                "verifysort_nr",
                                                "verify_state_save",
                                                "verify_write_sequence",
                                                "verify_header_seed",
                                                "trim_percentage",
                                                "trim_verify_zero",
                                                "trim_backlog",
                                                "trim_backlog_batch",
                                                "nice",
                                                "prio",
                                                "prioclass",
                                                "cpumask",
                                                "cpus_allowed",
                                                "cpus_allowed_policy",
                                                "numa_cpu_nodes",
                                                "numa_mem_policy",
                                                "ioscheduler",
                                                "cgroup",
                                                "cgroup_weight",
                                                "cgroup_nodelete",
                                                "uid",
                                                "gid",
                                                "gtod_cpu",
                                                "exec_prerun",
                                                "exec_postrun",
                                                "thinkcycles",
                                                "hipri",
                                                "hipri_percentage",
                                                "fixedbufs",
                                                "registerfiles",
                                                "sqthread_poll",
                                                "sqthread_poll_cpu",
                                                "nonvectored",
                                                "uncached",
                                                "nowait",
                                                "force_async",
                                                "userspace_reap",
                                                "latency_window",
                                                "latency_percentile",
                                                "latency_run",
                                                "flow_id",
                                                "flow_sleep",
                                                "flow_watermark",
                                                "ss_dur",
                                                "ss_ramp",
                                                "steadystate_duration",
                                                "steadystate_ramp_time",
                                                "ss_interval",
                                                "steadystate_check_interval",
                                                "replay_no_stall",
                                                "replay_time_scale",
                                                "replay_redirect",
                                                "replay_align",
                                                "replay_scale",
                                                "replay_skip",
                                                "read_iolog_chunked",
                                                "merge_blktrace_scalars",
                                                "merge_blktrace_iters",
                                                "zone_reset_threshold",
                                                "zone_reset_frequency",
                                                "read_beyond_wp",
                                                "max_open_zones",
                                                "job_max_open_zones",
                                                "ignore_zone_limits",
                                                "fdp_pli",
                                                "plids"};

/// Keys that are refused, with the reason, unless their value turns them off.
struct Refused {
  std::string_view key;
  std::array<std::string_view, 2> off;  ///< values that turn the key off; empty if none does
  const char* why;
};
constexpr const char* kNoCache = "a simulated disk has no page cache";
constexpr const char* kNoSync = "I/Os are only reads and writes";
constexpr const char* kOneFile = "the disk is the one file";
constexpr const char* kNoSearch = "iodepth is fixed during a job; vary iodepth over several runs";
constexpr const char* kNoReplay =
    "fio's jobs draw their I/Os; to replay a recorded trace, use a workload of type trace (format: msr "
    "or alibaba)";
constexpr const char* kNoZones =
    "a simulated disk has no zones; to draw addresses unevenly, use random_distribution=zoned";
constexpr const char* kOneByOne = "I/Os are submitted and reaped one by one";
constexpr const char* kToTheEnd = "a job ends by its own runtime, size or number_ios";
constexpr const char* kNoPriority = "a simulated disk serves its I/Os without priorities";
constexpr Refused kRefused[] = {
    {"direct", {"1", ""}, kNoCache},
    {"buffered", {"0", ""}, kNoCache},
    {"nrfiles", {"1", ""}, kOneFile},
    {"opendir", {}, kOneFile},
    {"lockfile", {"none", ""}, kOneFile},
    {"filesize", {}, "size and offset give a job's part of the disk"},
    {"file_append", {"0", ""}, kOneFile},
    {"fill_device", {"0", ""}, "size gives a job's share of the disk"},
    {"fill_fs", {"0", ""}, "size gives a job's share of the disk"},
    {"sync", {"0", "none"}, kNoSync},
    {"fsync", {"0", ""}, kNoSync},
    {"fdatasync", {"0", ""}, kNoSync},
    {"end_fsync", {"0", ""}, kNoSync},
    {"fsync_on_close", {"0", ""}, kNoSync},
    {"atomic", {"0", ""}, kNoSync},
    {"verify", {"0", "none"}, "data are counted"},
    {"do_verify", {"0", ""}, "data are counted"},
    {"verify_only", {"0", ""}, "data are counted"},
    {"experimental_verify", {"0", ""}, "data are counted"},
    {"verify_state_load", {"0", ""}, "data are counted"},
    {"pre_read", {"0", ""}, kNoCache},
    {"create_only", {"0", ""}, "every job does I/Os"},
    {"stats", {"1", ""}, "every job is reported"},
    {"thinktime_spin", {"0", ""}, "think times take no core"},
    {"random_generator", {"tausworthe", "tausworthe64"}, "each random address is drawn independently"},
    {"zonemode", {"none", ""}, kNoZones},
    {"zonesize", {"0", ""}, kNoZones},
    {"zonerange", {"0", ""}, kNoZones},
    {"zoneskip", {"0", ""}, kNoZones},
    {"zonecapacity", {"0", ""}, kNoZones},
    {"ba", {}, "an I/O is aligned to its smallest size"},
    {"blockalign", {}, "an I/O is aligned to its smallest size"},
    {"offset_align", {"0", ""}, "an I/O is aligned to its smallest size"},
    {"bs_is_seq_rand", {"0", ""}, "give the sizes of reads and of writes in bs"},
    {"num_range", {}, "an I/O is one range of the disk"},
    {"read_iolog", {}, kNoReplay},
    {"merge_blktrace_file", {}, kNoReplay},
    {"max_latency", {"0", ""}, kToTheEnd},
    {"latency_target", {"0", ""}, kNoSearch},
    {"flow", {"0", ""}, "jobs do not share a pace; give each job its rate or rate_iops"},
    {"steadystate", {}, kToTheEnd},
    {"ss", {}, kToTheEnd},
    {"exitall", {"0", ""}, kToTheEnd},
    {"exit_what", {}, kToTheEnd},
    {"exitall_on_error", {"0", ""}, kToTheEnd},
    {"continue_on_error", {}, kToTheEnd},
    {"ignore_error", {}, kToTheEnd},
    {"rate_min", {"0", ""}, kToTheEnd},
    {"ratemin", {"0", ""}, kToTheEnd},
    {"rate_iops_min", {"0", ""}, kToTheEnd},
    {"rate_ignore_thinktime", {"0", ""}, "think times do not stop a job's rate"},
    {"iodepth_batch", {"1", ""}, kOneByOne},
    {"iodepth_batch_submit", {"1", ""}, kOneByOne},
    {"iodepth_batch_complete", {"1", ""}, kOneByOne},
    {"iodepth_batch_complete_min", {"1", ""}, kOneByOne},
    {"iodepth_batch_complete_max", {"1", ""}, kOneByOne},
    {"iodepth_low", {}, kOneByOne},
    {"serialize_overlap", {"0", ""}, "overlapping I/Os may be open at the same time"},
    {"wait_for", {}, "to make a job wait for all earlier jobs, use stonewall"},
    {"cmdprio_percentage", {"0", ""}, kNoPriority},
    {"cmdprio_class", {"0", ""}, kNoPriority},
    {"cmdprio_hint", {"0", ""}, kNoPriority},
    {"cmdprio", {"0", ""}, kNoPriority},
    {"cmdprio_bssplit", {}, kNoPriority},
    {"priohint", {"0", ""}, kNoPriority},
    {"rwmixcycle", {}, "each I/O is drawn as a read or a write"},
    {"profile", {}, "a job file describes all jobs of the run"},
    {"fdp", {"0", ""}, "a simulated disk places no data"},
    {"dataplacement", {"none", ""}, "a simulated disk places no data"},
    {"sprandom", {"0", ""}, "a simulated disk has no flash to fill"}};

/// Keys of engines that do not access a disk.
constexpr std::string_view kOfOtherEngines[] = {"cmd_type",
                                                "arguments",
                                                "bindname",
                                                "busy_poll",
                                                "busy_wait_polling",
                                                "chunk_size",
                                                "clientname",
                                                "clustername",
                                                "conf",
                                                "cont",
                                                "cpuchunks",
                                                "cpuload",
                                                "cpumode",
                                                "cuda_io",
                                                "direct_write_to_pmem",
                                                "donorname",
                                                "exit_on_io_done",
                                                "gpu_dev_ids",
                                                "grace_time",
                                                "hdfsdirectory",
                                                "hostname",
                                                "http_host",
                                                "http_mode",
                                                "http_pass",
                                                "http_s3_key",
                                                "http_s3_keyid",
                                                "http_s3_region",
                                                "http_s3_sse_customer_algorithm",
                                                "http_s3_sse_customer_key",
                                                "http_s3_storage_class",
                                                "http_swift_auth_token",
                                                "http_user",
                                                "http_verbose",
                                                "https",
                                                "inplace",
                                                "interface",
                                                "listen",
                                                "mss",
                                                "namenode",
                                                "nfs_url",
                                                "nodelay",
                                                "object_class",
                                                "pingpong",
                                                "pool",
                                                "port",
                                                "program",
                                                "proto",
                                                "protocol",
                                                "rbdname",
                                                "readfua",
                                                "serverip",
                                                "sg_write_mode",
                                                "skip_bad",
                                                "stat_type",
                                                "std_redirect",
                                                "stream_id",
                                                "touch_objects",
                                                "ttl",
                                                "uri",
                                                "verb",
                                                "window_size",
                                                "writefua",
                                                "xnvme_admin",
                                                "xnvme_async",
                                                "xnvme_dev_nsid",
                                                "xnvme_iovec",
                                                "xnvme_sync"};

template <class List>
bool Holds(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != std::end(list);
}

}  // namespace

std::span<const std::string_view> KeysThatChangeNothing() { return kChangesNothing; }

bool ApplyOther(const Line& line) {
  const std::string& key = line.key.text;
  if (Holds(kChangesNothing, key)) return true;
  if (key == "filename") {
    if (line.value.text.find(':') == std::string::npos) return true;
    throw ScenarioError(line.value.where, "several files per job are not supported", kOneFile);
  }
  if (Holds(kOfOtherEngines, key))
    throw ScenarioError(line.key.where, Quote(key) + " is an engine that does no disk I/O", "leave it out");
  const auto found = std::ranges::find(kRefused, key, &Refused::key);
  if (found == std::end(kRefused)) return false;
  const std::string value = line.bare ? "1" : line.value.text;
  const bool off = !value.empty() && (value == found->off[0] || value == found->off[1]);
  if (off) return true;
  const std::string written = line.bare ? key : key + '=' + value;
  const std::string fix = found->off[0].empty() ? "leave it out" : fmt::format("{}={}", key, found->off[0]);
  throw ScenarioError(line.bare ? line.key.where : line.value.where, written + " is not supported",
                      fmt::format("{}: {}", found->why, fix));
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
