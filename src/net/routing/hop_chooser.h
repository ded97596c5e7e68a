// Chooses a frame's next hop on arrival, at a switch that does not use ECMP's hash.
//
// The next hops are those of the route table: ports on a shortest path. A port whose link has a weight may
// appear several times.
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
  /// The port by which the frame, which has just arrived, leaves: one of `ports`. REQUIRES: `ports` is not
  /// empty.
  virtual uint16_t Choose(const Frame& frame, std::span<const uint16_t> ports) = 0;
};

/// Waiting bytes in the queue of a port that the frame would join; none if the port's link is down.
using BytesAhead = std::function<std::optional<int64_t>(const Frame& frame, uint16_t port)>;

/// Returns null if the table and ECMP's hash decide. `name`: name of the switch, for its random streams.
std::unique_ptr<HopChooser> MakeHopChooser(const RoutingParameters& parameters, const std::string& name,
                                           BytesAhead bytes_ahead);

}  // namespace headroom
