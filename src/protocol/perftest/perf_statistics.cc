// Computes perftest's printed numbers from times.
#include <algorithm>
#include <cmath>

#include "protocol/perftest/perf.h"

namespace headroom {

PerfBandwidth BandwidthOf(const PerfTest& test, const PerfTimes& times) {
  const std::vector<Time>& posted = times.posted;
  const std::vector<Time>& completed = times.completed;
  constexpr size_t kMostForPeak = 20'000;  // perftest's limit, too: there are many pairs
  double best = InSeconds(completed.back() - posted.front()) / static_cast<double>(posted.size());
  const PerfBandwidth average{0, 8.0 * test.size / best, 1 / best};
  for (size_t i = 0; i < posted.size() && posted.size() <= kMostForPeak; ++i) {
    for (size_t j = i; j < completed.size(); ++j) {
      if (completed[j] != kNever)
        best = std::min(best, InSeconds(completed[j] - posted[i]) / static_cast<double>(j - i + 1));
    }
  }
  return {8.0 * test.size / best, average.average_bps, average.messages_per_s};
}

PerfLatency LatencyOf(const PerfTest& test, const PerfTimes& times) {
  const double per_us = test.verb == PerfVerb::read ? 1e6 : 2e6;
  std::vector<double> us;
  for (size_t i = 1; i < times.posted.size(); ++i)
    us.push_back(static_cast<double>((times.posted[i] - times.posted[i - 1]).v) / per_us);
  std::sort(us.begin(), us.end());
  const size_t n = us.size();
  const auto rank = [&](size_t permille) { return us[(n * permille + 999) / 1000 - 1]; };
  // Sums picoseconds exactly: if all rounds are equal, the mean equals each and the deviation is 0.
  const auto sum = static_cast<double>((times.posted.back() - times.posted.front()).v);
  const double mean = sum / (per_us * static_cast<double>(n));
  double squares = 0;
  for (const double t : us) squares += (t - mean) * (t - mean);
  const double median = n % 2 == 1 ? us[n / 2] : (us[n / 2 - 1] + us[n / 2]) / 2;
  return {us.front(), us.back(), median, mean, std::sqrt(squares / static_cast<double>(n)),
          rank(990),  rank(999)};
}

}  // namespace headroom
