// What one port of a switch does with the classes of traffic: which group and queue they have, which of them
// are paused, and how its queues share the wire.
//
// Names and meaning follow SONiC's PORT_QOS_MAP, DSCP_TO_TC_MAP, TC_TO_PRIORITY_GROUP_MAP, TC_TO_QUEUE_MAP,
// MAP_PFC_PRIORITY_TO_QUEUE, PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, QUEUE, SCHEDULER and WRED_PROFILE.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "dcqcn/parameters.h"
#include "net/traffic_class.h"

namespace headroom {

inline constexpr int kDscps = 64;

/// How a queue gets its turns. Strict queues go before all others, the higher number first.
struct QueueScheduling {
  enum class Kind : uint8_t {
    dwrr,  ///< shares by bytes
    wrr,   ///< shares by packets
    strict
  };
  Kind kind = Kind::dwrr;
  uint32_t weight = 1;
  bool operator==(const QueueScheduling&) const = default;
};

/// The maps of one port. A frame's DSCP, and by it traffic class and group, are read where it comes in; its
/// queue is that of its traffic class where it leaves. Received and sent pauses speak of PFC priorities.
struct PortQos {
  std::array<uint8_t, kDscps> dscp_to_tc{};
  std::array<uint8_t, kPriorities> tc_to_group{};
  std::array<uint8_t, kPriorities> tc_to_queue{};
  std::array<uint8_t, kPriorities> pfc_to_queue{};  ///< a received pause of the priority stops this queue
  std::array<uint8_t, kPriorities> pfc_to_group{};  ///< this group's pause is one of the priority
  uint8_t pfc_enable = 0;                           ///< bit n: pauses of priority n are sent and honoured
  std::array<QueueScheduling, kPriorities> scheduling{};
  std::array<std::optional<EcnParameters>, kPriorities> ecn{};  ///< by queue; none: it does not mark
  bool operator==(const PortQos&) const = default;
};

/// The maps that a scenario's classes describe: every class has traffic class, group and queue of its
/// priority's number, and PFC if it is lossless. `ecn` is by priority.
PortQos QosOfClasses(const TrafficClasses& classes,
                     const std::array<std::optional<EcnParameters>, kPriorities>& ecn);

}  // namespace headroom
