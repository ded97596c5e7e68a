// Where a class of traffic is queued at a switch whose ports have maps of their own.
#pragma once

#include <set>
#include <vector>

#include "switch/buffer/qos_maps.h"

namespace headroom {

/// The queues that a class has at the port `out`, whichever of `ports` it came in by.
inline std::set<uint8_t> QueuesOf(const TrafficClass& c, const std::vector<PortQos>& ports,
                                  const PortQos& out) {
  std::set<uint8_t> queues;
  for (const PortQos& in : ports) queues.insert(QueueOf(in, out, c));
  return queues;
}

}  // namespace headroom
