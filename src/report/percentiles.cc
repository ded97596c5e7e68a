#include "report/percentiles.h"

#include <algorithm>

namespace headroom {

void SortObserved(std::vector<Observed>& values) {
  std::sort(values.begin(), values.end(), [](const Observed& a, const Observed& b) {
    return a.value != b.value ? a.value < b.value : a.censored < b.censored;
  });
}

size_t RankOf(size_t count, int permille) { return (count * static_cast<size_t>(permille) + 999) / 1000; }

std::optional<Observed> NearestRank(const std::vector<Observed>& sorted, int permille) {
  if (sorted.empty()) return std::nullopt;
  const size_t rank = RankOf(sorted.size(), permille);
  // An unfinished message at a lower rank will end with a longer time, which may raise the percentile.
  const bool censored = std::any_of(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(rank),
                                    [](const Observed& o) { return o.censored; });
  return Observed{sorted[rank - 1].value, censored};
}

std::optional<Observed> Mean(const std::vector<Observed>& values) {
  if (values.empty()) return std::nullopt;
  Observed sum;
  for (const Observed& v : values) {
    sum.value += v.value;
    sum.censored |= v.censored;
  }
  return Observed{sum.value / static_cast<double>(values.size()), sum.censored};
}

nlohmann::ordered_json DescribeDistribution(std::vector<Observed> values) {
  SortObserved(values);
  nlohmann::ordered_json out;
  auto censored = nlohmann::ordered_json::object();
  const auto put = [&](const char* name, std::optional<Observed> o) {
    if (!o) {
      out[name] = nullptr;
      return;
    }
    out[name] = o->value;
    if (o->censored) censored[name] = true;
  };
  // The mean is taken over the sorted values, so it does not depend on the order of the records.
  put("mean", Mean(values));
  put("p50", NearestRank(values, 500));
  put("p90", NearestRank(values, 900));
  put("p95", NearestRank(values, 950));
  put("p99", NearestRank(values, 990));
  put("p999", NearestRank(values, 999));
  put("max", NearestRank(values, 1000));
  out["censored"] = std::move(censored);
  return out;
}

}  // namespace headroom
