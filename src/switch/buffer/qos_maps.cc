#include "switch/buffer/qos_maps.h"

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

uint8_t PrioritiesOf(const PortQos& qos, int group) {
  unsigned mask = 0;
  for (int p = 0; p < kPriorities; ++p) {
    if (qos.pfc_to_group[p] == group) mask |= 1u << p;
  }
  return static_cast<uint8_t>(mask & qos.pfc_enable);
}

}  // namespace headroom
