// Frames and completions inside a NIC with resources: between its pipelines and the port, the memory and the
// host. A NIC without resources has none of this.
#pragma once

#include <array>
#include <optional>

#include "net/traffic_class.h"
#include "nic/resources/nic_resources.h"
#include "nic/resources/rx_buffer.h"
#include "sim/ring.h"

namespace headroom {

/// Requesters that may send wait in rounds. Those of the first port are numbered like its priorities. Then
/// come a round for the traffic of a host with resources to itself, and the rounds of the second port.
inline constexpr int kLoopbackRound = kPriorities, kNicRounds = 2 * kPriorities + 1;

struct NicStages {
  NicStages(const ResourceParameters& parameters, const std::string& name) : costs(parameters, name) {}

  /// A data frame that has entered the transmit pipeline, or an ACK behind READ responses of its queue pair.
  struct Launched {
    Frame* frame = nullptr;
    Time ready;  ///< the time from which it may leave
    uint32_t qp = 0;
  };
  /// Frames that wait for a port, in a queue for each priority.
  struct Outbound {
    Ring<Launched> frames;
    int64_t bytes = 0;
    uint32_t responses = 0;  ///< number of READ responses among the frames
    Time wake_at = kNever;   ///< time of the pending event that wakes the port, if any
  };
  NicResources costs;

  // Transmit.
  std::array<Outbound, kNicRounds> outbound;  ///< indexed by round
  Time looped_ready;         ///< time when the last data frame of the host to itself is through
  int64_t looped_bytes = 0;  ///< bytes of the host to itself that were launched and not received yet
  int turn = 0;              ///< the round that may launch next
  /// Requests that a queue pair has sent in its turn.
  struct Run {
    uint32_t qp = 0;
    int64_t bytes = 0;
  };
  std::array<Run, kNicRounds> runs;  ///< indexed by round
  /// The queue pair has sent this frame. Returns whether its turn goes on.
  bool GoesOn(int round, uint32_t qp, const Frame& frame);
  bool pumping = false;
  Time pump_at = kNever;  ///< time of the pending event, if any

  // Receive: one frame at a time, from the wire and from the host itself in equal shares.
  std::optional<RxBuffer> rx_buffer;
  Ring<Frame*> arrived, looped;
  bool taking = false;
  int64_t wire_lead = 0;       ///< lead of the wire in bytes since frames of both wait
  std::optional<Rate> slowed;  ///< the rate set by a fault
  Time came;                   ///< for the frame that takes effect: the arrival of its last bit
  Time landed;                 ///< for the frame that takes effect: the time when its payload is in memory
};

}  // namespace headroom
