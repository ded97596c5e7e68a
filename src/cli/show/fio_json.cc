// Part of fio_report.h: the report in the form of `fio --output-format=json`. Quantities that a simulation
// lacks are 0.
#include <fmt/format.h>

#include <cmath>

#include "cli/show/fio_report.h"
#include "report/version.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

ordered_json LatencyJson(const Sample& ns) {
  return {{"min", std::llround(ns.least())},
          {"max", std::llround(ns.most())},
          {"mean", ns.mean()},
          {"stddev", ns.deviation()},
          {"N", ns.count()}};
}

ordered_json SideJson(const FioSide& side, double of_all) {
  ordered_json out;
  out["io_bytes"] = side.steady_bytes;
  out["io_kbytes"] = side.steady_bytes / 1024;
  out["bw_bytes"] = std::llround(side.bytes_per_s());
  out["bw"] = std::llround(std::floor(side.bytes_per_s() / 1024));
  out["iops"] = side.iops();
  out["runtime"] = std::llround(side.runtime_s() * 1e3);
  out["total_ios"] = side.steady_ios;
  out["short_ios"] = 0;
  out["drop_ios"] = 0;
  out["slat_ns"] = LatencyJson(side.slat);
  out["clat_ns"] = LatencyJson(side.clat);
  if (side.ios > 0) {
    for (const int p : kFioPercentiles)
      out["clat_ns"]["percentile"][fmt::format("{:.6f}", p / 100.0)] = side.ClatAt(p);
  }
  out["lat_ns"] = LatencyJson(side.lat);
  const Sample bw = side.BandwidthWindows(), iops = side.IopsWindows();
  out["bw_min"] = std::llround(bw.least());
  out["bw_max"] = std::llround(bw.most());
  out["bw_agg"] = of_all > 0 ? std::min(100.0, bw.mean() * 1024 * 100 / of_all) : 0;
  out["bw_mean"] = bw.mean();
  out["bw_dev"] = bw.deviation();
  out["bw_samples"] = bw.count();
  out["iops_min"] = std::llround(iops.least());
  out["iops_max"] = std::llround(iops.most());
  out["iops_mean"] = iops.mean();
  out["iops_stddev"] = iops.deviation();
  out["iops_samples"] = iops.count();
  return out;
}

/// Options under fio's names, as texts.
ordered_json OptionsJson(const FioJob& job, const FioContext& context) {
  const IoArrivals& io = context.Io(job);
  ordered_json out;
  out["name"] = job.name;
  if (io.job) {  // the options that its job file has
    for (const auto& [key, value] : io.job->options)
      if (key != "name") out[key] = value;
    return out;
  }
  out["rw"] = io.reads == 1 ? "randread" : io.reads == 0 ? "randwrite" : "randrw";
  if (io.trace) {  // a trace has its own sizes and times
    if (job.host.empty()) out["numjobs"] = std::to_string(job.clients);
    return out;
  }
  if (io.reads > 0 && io.reads < 1) out["rwmixread"] = fmt::format("{:g}", 100 * io.reads);
  if (io.blocks.size() == 1) {
    out["bs"] = std::to_string(io.blocks[0].size.v);
  } else {
    std::string split;
    for (const IoArrivals::Block& b : io.blocks)
      split += fmt::format("{}{}/{:g}", split.empty() ? "" : ":", b.size.v, 100 * b.share);
    out["bssplit"] = split;
  }
  if (io.rate > 0) {
    out["rate_iops"] = fmt::format("{:g}", io.rate);
    out["rate_process"] = io.even ? "linear" : "poisson";
  } else {
    out["iodepth"] = std::to_string(io.depth);
    if (io.think > Time(0)) out["thinktime"] = fmt::format("{:g}us", InMicroseconds(io.think));
  }
  if (io.ramp > Time(0)) out["ramp_time"] = fmt::format("{:g}us", InMicroseconds(io.ramp));
  if (job.host.empty()) out["numjobs"] = std::to_string(job.clients);
  return out;
}

