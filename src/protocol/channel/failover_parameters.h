// The conditions under which connections of a service leave RDMA for the standby, and return.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/units.h"

namespace headroom {

struct FailoverParameters {
  double fraction = 0.1;          ///< fraction of all connections that may move in a period; at least one
  Time every = Milliseconds(1);   ///< length of a period
  Time detect = Milliseconds(5);  ///< a call that waits longer reveals a broken leg; kNever: no call does
  Time back =
      Milliseconds(10);  ///< a broken connection returns once its queue pair has been up for this time
  /// From `at` on, this share of the connections should be on the standby, broken or not.
  struct Step {
    Time at;
    double share = 0;
    bool operator==(const Step&) const = default;
  };
  std::vector<Step> schedule;  ///< in the order of time

  /// The number of these connections that may move in a period.
  size_t AtATime(size_t connections) const {
    constexpr double kRounding = 1 + 1e-12;  // so that 29 % of 100 is 29
    const double limit = fraction * static_cast<double>(connections) * kRounding;
    return std::max<size_t>(1, static_cast<size_t>(limit));
  }
  bool operator==(const FailoverParameters&) const = default;
};

}  // namespace headroom
