// The traffic classes at one port of a switch: their groups and queues, which of these are paused, and how
// queues share the wire.
//
// Names and meaning follow SONiC's PORT_QOS_MAP, DSCP_TO_TC_MAP, TC_TO_PRIORITY_GROUP_MAP, TC_TO_QUEUE_MAP,
// MAP_PFC_PRIORITY_TO_QUEUE, PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, QUEUE, SCHEDULER and WRED_PROFILE.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "dcqcn/parameters.h"
#include "net/queue_scheduling.h"
#include "net/traffic_class.h"

namespace headroom {

inline constexpr int kDscps = 64;

/// The maps of one port. A frame's DSCP, and from it the traffic class and group, are read at its ingress
/// port. Its traffic class gives its queue at the egress port. Received and sent pauses refer to PFC
/// priorities.
struct PortQos {
  std::array<uint8_t, kDscps> dscp_to_tc{};
  std::array<uint8_t, kPriorities> tc_to_group{};
  std::array<uint8_t, kPriorities> tc_to_queue{};
  std::array<uint8_t, kPriorities> pfc_to_queue{};  ///< a received pause of the priority stops this queue
  std::array<uint8_t, kPriorities> pfc_to_group{};  ///< pauses of this group name this priority
  uint8_t pfc_enable = 0;                           ///< bit n: pauses of priority n are sent and obeyed
  std::array<QueueScheduling, kPriorities> scheduling{};
  std::array<std::optional<EcnParameters>, kPriorities> ecn{};  ///< indexed by queue; none: it does not mark
  bool operator==(const PortQos&) const = default;
};

/// The maps that a scenario's classes describe: every class has the traffic class, group and queue of its
/// priority's number, and PFC if it is lossless. `ecn` is indexed by priority.
PortQos QosOfClasses(const TrafficClasses& classes,
                     const std::array<std::optional<EcnParameters>, kPriorities>& ecn);

/// The place of a class at a switch: its group depends on the ingress port, its queue on ingress and egress
/// port.
inline uint8_t TcOf(const PortQos& in, const TrafficClass& c) { return in.dscp_to_tc[c.dscp]; }
inline uint8_t GroupOf(const PortQos& in, const TrafficClass& c) { return in.tc_to_group[TcOf(in, c)]; }
inline uint8_t QueueOf(const PortQos& in, const PortQos& out, const TrafficClass& c) {
  return out.tc_to_queue[TcOf(in, c)];
}

/// The priorities, one bit each, for which pauses of the group are enabled.
uint8_t PrioritiesOf(const PortQos& qos, int group);

}  // namespace headroom
