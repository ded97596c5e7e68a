#include "report/statistics.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace headroom {

namespace {

// Uses no long double: Boost.Math would then build tables before main, and valgrind, which lacks long double,
// would end there.
using StudentsT = boost::math::students_t_distribution<
    double, boost::math::policies::policy<boost::math::policies::promote_double<false>>>;

}  // namespace

std::optional<double> JainIndex(std::span<const double> shares) {
  double sum = 0, squares = 0;
  for (const double x : shares) {
    sum += x;
    squares += x * x;
  }
  if (squares == 0) return std::nullopt;
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

bool TellsNothing(double value, double half) { return value != 0 && half > std::abs(value); }

double StudentT(size_t degrees, double error) {
  return boost::math::quantile(StudentsT(static_cast<double>(degrees)), 1 - error / 2);
}

MeanInterval IntervalOfMean(std::span<const double> values, double error) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double x : values) sum += x;
  MeanInterval out{sum / n, std::nullopt, values.size()};
  if (values.size() < 2) return out;
  double squares = 0;
  for (const double x : values) squares += (x - out.mean) * (x - out.mean);
  out.half_width = StudentT(values.size() - 1, error) * std::sqrt(squares / (n - 1) / n);
  return out;
}

}  // namespace headroom
