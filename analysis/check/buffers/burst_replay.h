// The scenario's own bursts at one switch, frame by frame, in its buffer: where they meet in lossless
// classes, does a frame find no room?
//
// Part of the network is played: the links into the switch, each as fast as its senders and itself allow, the
// buffer, the ports out, and pauses. What other switches hold back is left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/switch_classes.h"

namespace headroom {

/// The messages of a workload from one host to another at known times.
struct ReplayFlow {
  uint32_t workload = 0;       ///< index
  NodeId from = 0, to = 0;     ///< hosts
  uint32_t in = 0, out = 0;    ///< ports of the switch
  Rate rate;                   ///< of its sender's line, which all the sender's flows share
  Time start;                  ///< when its first frame may begin on the link to the switch
  Bytes size;                  ///< payload; of a stream, of all messages in flight
  std::optional<Bytes> again;  ///< a stream's message: another begins `back` after one has left the switch
  Time back, stop;             ///< and before `stop`
  uint8_t priority = 0;
  bool reacts = false;  ///< to marks: it is over `back` after its first frame left, when a CNP may come
};

/// The first frame of a lossless class that found no room.
struct Overrun {
  std::vector<uint32_t> workloads;  ///< that have frames in the buffer, or in the queue that is full
  NodeId node = 0, target = 0;      ///< the switch; the host that the frame goes to
  uint8_t priority = 0;
  DropReason reason{};
  Time at;
  uint32_t ports = 0;  ///< that those frames came by
  Bytes held;          ///< by them
};

/// None if all frames find room, or after this many steps, which count events and flows; takes them off
/// `steps`.
std::optional<Overrun> ReplayBursts(const Fabric& fabric, NodeId node, const std::vector<ReplayFlow>& flows,
                                    int64_t& steps);

}  // namespace headroom
