#include "report/verdict.h"

#include <fmt/format.h>

#include <cmath>

#include "report/statistics.h"

namespace headroom {

Verdict VerdictOf(double change, double half_width, double resolution) {
  const double low = change - half_width, high = change + half_width;
  if (-resolution <= low && high <= resolution) return Verdict::none;
  if (high < 0) return Verdict::lower;
  return low > 0 ? Verdict::higher : Verdict::undecided;
}

std::optional<size_t> MoreSeedsToDecide(double change, double half_width, size_t seeds, double resolution) {
  constexpr size_t kMost = 10'000;
  const double spread = half_width / StudentT95(seeds - 1) * std::sqrt(static_cast<double>(seeds));
  const auto decided = [&](size_t n) {
    const double half = StudentT95(n - 1) * spread / std::sqrt(static_cast<double>(n));
    return VerdictOf(change, half, resolution) != Verdict::undecided;
  };
  if (!decided(kMost)) return std::nullopt;
  // The interval only narrows with more seeds.
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
