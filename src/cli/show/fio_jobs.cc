#include "cli/show/fio_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <set>

#include "files/staged_directory.h"

namespace headroom {

const std::array<const char*, kFioLatencies> kFioLatencyNames = {
    "2",  "4",  "10", "20",  "50",  "100", "250", "500",  "750",  "1000",  "2",
    "4",  "10", "20", "50",  "100", "250", "500", "750",  "1000", "2",     "4",
    "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"};

void Sample::Add(double value) {
  least_ = count_ == 0 ? value : std::min(least_, value);
  most_ = count_ == 0 ? value : std::max(most_, value);
  ++count_;
  const double from_mean = value - mean_;
  mean_ += from_mean / static_cast<double>(count_);
  squares_ += from_mean * (value - mean_);
}

double Sample::deviation() const {
  return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1));
}

int64_t FioSide::ClatAt(int per_myriad) const {
  const size_t rank = (sorted_clat.size() * static_cast<size_t>(per_myriad) + 9999) / 10'000;
  return sorted_clat[rank - 1];
}

namespace {

constexpr Time kWindow = Milliseconds(500);

Sample Windows(const FioSide& side, const std::vector<int64_t>& windows, double unit) {
  Sample sample;
  const auto whole = side.last > side.first ? static_cast<size_t>((side.last - side.first) / kWindow) : 0;
  for (size_t i = 0; i < whole; ++i)
    sample.Add((i < windows.size() ? static_cast<double>(windows[i]) : 0) / unit / InSeconds(kWindow));
  return sample;
}

void AddTo(std::vector<int64_t>& windows, size_t at, int64_t amount) {
  if (at >= windows.size()) windows.resize(at + 1);
  windows[at] += amount;
}

int64_t RoundedNs(Time t) { return (t.v + 500) / 1000; }

/// The index of the latency bin: powers of ten from ns to ms.
size_t LatencyBin(int64_t ns) {
  constexpr int64_t ends[] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};
  const int unit = ns < 1000 ? 0 : ns < 1'000'000 ? 1 : 2;
  for (int i = 0; i < unit; ++i) ns /= 1000;
  const auto bin = std::upper_bound(std::begin(ends), std::end(ends), ns) - std::begin(ends);
  return static_cast<size_t>(10 * unit + bin);
}

size_t DepthBin(size_t open) { return std::min<size_t>(std::bit_width(open) - 1, kFioDepths - 1); }

void AddFinished(FioJob& job, const OperationLine& line) {
  FioSide& side = job.sides[static_cast<size_t>(line.kind)];
  side.last = std::max(side.last, line.completed);
  if (line.status != OperationStatus::ok) {
    ++(line.status == OperationStatus::failed ? job.failed : job.corrupt);
    return;
  }
  const Time posted = line.posted == kNever ? line.start : line.posted;
  const int64_t slat = RoundedNs(posted - line.start), clat = RoundedNs(line.completed - posted);
  ++side.ios;
  side.slat.Add(static_cast<double>(slat));
  side.clat.Add(static_cast<double>(clat));
  side.lat.Add(static_cast<double>(slat + clat));
  side.sorted_clat.push_back(clat);
  ++job.latencies[LatencyBin(clat)];
  const auto window = static_cast<size_t>((line.completed - side.first) / kWindow);
  AddTo(side.window_bytes, window, line.bytes);
  AddTo(side.window_ios, window, 1);
}

/// Collects jobs from lines in the order of arrival.
class FioTally {
 public:
  FioTally(const Scenario& scenario, Time end, bool by_host, const std::vector<std::string>& hosts)
      : end_(end), by_host_(by_host) {
    for (uint32_t w = 0; w < scenario.workloads.size(); ++w) {
      const auto* const io = scenario.workloads[w].arrivals.Find<IoArrivals>();
      if (io == nullptr) {
        others_.insert(scenario.workloads[w].name);
        continue;
      }
      for (const NodeId client : io->from) {
        const std::string& host = scenario.topology.nodes[client].name;
        known_.insert({scenario.workloads[w].name, host});
        if (by_host && std::find(hosts.begin(), hosts.end(), host) == hosts.end()) continue;
        FioJob& job = JobOf(scenario.workloads[w].name, by_host ? host : "");
        job.workload = w;
        job.span = scenario.workloads[w].arrivals->Span(scenario.warmup, scenario.duration);
        ++job.clients;
      }
    }
  }

  /// Whether the scenario has such a workload, and a workload on disks has such a client. Lines of other
  /// workloads belong to no job.
  bool Knows(const OperationLine& line) const {
    const std::string workload(line.workload);
    return others_.contains(workload) || known_.contains({workload, std::string(line.client)});
  }

  void Add(const OperationLine& line) {
    const auto at = index_.find({std::string(line.workload), by_host_ ? std::string(line.client) : ""});
    if (at == index_.end()) return;
    FioJob& job = jobs_[at->second];
    auto& open = open_[{at->second, std::string(line.client)}];
    while (!open.empty() && open.top() <= line.start) open.pop();
    open.push(line.completed);
    if (job.begun == kNever) job.span.Begin(line.start);
    job.begun = std::min(job.begun, line.start);
    if (line.Finished()) job.ended = std::max(job.ended, line.completed);
    FioSide& side = job.sides[static_cast<size_t>(line.kind)];
    if (line.Finished() && line.status == OperationStatus::ok && job.span.Counts(line.completed)) {
      ++side.steady_ios;
      side.steady_bytes += line.bytes;
    }
    if (line.ramp) return;
    ++job.depths[DepthBin(open.size())];
    side.first = std::min(side.first, line.start);
    if (line.Finished()) AddFinished(job, line);
  }

  std::vector<FioJob> Finish() && {
    for (FioJob& job : jobs_) {
      for (FioSide& side : job.sides) {
        side.span = job.span.Length(job.begun, job.ended, end_);
        std::sort(side.sorted_clat.begin(), side.sorted_clat.end());
      }
    }
    return std::move(jobs_);
  }

 private:
  FioJob& JobOf(const std::string& workload, const std::string& host) {
    const auto [at, is_new] = index_.try_emplace({workload, host}, jobs_.size());
    if (is_new) {
      jobs_.emplace_back();
      jobs_.back().name = workload;
      jobs_.back().host = host;
    }
    return jobs_[at->second];
  }

  using Ends = std::priority_queue<Time, std::vector<Time>, std::greater<>>;
  const Time end_;
  const bool by_host_;
  std::vector<FioJob> jobs_;
  std::map<std::pair<std::string, std::string>, size_t> index_;  ///< key: workload and host
  std::set<std::string> others_;                                 ///< workloads that use no disks
  std::set<std::pair<std::string, std::string>> known_;
  std::map<std::pair<size_t, std::string>, Ends> open_;  ///< end times of a client's open I/Os
};

}  // namespace

Sample FioSide::BandwidthWindows() const { return Windows(*this, window_bytes, 1024); }
Sample FioSide::IopsWindows() const { return Windows(*this, window_ios, 1); }

std::vector<FioJob> FioJobs(const std::filesystem::path& operations_csv, const Scenario& scenario, Time end,
                            bool by_host, const std::vector<std::string>& hosts) {
  FioTally tally(scenario, end, by_host, hosts);
  ForEachOperation(operations_csv, [&](const OperationLine& line) {
    if (!tally.Knows(line)) {
      throw ResultError(
          fmt::format("{}: there is no workload {} at {} in resolved.yaml; run the scenario again",
                      operations_csv.string(), line.workload, line.client));
    }
    tally.Add(line);
  });
  return std::move(tally).Finish();
}

}  // namespace headroom
