// Jain's fairness index, and confidence intervals of means over seeds.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace headroom {

/// (Σx)² / (n Σx²): 1 when all shares are equal, 1/n when one share is everything. None if there are no
/// shares, or if all are 0. Source: Jain, Chiu, Hawe, A Quantitative Measure of Fairness and Discrimination,
/// DEC TR-301, 1984.
std::optional<double> JainIndex(std::span<const double> shares);

/// The mean of n independent runs, and half the width of its 95 % interval by Student's t with n − 1 degrees
/// of freedom; no half-width if n < 2.
struct MeanInterval {
  double mean = 0;
  std::optional<double> half_width;
  size_t n = 0;
};
/// `error`: the probability that the interval misses. REQUIRES: values is not empty.
inline constexpr double kError = 0.05;
MeanInterval IntervalOfMean(std::span<const double> values, double error = kError);

/// Whether an interval is so wide that its number would mislead: more than the value, as two seeds often
/// give. "±?" stands in its place.
bool TellsNothing(double value, double half);

/// The value t of Student's distribution with all but `error` between −t and t. REQUIRES: degrees > 0.
double StudentT(size_t degrees, double error = kError);

}  // namespace headroom
