// The queues of a traffic class at a switch whose ports have their own maps.
#pragma once

#include <set>
#include <vector>

#include "switch/buffer/qos_maps.h"

namespace headroom {

/// The queues of a class at the port `out`, for any ingress port in `ports`.
inline std::set<uint8_t> QueuesOf(const TrafficClass& c, const std::vector<PortQos>& ports,
                                  const PortQos& out) {
  std::set<uint8_t> queues;
  for (const PortQos& in : ports) queues.insert(QueueOf(in, out, c));
  return queues;
}

}  // namespace headroom
