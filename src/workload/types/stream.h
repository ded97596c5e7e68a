// Streams, as plain data: every sender keeps a number of messages outstanding to every target.
#pragma once

#include <optional>
#include <vector>

#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

/// Each sender keeps `in_flight` messages outstanding to each target.
struct StreamArrivals {
  std::vector<NodeId> from, to;
  Bytes message;
  int in_flight = 1;
  Time start;
  std::optional<Time> stop;
  /// Whether a single host sends to itself. In other streams no host sends to itself.
  bool Loopback() const { return from.size() == 1 && from == to; }
  bool operator==(const StreamArrivals&) const = default;
};
std::unique_ptr<Arrivals> ArrivalsFrom(StreamArrivals a);

}  // namespace headroom
