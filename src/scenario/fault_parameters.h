// What breaks, where and when, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "net/topology/topology.h"
#include "pfc/pause_storm.h"
#include "sim/units.h"

namespace headroom {

/// A fault holds from `start` to `stop`, `count` times, one after `every`.
struct FaultTimes {
  Time start;
  Time stop = kNever;
  Time every;
  int count = 1;
  bool operator==(const FaultTimes&) const = default;
};

/// CE set on chosen data frames of one direction of a link, counted from 0; for traces of DCQCN.
struct MarkFault {
  NodeId from = 0, to = 0;
  std::vector<uint64_t> packets;  ///< sorted; or
  uint64_t every = 0;             ///< every n-th
  bool operator==(const MarkFault&) const = default;
};
/// Frames of one direction of a link are lost with this probability.
struct LossFault {
  NodeId from = 0, to = 0;
  double probability = 0;
  FaultTimes times{};
  bool operator==(const LossFault&) const = default;
};
/// A port pauses its peer, whatever its buffer holds.
struct PauseStormFault {
  NodeId node = 0;
  uint32_t port = 0;
  PauseStormParameters storm;
  FaultTimes times{};
  bool operator==(const PauseStormFault&) const = default;
};
/// A host's NIC takes frames out of its receive buffer at this rate.
struct SlowReceiverFault {
  NodeId host = 0;
  Rate rate;
  FaultTimes times{};
  bool operator==(const SlowReceiverFault&) const = default;
};
/// A link is down, both ways. Routes omit it from `convergence` after that on, and include it again as long
/// after its end; kNever: they stay as they are.
struct LinkDownFault {
  NodeId a = 0, b = 0;
  std::optional<uint32_t> port_a, port_b;  ///< which of several links between the two; none: all
  Time convergence;
  FaultTimes times{};
  bool operator==(const LinkDownFault&) const = default;
};
/// A link between two nodes, or all of several, sends at a lower rate, both ways.
struct LinkSpeedFault {
  NodeId a = 0, b = 0;
  std::optional<uint32_t> port_a, port_b;  ///< which of several links between the two; none: all
  Rate rate;
  FaultTimes times{};
  bool operator==(const LinkSpeedFault&) const = default;
};
/// PFC frames of one direction of a link, or of both, that the sender encrypts and the receiver does not
/// expect so, or the reverse, cannot be read.
struct MacsecFault {
  NodeId a = 0, b = 0;
  bool a_encrypts = false, b_encrypts = false, a_expects = false, b_expects = false;
  FaultTimes times{};
  bool operator==(const MacsecFault&) const = default;
};
/// A port sends nothing of these priorities but PFC.
struct PortBlockedFault {
  NodeId node = 0;
  uint32_t port = 0;
  uint8_t priorities = 0xff;  ///< mask
  FaultTimes times{};
  bool operator==(const PortBlockedFault&) const = default;
};

/// In services' packets to this host a byte arrives damaged with this probability per packet, as in a memory
/// or bus that no checksum of the network covers.
struct CorruptFault {
  NodeId host = 0;
  double probability = 0;
  FaultTimes times{};
  bool operator==(const CorruptFault&) const = default;
};

/// The driver of a host's NIC restarts: meanwhile nothing is sent or received, and its queue pairs are gone.
struct NicRestartFault {
  NodeId host = 0;
  FaultTimes times{};
  bool operator==(const NicRestartFault&) const = default;
};
/// A switch restarts warm: its data plane stops meanwhile, and keeps what it holds.
struct WarmRestartFault {
  NodeId node = 0;
  FaultTimes times{};
  bool operator==(const WarmRestartFault&) const = default;
};
/// An extent node of a service (its number) refuses requests: its program is away.
struct ExtentNodeDownFault {
  uint32_t service = 0;
  NodeId node = 0;
  FaultTimes times{};
  bool operator==(const ExtentNodeDownFault&) const = default;
};

using Fault = std::variant<MarkFault, LossFault, PauseStormFault, SlowReceiverFault, LinkDownFault,
                           MacsecFault, LinkSpeedFault, PortBlockedFault, CorruptFault, NicRestartFault,
                           WarmRestartFault, ExtentNodeDownFault>;

}  // namespace headroom
