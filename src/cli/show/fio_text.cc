// Part of fio_report.h: the report in the form that fio prints for a person. Numbers have four digits, and
// latencies the unit that suits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cli/show/fio_report.h"

namespace headroom {

namespace {

/// Numbers in fio's format: at most four digits, with a multiplier.
std::string FourDigits(double value, double base, const char* const (&suffixes)[5]) {
  size_t suffix = 0;
  bool scaled = false;
  while (value >= 10'000 && suffix + 1 < std::size(suffixes)) {
    value /= base;
    ++suffix;
    scaled = true;
  }
  const int digits = value >= 1 ? static_cast<int>(std::log10(value)) + 1 : 1;
  return fmt::format("{:.{}f}{}", scaled ? value : std::floor(value), scaled ? std::max(0, 3 - digits) : 0,
                     suffixes[suffix]);
}

std::string Binary(double bytes) {
  constexpr const char* suffixes[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  return FourDigits(bytes, 1024, suffixes);
}
std::string Decimal(double bytes) {
  constexpr const char* suffixes[] = {"B", "kB", "MB", "GB", "TB"};
  return FourDigits(bytes, 1000, suffixes);
}
std::string Plain(double number) {
  constexpr const char* suffixes[] = {"", "k", "M", "G", "T"};
  return FourDigits(number, 1000, suffixes);
}

/// fio prints whole milliseconds; a run shorter than a second would have few digits.
std::string Msec(double seconds) {
  const double ms = seconds * 1e3;
  return ms >= 1000 ? fmt::format("{:.0f}", ms) : fmt::format("{:.3f}", ms);
}

/// The line of a latency, in the unit that fio would choose.
std::string LatencyLine(const char* name, const Sample& ns) {
  struct Unit {
    const char* name;
    double size;
  } unit{"nsec", 1};
  if (ns.least() > 2e6 && ns.most() > 99'999'999 && ns.deviation() > 1e6) {
    unit = {"msec", 1e6};
  } else if (ns.least() > 2e3 && ns.most() > 99'999 && ns.deviation() > 1e3) {
    unit = {"usec", 1e3};
  }
  return fmt::format("    {} ({}): min={:.0f}, max={:.0f}, avg={:5.02f}, stdev={:5.02f}\n", name, unit.name,
                     std::floor(ns.least() / unit.size), std::floor(ns.most() / unit.size),
                     ns.mean() / unit.size, ns.deviation() / unit.size);
}

std::string PercentileLines(const FioSide& side) {
  std::vector<int64_t> values;
  for (const int p : kFioPercentiles) values.push_back(side.ClatAt(p));
  const int64_t least = values.front(), most = values.back();
  int64_t unit = 1;
  const char* name = "nsec";
  if (least > 2'000'000 && most > 99'999'999) {
    unit = 1'000'000;
    name = "msec";
  } else if (least > 2'000 && most > 99'999) {
    unit = 1000;
    name = "usec";
  }
  for (int64_t& v : values) v = (v + unit - 1) / unit;
  const size_t width = std::max<size_t>(5, std::to_string(values.back()).size());
  const size_t a_line = 73 / (12 + width);
  std::string out = fmt::format("    clat percentiles ({}):\n     |", name);
  for (size_t i = 0; i < values.size(); ++i) {
    const bool last = i + 1 == values.size();
    out +=
        fmt::format(" {:5.2f}th=[{:{}}]{}", kFioPercentiles[i] / 100.0, values[i], width, last ? "\n" : ",");
    if (!last && i % a_line == a_line - 1) out += "\n     |";
  }
  return out;
}

/// Lines about windows of half a second, as fio has them, if the run contains a window.
std::string WindowLines(const FioSide& side, double of_all) {
  const Sample bw = side.BandwidthWindows(), iops = side.IopsWindows();
  if (bw.count() == 0) return "";
  const bool large = bw.mean() > 1024 * 1024;
  const double unit = large ? 1024 : 1;
  const double share = of_all > 1024 ? std::min(100.0, bw.mean() * 100 / (of_all / 1024)) : 100;
  return fmt::format(
      "   bw ({:>5}/s): min={:5.0f}, max={:5.0f}, per={:3.2f}%, avg={:5.02f}, stdev={:5.02f}, samples={}\n"
      "   iops        : min={:5.0f}, max={:5.0f}, avg={:5.02f}, stdev={:5.02f}, samples={}\n",
      large ? "MiB" : "KiB", bw.least() / unit, bw.most() / unit, share, bw.mean() / unit,
      bw.deviation() / unit, bw.count(), iops.least(), iops.most(), iops.mean(), iops.deviation(),
      iops.count());
}

std::string SideText(const FioSide& side, const char* name, double of_all) {
  if (side.ios == 0) return "";
  const double bw = side.bytes_per_s();
  return fmt::format("  {}: IOPS={}, BW={}/s ({}/s)({}/{}msec)\n", name, Plain(side.iops()), Binary(bw),
                     Decimal(bw), Binary(static_cast<double>(side.steady_bytes)), Msec(side.runtime_s())) +
         LatencyLine("slat", side.slat) + LatencyLine("clat", side.clat) + LatencyLine(" lat", side.lat) +
         PercentileLines(side) + WindowLines(side, of_all);
}

std::string LatencyBins(const FioJob& job) {
  std::string out;
  constexpr struct {
    const char* unit;
    size_t first, end;
  } kUnits[] = {{"nsec", 0, 10}, {"usec", 10, 20}, {"msec", 20, kFioLatencies}};
  for (const auto& [unit, first, end] : kUnits) {
    int shown = 0;
    for (size_t i = first; i < end; ++i) {
      if (job.latencies[i] == 0) continue;
      out += shown % 5 == 0 ? fmt::format("{}  lat ({})   : ", shown > 0 ? "\n" : "", unit) : ", ";
      out += fmt::format("{}={:3.2f}%", kFioLatencyNames[i], FioShare(job.latencies[i], job.ios(), 0.01));
      ++shown;
    }
    if (shown > 0) out += '\n';
  }
  return out;
}

std::string DepthLine(const FioJob& job) {
  uint64_t all = 0;
  for (const uint64_t n : job.depths) all += n;
  std::string out = "  IO depths    : ";
  constexpr const char* names[kFioDepths] = {"1", "2", "4", "8", "16", "32", ">=64"};
  for (size_t i = 0; i < kFioDepths; ++i)
    out += fmt::format("{}{}={:3.1f}%", i > 0 ? ", " : "", names[i], FioShare(job.depths[i], all, 0.1));
  return out + '\n';
}

std::string JobText(const FioJob& job, const FioContext& context, const std::array<double, 2>& of_all) {
  const std::string host = job.host.empty() ? "" : '<' + job.host + "> ";
  const char* error = job.failed > 0 ? " (Input/output error)" : job.corrupt > 0 ? " (wrong CRC)" : "";
  std::string out =
      fmt::format("{}{}: (groupid=0, jobs={}): err={:2}{}: pid=0: {}, seed {}\n", host, job.name, job.clients,
                  job.error(), error, context.scenario.name, context.scenario.seed);
  for (size_t k = 0; k < kIoKinds; ++k)
    out += SideText(job.sides[k], OperationKindName(static_cast<OperationKind>(k)), of_all[k]);
  out += LatencyBins(job);
  const double cpu = context.CpuPercent(job);
  const bool kernel = context.InKernel(job);
  out += fmt::format("  cpu          : usr={:3.2f}%, sys={:3.2f}%, ctx=0, majf=0, minf=0\n", kernel ? 0 : cpu,
                     kernel ? cpu : 0);
  // Each I/O is submitted separately, and completes separately.
  const char* one_by_one = job.ios() > 0 ? "100.0" : "0.0";
  out += DepthLine(job);
  for (const char* what : {"submit  ", "complete"}) {
    out += fmt::format("     {}  : 0=0.0%, 4={}%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n", what,
                       one_by_one);
  }
  out += fmt::format("     issued rwts: total={},{},0,0 short=0,0,0,0 dropped=0,0,0,0\n", job.sides[0].ios,
                     job.sides[1].ios);
  if (job.error() != 0) {
    out += fmt::format("     errors    : total={}, first_error={}/<{}>\n", job.failed + job.corrupt,
                       job.error(), job.failed > 0 ? "Input/output error" : "wrong CRC");
  }
  return out;
}

/// The text of fio's group, which consists of all jobs.
std::string GroupText(const std::vector<FioJob>& jobs) {
  std::string out = "\nRun status group 0 (all jobs):\n";
  constexpr const char* names[] = {"   READ", "  WRITE"};
  for (size_t k = 0; k < kIoKinds; ++k) {
    double bytes = 0, least_bw = HUGE_VAL, most_bw = 0, least_run = HUGE_VAL, most_run = 0;
    for (const FioJob& job : jobs) {
      const FioSide& side = job.sides[k];
      if (side.ios == 0) continue;
      bytes += static_cast<double>(side.steady_bytes);
      least_bw = std::min(least_bw, side.bytes_per_s());
      most_bw = std::max(most_bw, side.bytes_per_s());
      least_run = std::min(least_run, side.runtime_s());
      most_run = std::max(most_run, side.runtime_s());
    }
    if (most_run <= 0) continue;
    const double all = bytes / most_run;
    out += fmt::format("{}: bw={}/s ({}/s), {}/s-{}/s ({}/s-{}/s), io={} ({}), run={}-{}msec\n", names[k],
                       Binary(all), Decimal(all), Binary(least_bw), Binary(most_bw), Decimal(least_bw),
                       Decimal(most_bw), Binary(bytes), Decimal(bytes), Msec(least_run), Msec(most_run));
  }
  return out;
}

}  // namespace

std::string FioText(const std::vector<FioJob>& jobs, const FioContext& context) {
  std::array<double, 2> of_all{};  // bytes per second of each direction, over all jobs
  for (const FioJob& job : jobs) {
    for (size_t k = 0; k < kIoKinds; ++k) of_all[k] += job.sides[k].bytes_per_s();
  }
  std::string out;
  for (const FioJob& job : jobs) out += JobText(job, context, of_all);
  return out + GroupText(jobs);
}

}  // namespace headroom
