// Messages one by one, as plain data.
#pragma once

#include <optional>
#include <vector>

#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

struct ListArrivals {
  using Message = ListedMessage;
  /// Of a flow file: flows take the simulator's paths, or those of Headroom's hash.
  enum class Paths : uint8_t { simulator, hash };
  std::vector<Message> messages;  ///< sorted by time
  Paths paths = Paths::simulator;
  Time jitter{};  ///< of a flow file: each starts later by up to this, in whole nanoseconds
  bool operator==(const ListArrivals&) const = default;
};
std::unique_ptr<Arrivals> ArrivalsFrom(ListArrivals a);

}  // namespace headroom
