#include "workload/fio_job.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

double MeanOf(const IoJobSide& side) {
  if (side.split.empty()) return static_cast<double>((side.least + side.most).v) / 2;
  double mean = 0;
  for (const IoBlock& b : side.split) mean += b.share * static_cast<double>(b.size.v);
  return mean;
}

}  // namespace

std::optional<double> IoJob::MostIops() const {
  double sum = 0;
  for (const bool writes : {false, true}) {
    const IoJobSide& side = sides[writes];
    if (writes ? !Writes() : !Reads()) continue;
    const int64_t rate = side.rate.v > 0 ? side.rate.v : side.rate_iops * side.least.v;
    if (rate == 0) return std::nullopt;
    const double gap_us = std::floor(1e6 / static_cast<double>(rate / side.least.v));
    if (poisson) {
      sum += 1e6 * std::expm1(1 / gap_us);  // gaps are whole microseconds, rounded down
    } else if (side.rate.v == 0 && !side.split.empty()) {
      sum += 1e6 / gap_us;
    } else {
      sum += static_cast<double>(rate) / MeanOf(side);
    }
  }
  return sum;
}

double IoJob::MostIos(Time span) const {
  double ios = HUGE_VAL;
  if (const auto rate = MostIops()) ios = *rate * InSeconds(span) + depth;
  if (number_ios > 0) ios = std::min(ios, static_cast<double>(number_ios));
  if (!time_based) {
    const double least =
        static_cast<double>(std::min(sides[Reads() ? 0 : 1].least, sides[Writes() ? 1 : 0].least).v);
    ios = std::min(ios, std::ceil(static_cast<double>(total.v) / least));
  }
  return ios;
}

}  // namespace headroom