ordered_json DepthsJson(const FioJob& job) {
  constexpr const char* names[kFioDepths] = {"1", "2", "4", "8", "16", "32", ">=64"};
  uint64_t all = 0;
  for (const uint64_t n : job.depths) all += n;
  ordered_json out;
  for (size_t i = 0; i < kFioDepths; ++i) out[names[i]] = FioShare(job.depths[i], all, 0.1);
  return out;
}

/// Each I/O is submitted separately, and completes separately.
ordered_json OneByOne(const FioJob& job) {
  ordered_json out;
  for (const char* name : {"0", "4", "8", "16", "32", "64", ">=64"}) out[name] = 0.0;
  out["4"] = job.ios() > 0 ? 100.0 : 0.0;
  return out;
}

ordered_json LatenciesJson(const FioJob& job, size_t first, size_t end) {
  ordered_json out;
  for (size_t i = first; i < end; ++i) out[kFioLatencyNames[i]] = FioShare(job.latencies[i], job.ios(), 0.01);
  return out;
}

ordered_json JobJson(const FioJob& job, const FioContext& context, const std::array<double, 2>& of_all) {
  ordered_json out;
  out["jobname"] = job.name;
  out["groupid"] = 0;
  out["error"] = job.error();
  if (job.error() != 0) {
    out["total_err"] = job.failed + job.corrupt;
    out["first_error"] = job.error();
  }
  out["eta"] = 0;
  out["elapsed"] = std::llround(std::ceil(context.summary.value("sim_time_us", 0.0) / 1e6));
  out["job options"] = OptionsJson(job, context);
  out["read"] = SideJson(job.sides[0], of_all[0]);
  out["write"] = SideJson(job.sides[1], of_all[1]);
  out["trim"] = SideJson({}, 0);
  out["sync"] = {{"total_ios", 0}, {"lat_ns", LatencyJson({})}};
  out["job_runtime"] = job.last() > job.first() ? std::llround(InSeconds(job.last() - job.first()) * 1e3) : 0;
  const double cpu = context.CpuPercent(job);
  out["usr_cpu"] = context.InKernel(job) ? 0 : cpu;
  out["sys_cpu"] = context.InKernel(job) ? cpu : 0;
  for (const char* unknown : {"ctx", "majf", "minf"}) out[unknown] = 0;
  out["iodepth_level"] = DepthsJson(job);
  out["iodepth_submit"] = OneByOne(job);
  out["iodepth_complete"] = OneByOne(job);
  out["latency_ns"] = LatenciesJson(job, 0, 10);
  out["latency_us"] = LatenciesJson(job, 10, 20);
  out["latency_ms"] = LatenciesJson(job, 20, kFioLatencies);
  out["latency_depth"] = context.Io(job).rate > 0 ? 0 : context.Io(job).depth;
  out["latency_target"] = 0;
  out["latency_percentile"] = 100.0;
  out["latency_window"] = 0;
  if (!job.host.empty()) out["hostname"] = job.host;
  return out;
}

}  // namespace

ordered_json FioJson(const std::vector<FioJob>& jobs, const FioContext& context) {
  std::array<double, 2> of_all{};
  for (const FioJob& job : jobs) {
    for (size_t k = 0; k < kIoKinds; ++k) of_all[k] += job.sides[k].bytes_per_s();
  }
  ordered_json out;
  out["fio version"] = std::string("fio-3.33-headroom-") + kVersion;  // the version whose fields these are
  // Simulated time has no date.
  out["timestamp"] = 0;
  out["timestamp_ms"] = 0;
  out["time"] = "Thu Jan  1 00:00:00 1970";
  out["global options"] = ordered_json::object();
  out["jobs"] = ordered_json::array();
  for (const FioJob& job : jobs) out["jobs"].push_back(JobJson(job, context, of_all));
  out["disk_util"] = ordered_json::array();
  return out;
}

}  // namespace headroom
