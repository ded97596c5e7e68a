// Messages one by one, as plain data.
#pragma once

#include <optional>
#include <vector>

#include "sim/units.h"
#include "workload/arrivals.h"

namespace headroom {

struct ListArrivals {
  using Message = ListedMessage;
  std::vector<Message> messages;  ///< sorted by time
  bool operator==(const ListArrivals&) const = default;
};
std::unique_ptr<Arrivals> ArrivalsFrom(ListArrivals a);

}  // namespace headroom
