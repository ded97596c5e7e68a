// The parts of a message's completion time, along its critical path.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "net/itinerary.h"
#include "sim/units.h"

namespace headroom {

enum class MessagePart : uint8_t {
  own_queue,    ///< waiting for earlier messages of its queue pair
  own_packets,  ///< waiting for its own earlier packets
  limiter,      ///< the rate limiter of congestion control
  nic,          ///< stations of both NICs
  port,         ///< waiting for the host's port, which sent other frames
  queued,       ///< waiting behind other frames in queues of switches
  paused,       ///< waiting at ports that PFC had paused, including the host's
  recovery,     ///< from a loss until the transmission or retransmission whose answer ended it
  wire,         ///< serialization, propagation, latency of switches
  ack_queued,   ///< `queued`, but for the ACK
  ack_paused,
  ack_wire,
  window,   ///< a full window, until the ACK that opened it (SendWindow)
  context,  ///< no free context at the receiver: from the first refusal to the grant
  other
};
inline constexpr int kMessageParts = 15;
/// The name as in columns, without the unit.
constexpr const char* MessagePartName(MessagePart part) {
  constexpr const char* names[] = {"own_queue",  "own_packets", "limiter",  "nic",     "port",
                                   "queued",     "paused",      "recovery", "wire",    "ack_queued",
                                   "ack_paused", "ack_wire",    "window",   "context", "other"};
  return names[static_cast<int>(part)];
}

/// The parts of one message's time. They sum to the span from its start to its completion.
struct MessageParts {
  std::array<Time, kMessageParts> of{};
  /// Time of the last rate cut before the limiter first delayed the message; kNever without a cut or a delay.
  Time limited_since = kNever;
  uint32_t first_wait = 0, waits = 0;  ///< the range in the list of all waits: those of its critical path

  Time& operator[](MessagePart part) { return of[static_cast<size_t>(part)]; }
  Time operator[](MessagePart part) const { return of[static_cast<size_t>(part)]; }
  Time Sum() const { return std::accumulate(of.begin(), of.end(), Time()); }
};

}  // namespace headroom
