#include "cli/compare/change_intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/metric_path.h"
#include "report/pooled.h"
#include "report/statistics.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// Half the width of the interval of the mean difference between results of the same seeds.
std::optional<double> PairedHalfWidth(const ComparedResult& a, const ComparedResult& b,
                                      const std::string& path) {
  if (SeedsInPairs(a, b) < 2) return std::nullopt;
  std::vector<double> differences;
  for (const auto& [seed, summary] : a.by_seed) {
    const auto x = FindNumber(summary, path), y = FindNumber(b.by_seed.at(seed), path);
    if (!x || !y) return std::nullopt;
    differences.push_back(*y - *x);
  }
  return IntervalOfMean(differences).half_width;
}

/// Half the width of the interval of a mean over seeds; none if the result has no interval.
std::optional<double> HalfWidthOfMean(const ComparedResult& of, const std::string& path) {
  return FindNumber(of.summary, "seeds.metrics." + path + ".half_width_95");
}

/// Half the width of the interval for one further run, given the runs of `of`: t s √(1 + 1/n), whereas a mean
/// has t s / √n.
std::optional<double> HalfWidthOfOneMore(const ComparedResult& of, const std::string& path) {
  const auto half_width = HalfWidthOfMean(of, path);
  if (!half_width) return std::nullopt;
  return *half_width * std::sqrt(FindNumber(of.summary, "seeds.metrics." + path + ".n").value() + 1);
}

/// Half the width of the interval of the difference, if A or B is a mean over seeds. Peaks are no means.
std::optional<double> HalfWidthOf(const ComparedResult& a, const ComparedResult& b, const std::string& path) {
  if (a.IsOneRun()) return HalfWidthOfOneMore(b, path);
  if (b.IsOneRun()) return HalfWidthOfOneMore(a, path);
  if (const auto paired = PairedHalfWidth(a, b, path)) return paired;
  const auto in_a = HalfWidthOfMean(a, path), in_b = HalfWidthOfMean(b, path);
  if (!in_a || !in_b) return std::nullopt;
  return std::hypot(*in_a, *in_b);
}

const ordered_json* Pooled(const ComparedResult& of, const std::string& path) {
  return FindMetric(of.summary, "seeds.pooled." + path);
}

bool RanTheSameSeeds(const ComparedResult& a, const ComparedResult& b) {
  return a.summary.at("seeds").at("list") == b.summary.at("seeds").at("list");
}

/// Half the width of the interval of the difference of percentiles over the messages of all seeds.
std::optional<Effect> PooledEffect(const ComparedResult& a, const ComparedResult& b,
                                   const std::string& path) {
  const ordered_json *in_a = Pooled(a, path), *in_b = Pooled(b, path);
  if (in_a && in_b) return PooledChange(*in_a, *in_b, RanTheSameSeeds(a, b));
  if (!in_a && !in_b) return std::nullopt;
  const double value = FindNumber((in_a ? b : a).summary, path).value_or(0);
  if (value <= 0) return std::nullopt;
  Effect effect = PooledChangeFromOneRun(value, in_a ? *in_a : *in_b);
  if (in_a) effect.centre = -effect.centre;
  return effect;
}

void KeepCommon(ordered_json& a, const ordered_json& b) {
  for (auto at = a.begin(); at != a.end();) {
    const auto other = b.find(at.key());
    if (other == b.end()) {
      at = a.erase(at);
      continue;
    }
    if (!at->contains("left_out")) KeepCommon(*at, *other);
    ++at;
  }
}

}  // namespace

std::optional<Effect> EffectOf(const ComparedResult& a, const ComparedResult& b, const std::string& path) {
  if (a.IsOneRun() && b.IsOneRun()) return std::nullopt;
  if (const auto pooled = PooledEffect(a, b, path)) return pooled;
  const double x = FindNumber(a.summary, path).value(), y = FindNumber(b.summary, path).value();
  const auto half_width = HalfWidthOf(a, b, path);
  if (!half_width || x == 0) return std::nullopt;
  return Effect{(y - x) / std::abs(x), *half_width / std::abs(x)};
}

bool IsWithinInterval(const ComparedResult& a, const ComparedResult& b, const std::string& path,
                      double difference) {
  if (a.IsOneRun() && b.IsOneRun()) return false;
  const auto half_width = HalfWidthOf(a, b, path);
  return half_width && std::abs(difference) <= *half_width;
}

size_t SeedsInPairs(const ComparedResult& a, const ComparedResult& b) {
  const bool same = a.by_seed.size() == b.by_seed.size() &&
                    std::equal(a.by_seed.begin(), a.by_seed.end(), b.by_seed.begin(),
                               [](auto& x, auto& y) { return x.first == y.first; });
  return same ? a.by_seed.size() : 0;
}

void KeepPooledOfBoth(ComparedResult& a, ComparedResult& b) {
  if (a.IsOneRun() || b.IsOneRun()) return;
  for (ComparedResult* of : {&a, &b}) {
    ordered_json& seeds = of->summary["seeds"];
    if (!seeds.contains("pooled")) seeds["pooled"] = ordered_json::object();
  }
  ordered_json &in_a = a.summary["seeds"]["pooled"], &in_b = b.summary["seeds"]["pooled"];
  KeepCommon(in_a, in_b);
  KeepCommon(in_b, in_a);
}

std::string IntervalsText(const ComparedResult& a, const ComparedResult& b) {
  if (a.IsOneRun() && b.IsOneRun()) return "";
  const auto has_pooled = [](const ComparedResult& of) {
    return !of.IsOneRun() && of.summary["seeds"].contains("pooled") && !of.summary["seeds"]["pooled"].empty();
  };
  const std::string percentiles = has_pooled(a) || has_pooled(b)
                                      ? "percentiles of several seeds are over the messages of all seeds "
                                        "together; each seed is left out\nonce to compute their "
                                        "interval\n"
                                      : "";
  if (a.IsOneRun() || b.IsOneRun()) {
    return fmt::format(
        "±: half the width of the 95 % interval; {} is a single run, assumed to vary between seeds as "
        "much\nas {}\n{}",
        a.IsOneRun() ? "A" : "B", a.IsOneRun() ? "B" : "A", percentiles);
  }
  if (SeedsInPairs(a, b) > 0)
    return "±: half the width of the 95 % interval of the mean difference between results of the same "
           "seed\n" +
           percentiles;
  return "±: half the width of the 95 % interval of the difference of two means; A and B do not "
         "have\nresults of exactly the same seeds, so a seed's effect on both does not cancel\n" +
         percentiles;
}

}  // namespace headroom
