// Chooses a frame's next hop as it arrives, at a switch that does not leave this to ECMP's hash.
//
// The next hops are those of the route table: ports on a shortest path. A port whose link has a weight may be
// named several times.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "net/frame.h"
#include "net/routing/routing_parameters.h"

namespace headroom {

class HopChooser {
 public:
  virtual ~HopChooser() = default;
  /// The port that the frame, which is in now, leaves by: one of these. REQUIRES: there are some.
  virtual uint16_t Choose(const Frame& frame, std::span<const uint16_t> ports) = 0;
};

/// Waiting bytes of a port's queue that the frame would join; none: the port's link is down.
using BytesAhead = std::function<std::optional<int64_t>(const Frame& frame, uint16_t port)>;

/// Null: the table and ECMP's hash decide. `name`: of the switch, for its random streams.
std::unique_ptr<HopChooser> MakeHopChooser(const RoutingParameters& parameters, const std::string& name,
                                           BytesAhead bytes_ahead);

}  // namespace headroom
