#include "switch/qos_maps.h"

namespace headroom {

PortQos QosOfClasses(const TrafficClasses& classes,
                     const std::array<std::optional<EcnParameters>, kPriorities>& ecn) {
  PortQos qos;
  for (uint8_t p = 0; p < kPriorities; ++p) {
    qos.tc_to_group[p] = qos.tc_to_queue[p] = qos.pfc_to_queue[p] = qos.pfc_to_group[p] = p;
    const TrafficClass& c = classes[p];
    if (c.name.empty()) continue;
    qos.dscp_to_tc[c.dscp] = p;
    if (c.lossless) qos.pfc_enable |= static_cast<uint8_t>(1u << p);
    qos.scheduling[p] = {c.strict ? QueueScheduling::Kind::strict : QueueScheduling::Kind::dwrr, c.weight};
  }
  qos.ecn = ecn;
  return qos;
}

}  // namespace headroom
