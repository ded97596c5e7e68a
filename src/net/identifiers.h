// Dense numbers for the elements of a network.
#pragma once

#include <cstdint>

namespace headroom {

/// A host or switch: its place in the topology's list of nodes, hosts first.
using NodeId = uint32_t;

/// A message's number, as its frames carry it. Bulk messages count from 0. A MessageSink knows them by this
/// number; they have no place in memory and always find a RECV. Messages with a work request have numbers
/// from kOfVerbs on if the parts of their time are recorded (nic/transport/message_times.h), else kNoMessage.
inline constexpr uint32_t kNoMessage = UINT32_MAX;
inline constexpr uint32_t kOfVerbs = 1u << 31;
constexpr bool IsBulk(uint32_t message) { return message < kOfVerbs; }
/// The number of messages from kOfVerbs on that are remembered.
inline constexpr uint32_t kRememberedOfVerbs = 1u << 17;
/// The index of a message in the table of its kind.
constexpr uint32_t PlaceOfMessage(uint32_t message) {
  return IsBulk(message) ? message : message % kRememberedOfVerbs;
}

}  // namespace headroom
