#include "report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/statistics.h"

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

std::optional<size_t> MoreSeedsToDecide(const Effect& effect, size_t seeds, double resolution) {
  constexpr size_t kMost = 10'000;
  const double spread = effect.half / StudentT95(seeds - 1) * std::sqrt(static_cast<double>(seeds));
  const auto decided = [&](size_t n) {
    const double half = StudentT95(n - 1) * spread / std::sqrt(static_cast<double>(n));
    return VerdictOf({effect.centre, half, effect.logarithm}, resolution) != Verdict::undecided;
  };
  if (!decided(kMost)) return std::nullopt;
  // The interval only becomes narrower with more seeds.
  size_t low = seeds, high = kMost;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    (decided(middle) ? high : low) = middle;
  }
  return high - seeds;
}

std::string NoDifferenceText(double resolution) {
  return fmt::format("no difference larger than {:.2g} %", 100 * resolution);
}

std::string UndecidedText(std::optional<size_t> more) {
  if (!more) return "undecided";
  return fmt::format("undecided: {} more seed{} would decide", *more, *more == 1 ? "" : "s");
}

}  // namespace headroom
