// Individual messages, as plain data.
#pragma once

#include <optional>
#include <vector>

#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

struct ListArrivals {
  using Message = ListedMessage;
  /// For a flow file: flows use the simulator's paths, or those of Headroom's hash.
  enum class Paths : uint8_t { simulator, hash };
  std::vector<Message> messages;  ///< sorted by time
  Paths paths = Paths::simulator;
  bool of_nics = false;  ///< the messages name NICs, not hosts
  Time jitter{};         ///< for a flow file: each flow is delayed by up to this, in whole nanoseconds
  bool operator==(const ListArrivals&) const = default;
};
std::unique_ptr<Arrivals> ArrivalsFrom(ListArrivals a);

}  // namespace headroom
