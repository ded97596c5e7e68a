// Replays the scenario's own bursts at one switch, frame by frame, in its buffer: if they meet in lossless
// classes, does a frame find no room?
//
// The replay covers a part of the network: the links into the switch, each as fast as its senders and itself
// permit, the buffer, the egress ports, and pauses. It omits the delays by other switches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/switch_classes.h"

namespace headroom {

/// The messages of a workload from one host to another at known times.
struct ReplayFlow {
  uint32_t workload = 0;       ///< index of the workload
  NodeId from = 0, to = 0;     ///< hosts
  uint32_t by = 0;             ///< port of the sender
  uint32_t in = 0, out = 0;    ///< ports of the switch
  Rate rate;                   ///< rate of its sender's port, which all flows by that port share
  Time start;                  ///< time when its first frame may begin on the link to the switch
  Bytes size;                  ///< payload; for a stream, that of all messages in flight
  std::optional<Bytes> again;  ///< a stream's message: another begins `back` after one has left the switch
  Time back, stop;             ///< and before `stop`
  uint8_t priority = 0;
  bool reacts =
      false;  ///< reacts to marks: the flow is over `back` after its first frame left, when a CNP may arrive
};

/// The first frame of a lossless class that found no room.
struct Overrun {
  std::vector<uint32_t> workloads;  ///< workloads with frames in the buffer, or in the full queue
  NodeId node = 0, target = 0;      ///< the switch; the host that is the frame's destination
  uint8_t priority = 0;
  DropReason reason{};
  Time at;
  uint32_t ports = 0;  ///< number of ports at which those frames arrived
  Bytes held;          ///< bytes of those frames
};

/// Returns none if all frames find room, or after this many steps, which count events and flows; subtracts
/// them from `steps`.
std::optional<Overrun> ReplayBursts(const Fabric& fabric, NodeId node, const std::vector<ReplayFlow>& flows,
                                    int64_t& steps);

}  // namespace headroom
