#include "report/distribution.h"

#include <cmath>

namespace headroom {

using nlohmann::ordered_json;

void Distribution::Count(const Observed& value) {
  const auto units = static_cast<int64_t>(std::llround(std::min(value.value * units_, 0x1p62)));
  buckets_.Add(units);
  if (value.censored) least_censored_ = std::min(least_censored_, units);
}

void Distribution::Add(Observed value) {
  if (buckets_.count() > 0) return Count(value);
  if (each_.size() < most_) return each_.push_back(value);
  for (const Observed& each : each_) Count(each);
  std::vector<Observed>().swap(each_);
  Count(value);
}

ordered_json Distribution::DescribeBuckets() const {
  ordered_json out;
  auto censored = ordered_json::object();
  const auto put = [&](const char* name, double value, bool is_censored) {
    out[name] = value / units_;
    if (is_censored) censored[name] = true;
  };
  const bool any = least_censored_ != INT64_MAX;
  put("mean", buckets_.Mean(), any);
  for (const auto& [name, permille] :
       {std::pair("p50", 500), {"p90", 900}, {"p95", 950}, {"p99", 990}, {"p999", 999}}) {
    const int64_t at = buckets_.Quantile(permille);
    // A bound in the same bucket may be at this rank.
    put(name, static_cast<double>(at),
        any && LogBuckets::BucketOf(least_censored_) <= LogBuckets::BucketOf(at));
  }
  put("max", static_cast<double>(buckets_.greatest()), any);
  out["censored"] = std::move(censored);
  return out;
}

ordered_json Distribution::Describe() {
  const bool exact = buckets_.count() == 0;
  ordered_json out = exact ? DescribeDistribution(std::move(each_)) : DescribeBuckets();
  if (most_ != SIZE_MAX) out["error"] = exact ? 0.0 : LogBuckets::kError;
  return out;
}

}  // namespace headroom
