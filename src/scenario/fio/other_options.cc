#include "scenario/fio/other_options.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "scenario/fio/values.h"
#include "scenario/yaml/node.h"

namespace headroom::fio {

namespace {

constexpr std::string_view kSynchronous[] = {"sync", "psync", "vsync", "pvsync", "pvsync2"};
constexpr std::string_view kAsynchronous[] = {"libaio", "io_uring", "posixaio", "windowsaio", "solarisaio"};

/// Of reports, of files, of memory and content, and of the seed, which is the scenario's.
constexpr std::string_view kWithoutEffect[] = {"description",
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
                                               "log_offset",
                                               "log_compression",
                                               "log_store_compressed",
                                               "log_unix_epoch",
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
                                               "directory",
                                               "filename_format",
                                               "unique_filename",
                                               "openfiles",
                                               "open_files",
                                               "fallocate",
                                               "create_on_open",
                                               "create_serialize",
                                               "create_fsync",
                                               "unlink",
                                               "overwrite",
                                               "fadvise_hint",
                                               "fadvise",
                                               "invalidate",
                                               "allow_mounted_write",
                                               "allow_file_create",
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
                                               "mem",
                                               "iomem",
                                               "iomem_align",
                                               "mem_align",
                                               "lockmem",
                                               "hugepage-size"};

/// Keys that change nothing with one value, and mean something of no simulated disk with others.
struct OneValue {
  std::string_view key;
  std::array<std::string_view, 2> allowed;
  const char* why;
};
constexpr OneValue kOneValue[] = {
    {"direct", {"1", ""}, "a simulated disk has no page cache: direct=1"},
    {"buffered", {"0", ""}, "a simulated disk has no page cache: buffered=0"},
    {"nrfiles", {"1", ""}, "the disk is the one file: nrfiles=1"},
    {"sync", {"0", "none"}, "sync=0"},
    {"fsync", {"0", ""}, "I/Os are reads and writes alone: fsync=0"},
    {"fdatasync", {"0", ""}, "I/Os are reads and writes alone: fdatasync=0"},
    {"end_fsync", {"0", ""}, "I/Os are reads and writes alone: end_fsync=0"},
    {"fsync_on_close", {"0", ""}, "I/Os are reads and writes alone: fsync_on_close=0"},
    {"verify", {"0", "none"}, "data are counted: verify=0"},
    {"do_verify", {"0", ""}, "data are counted: do_verify=0"},
    {"pre_read", {"0", ""}, "pre_read=0"},
    {"create_only", {"0", ""}, "create_only=0"},
    {"stats", {"1", ""}, "every job is reported: stats=1"},
    {"thinktime_spin", {"0", ""}, "think times take no core: thinktime_spin=0"},
    {"random_generator", {"tausworthe", "tausworthe64"}, "random_generator=tausworthe"},
    {"zonemode", {"none", ""}, "zonemode=none"}};

/// Keys of fio that are of no simulated disk.
constexpr std::string_view kOfNoDisk[] = {"opendir",
                                          "lockfile",
                                          "filesize",
                                          "file_append",
                                          "fill_device",
                                          "fill_fs",
                                          "file_service_type",
                                          "nice",
                                          "prio",
                                          "prioclass",
                                          "cpumask",
                                          "cpus_allowed",
                                          "cpus_allowed_policy",
                                          "numa_cpu_nodes",
                                          "numa_mem_policy",
                                          "ba",
                                          "blockalign",
                                          "bs_is_seq_rand",
                                          "read_iolog",
                                          "write_iolog",
                                          "read_iolog_chunked",
                                          "replay_no_stall",
                                          "replay_time_scale",
                                          "replay_redirect",
                                          "replay_align",
                                          "replay_scale",
                                          "replay_skip",
                                          "merge_blktrace_file",
                                          "verify_offset",
                                          "verify_interval",
                                          "verify_pattern",
                                          "verify_fatal",
                                          "verify_dump",
                                          "verify_async",
                                          "verify_backlog",
                                          "verify_only",
                                          "verifysort",
                                          "verify_state_save",
                                          "verify_state_load",
                                          "experimental_verify",
                                          "trim_percentage",
                                          "trim_verify_zero",
                                          "trim_backlog",
                                          "num_range",
                                          "max_latency",
                                          "latency_target",
                                          "latency_window",
                                          "latency_percentile",
                                          "latency_run",
                                          "flow",
                                          "flow_id",
                                          "flow_sleep",
                                          "flow_watermark",
                                          "steadystate",
                                          "ss",
                                          "ss_dur",
                                          "ss_ramp",
                                          "ss_interval",
                                          "iodepth_batch",
                                          "iodepth_batch_submit",
                                          "iodepth_batch_complete",
                                          "iodepth_batch_complete_min",
                                          "iodepth_batch_complete_max",
                                          "iodepth_low",
                                          "serialize_overlap",
                                          "rate_min",
                                          "ratemin",
                                          "rate_iops_min",
                                          "rate_ignore_thinktime",
                                          "thinkcycles",
                                          "zonesize",
                                          "zonerange",
                                          "zoneskip",
                                          "zonecapacity",
                                          "read_beyond_wp",
                                          "max_open_zones",
                                          "job_max_open_zones",
                                          "zone_reset_threshold",
                                          "exitall",
                                          "exit_what",
                                          "exitall_on_error",
                                          "exec_prerun",
                                          "exec_postrun",
                                          "wait_for",
                                          "ioscheduler",
                                          "cgroup",
                                          "cgroup_weight",
                                          "cgroup_nodelete",
                                          "uid",
                                          "gid",
                                          "profile",
                                          "continue_on_error",
                                          "ignore_error",
                                          "error_dump",
                                          "gtod_cpu",
                                          "idle_prof",
                                          "sync_file_range",
                                          "write_barrier",
                                          "barrier",
                                          "hipri",
                                          "fixedbufs",
                                          "registerfiles",
                                          "sqthread_poll",
                                          "sqthread_poll_cpu",
                                          "nonvectored",
                                          "uncached",
                                          "nowait",
                                          "force_async",
                                          "cmdprio_percentage",
                                          "cmdprio_class",
                                          "cmdprio",
                                          "cmdprio_bssplit",
                                          "userspace_reap",
                                          "atomic",
                                          "offset_align",
                                          "dedupe_mode",
                                          "dedupe_working_set_percentage",
                                          "replay",
                                          "unlink_each_loop",
                                          "rwmixcycle",
                                          "write_hint",
                                          "fdp",
                                          "dataplacement",
                                          "sprandom"};

template <class List>
bool Holds(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != std::end(list);
}

}  // namespace

bool ApplyOther(const Line& line) {
  const std::string& key = line.key.text;
  if (Holds(kWithoutEffect, key)) return true;
  if (key == "filename") {
    if (line.value.text.find(':') == std::string::npos) return true;
    throw ScenarioError(line.value.where, "several files are not supported", "the disk is the one file");
  }
  const auto one = std::ranges::find(kOneValue, key, &OneValue::key);
  if (one != std::end(kOneValue)) {
    const std::string value = line.bare ? "1" : line.value.text;
    if (value == one->allowed[0] || (value == one->allowed[1] && !value.empty())) return true;
    throw ScenarioError(line.bare ? line.key.where : line.value.where,
                        key + "=" + value + " is not supported", one->why);
  }
  if (Holds(kOfNoDisk, key))
    throw ScenarioError(line.key.where, Quote(key) + " of fio is not supported",
                        "leave it out; docs/models/io-workloads.md has the keys that are");
  return false;
}

std::string EngineOf(const Text& value) {
  if (Holds(kSynchronous, value.text) || Holds(kAsynchronous, value.text)) return value.text;
  std::string names;
  for (const std::string_view name : kAsynchronous) (names += name) += ", ";
  for (const std::string_view name : kSynchronous) (names += name) += ", ";
  names.resize(names.size() - 2);
  throw ScenarioError(value.where, "ioengine=" + value.text + " is not supported", "allowed: " + names);
}

bool IsSynchronous(const std::string& engine) { return Holds(kSynchronous, engine); }

}  // namespace headroom::fio
