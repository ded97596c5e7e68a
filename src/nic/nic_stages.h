// Where frames and completions stand in a NIC with resources: between its pipelines and the port, the memory
// and the host. A NIC without resources has none of this.
#pragma once

#include <array>
#include <optional>

#include "net/traffic_class.h"
#include "nic/resources/nic_resources.h"
#include "nic/resources/rx_buffer.h"
#include "sim/ring.h"

namespace headroom {

struct NicStages {
  NicStages(const ResourceParameters& parameters, const std::string& name) : costs(parameters, name) {}

  /// A data frame that has entered the transmit pipeline, or an ACK behind READ responses of its queue pair.
  struct Launched {
    Frame* frame = nullptr;
    Time ready;  ///< it may go out then
    uint32_t qp = 0;
  };
  /// What waits for the port, a queue for each priority.
  struct Outbound {
    Ring<Launched> frames;
    int64_t bytes = 0;
    uint32_t responses = 0;  ///< READ responses among them
    Time wake_at = kNever;   ///< the pending event that tells the port, if any
  };
  NicResources costs;

  // Transmit.
  std::array<Outbound, kPriorities> outbound;
  Time looped_ready;         ///< the last data frame that the host sends to itself is through then
  int64_t looped_bytes = 0;  ///< of the host's traffic to itself: launched and not received yet
  int turn = 0;              ///< which round may launch next
  bool pumping = false;
  Time pump_at = kNever;  ///< the pending event, if any

  // Receive: a frame at a time, from the wire and from the host itself in equal shares.
  std::optional<RxBuffer> rx_buffer;
  Ring<Frame*> arrived, looped;
  bool taking = false;
  int64_t wire_lead = 0;       ///< bytes that the wire is ahead since there are frames of both
  std::optional<Rate> slowed;  ///< by a fault
  Time came;                   ///< of the frame that takes effect: its last bit was in
  Time landed;                 ///< and its payload is in memory
};

}  // namespace headroom
