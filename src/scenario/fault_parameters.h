// Faults as plain data: what fails, where and when.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "net/topology/topology.h"
#include "pfc/pause_storm_parameters.h"
#include "sim/units.h"

namespace headroom {

/// A fault lasts from `start` to `stop` and occurs `count` times, at intervals of `every`.
struct FaultTimes {
  Time start;
  Time stop = kNever;
  Time every;
  int count = 1;
  bool operator==(const FaultTimes&) const = default;
};

/// Sets CE on chosen data frames of one direction of a link, counted from 0; for traces of DCQCN.
struct MarkFault {
  NodeId from = 0, to = 0;
  std::vector<uint64_t> packets;  ///< numbers of these frames, sorted; or
  uint64_t every = 0;             ///< every n-th frame
  bool operator==(const MarkFault&) const = default;
};
/// Frames of one direction of a link are lost with this probability.
struct LossFault {
  NodeId from = 0, to = 0;
  double probability = 0;
  FaultTimes times{};
  bool operator==(const LossFault&) const = default;
};
/// A port pauses its peer regardless of its buffer.
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
/// A link is down in both directions. Routes omit it from `convergence` later on, and include it again as
/// long after its end; kNever: routes do not change.
struct LinkDownFault {
  NodeId a = 0, b = 0;
  std::optional<uint32_t> port_a, port_b;  ///< selects one of several links between the two; none: all
  Time convergence;
  FaultTimes times{};
  bool operator==(const LinkDownFault&) const = default;
};
/// A link between two nodes, or all of several, sends at a lower rate in both directions.
struct LinkSpeedFault {
  NodeId a = 0, b = 0;
  std::optional<uint32_t> port_a, port_b;  ///< selects one of several links between the two; none: all
  Rate rate;
  FaultTimes times{};
  bool operator==(const LinkSpeedFault&) const = default;
};
/// PFC frames of one direction of a link, or of both, cannot be read, because only one end expects them to be
/// encrypted.
struct MacsecFault {
  NodeId a = 0, b = 0;
  bool a_encrypts = false, b_encrypts = false, a_expects = false, b_expects = false;
  FaultTimes times{};
  bool operator==(const MacsecFault&) const = default;
};
/// A port sends only PFC in these priorities.
struct PortBlockedFault {
  NodeId node = 0;
  uint32_t port = 0;
  uint8_t priorities = 0xff;  ///< mask
  FaultTimes times{};
  bool operator==(const PortBlockedFault&) const = default;
};

/// Each of services' packets to this host has a damaged byte with this probability, as from a memory or bus
/// that no checksum of the network covers.
struct CorruptFault {
  NodeId host = 0;
  double probability = 0;
  FaultTimes times{};
  bool operator==(const CorruptFault&) const = default;
};

/// The driver of a host's NIC restarts: meanwhile the NIC neither sends nor receives, and its queue pairs are
/// lost.
struct NicRestartFault {
  NodeId host = 0;
  FaultTimes times{};
  bool operator==(const NicRestartFault&) const = default;
};
/// A switch restarts warm: meanwhile its data plane stops, and keeps its frames.
struct WarmRestartFault {
  NodeId node = 0;
  FaultTimes times{};
  bool operator==(const WarmRestartFault&) const = default;
};
/// An extent node of a service (its number) refuses requests, because its program is absent.
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
