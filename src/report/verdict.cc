#include "report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom {

static double Back(const Effect& effect, double value) {
  return effect.logarithm ? std::expm1(value) : value;
}

double Effect::Change() const { return Back(*this, centre); }
double Effect::Low() const { return Back(*this, centre - half); }
double Effect::High() const { return Back(*this, centre + half); }

const char* VerdictName(Verdict verdict) {
  constexpr const char* kNames[] = {"lower", "higher", "none", "undecided"};
  return kNames[static_cast<size_t>(verdict)];
}

Verdict VerdictOf(const Effect& effect, double resolution) {
  const double low = effect.Low(), high = effect.High();
  if (-resolution <= low && high <= resolution) return Verdict::none;
  if (high < 0) return Verdict::lower;
  return low > 0 ? Verdict::higher : Verdict::undecided;
}

Effect EffectOfPairs(const std::vector<std::pair<double, double>>& pairs, double error) {
  const bool logarithm = std::ranges::all_of(pairs, [](auto& p) { return p.first > 0 && p.second > 0; });
  double mean = 0;
  for (const auto& [before, after] : pairs) mean += before;
  mean /= static_cast<double>(pairs.size());
  std::vector<double> changes;
  for (const auto& [before, after] : pairs)
    changes.push_back(logarithm ? std::log(after / before)
                                : (after - before) / (mean == 0 ? 1 : std::abs(mean)));
  const MeanInterval found = IntervalOfMean(changes, error);
  if (std::ranges::min(changes) == std::ranges::max(changes)) return {changes[0], 0, logarithm};
  return {found.mean, *found.half_width, logarithm};
}

std::optional<MedianChange> MedianOfPairs(const std::vector<std::pair<double, double>>& pairs, double error) {
  std::vector<double> changes;
  for (const auto& [before, after] : pairs)
    if (before > 0) changes.push_back(after / before - 1);
  std::ranges::sort(changes);
  const size_t n = changes.size();
  // The interval from the (k + 1)-th smallest misses with twice the probability of at most k heads in n
  // tosses.
  double beyond = 0, chance = std::exp2(-static_cast<double>(n));
  size_t k = 0;
  while (2 * (beyond + chance) <= error) {
    beyond += chance;
    chance *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    ++k;
  }
  if (k == 0) return std::nullopt;
  return MedianChange{(changes[(n - 1) / 2] + changes[n / 2]) / 2, changes[k - 1], changes[n - k]};
}

std::optional<size_t> SeedsToDecide(const Effect& effect, size_t seeds, double resolution, double error,
                                    std::vector<size_t> counts) {
  constexpr size_t kMost = 10'000;
  const double spread = effect.half / StudentT(seeds - 1, error) * std::sqrt(static_cast<double>(seeds));
  const auto open = [&](size_t n) {
    if (n <= seeds) return true;
    const double half = StudentT(n - 1, error) * spread / std::sqrt(static_cast<double>(n));
    return VerdictOf({effect.centre, half, effect.logarithm}, resolution) == Verdict::undecided;
  };
  if (counts.empty()) {
    counts.resize(kMost);
    std::iota(counts.begin(), counts.end(), size_t{1});
  }
  // The interval only becomes narrower with more seeds.
  const auto found = std::ranges::partition_point(counts, open);
  return found == counts.end() ? std::nullopt : std::optional(*found);
}

std::string NoDifferenceText(double resolution) {
  return fmt::format("no difference larger than {:.2g} %", 100 * resolution);
}

std::string UndecidedText(std::optional<size_t> more) {
  if (!more) return "undecided";
  return fmt::format("undecided: {} more seed{} would decide", *more, *more == 1 ? "" : "s");
}

}  // namespace headroom
