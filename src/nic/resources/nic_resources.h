// The costs of packets in a NIC: stations in series. Each station stores the time until which it is busy, and
// needs no events.
//
//   post ─► PIO ─► (PCIe latency) ─► transmit pipeline ─► engine ─► PCIe read of the payload ─► port
//   port ─► receive pipeline ─► engine ─► PCIe write ─► memory
//
// Both directions share one engine. A packet enters a pipeline when the pipeline is free and later stations
// are at most kSlack behind. So a slow station delays earlier ones, and both directions share the common
// stations.
#pragma once

#include "net/opcode.h"
#include "nic/resources/context_cache.h"
#include "nic/resources/pcie.h"

namespace headroom {

struct Frame;

/// Number of pieces in which the pipelines handle a packet of a READ response.
constexpr int64_t ReadSegments(int64_t bytes) {
  constexpr int64_t kSegment = 128;  // of a read completion of PCIe
  return bytes <= kSegment ? 1 : (bytes - 1) / kSegment + 1;
}

class NicResources {
 public:
  /// `name` is the name of the node.
  NicResources(const ResourceParameters& parameters, const std::string& name)
      : p_(parameters), pcie_(parameters.pcie), contexts_(parameters.contexts.entries, name + "/contexts") {}

  const ResourceParameters& parameters() const { return p_; }
  const ContextCache& contexts() const { return contexts_; }

  /// The processor posts a work request at `now`; returns when the NIC has it.
  Time Post(Time now, Transport transport, bool inlined, int64_t payload);

  /// The earliest time at which a packet may enter the transmit pipeline.
  Time TransmitEntry() const;
  /// A data packet of this queue pair (half) enters the transmit pipeline now; returns when the packet may
  /// leave. REQUIRES: TransmitEntry() <= now.
  Time Transmit(Time now, const Frame& frame, uint32_t qp, int64_t payload, bool inlined);
  /// An ACK or NAK is made at `now`; returns when it may leave.
  Time Acknowledge(Time now) { return p_.tx_ack.v == 0 ? now : tx_.Serve(now, p_.tx_ack); }

  /// The earliest time, not before `now`, at which a packet may enter the receive pipeline.
  Time ReceiveEntry(Time now) const;
  /// The time that the packet then stays in the receive pipeline. `read`: bytes that a READ request asks for,
  /// of one MTU at most.
  Time Receive(const Frame& frame, int64_t read);
  /// The packet has left the pipeline; returns when its payload is in memory.
  Time Land(Time now, const Frame& frame, int64_t payload);
  /// Returns when a completion that the NIC writes now is in memory. `sent`: the completion is for something
  /// that it sent.
  Time Complete(Time now, bool sent);

 private:
  static constexpr Time kSlack = Nanoseconds(250);
  Time Miss(ContextKind kind, uint32_t qp);

  ResourceParameters p_;
  Pcie pcie_;
  ContextCache contexts_;
  Station pio_, tx_, engine_;
};

}  // namespace headroom
