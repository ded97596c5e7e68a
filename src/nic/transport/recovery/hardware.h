// The state that a recovery keeps in a NIC in addition to a queue pair's PSNs, in bits, computed from its
// parameters. Go-back-N has no such state.
//
// Sources: Wang et al., A fast RDMA method for unreliable networks: a context has WBASE, the receive vector,
// one timer and a flag for the last packet. About the sender it has the node, the context and the message's
// number of 20 bits; it has a buffer for each peer. Mittal et al., SIGCOMM 2018: bitmaps of a window, at the
// receiver for arrived packets and for the last packets of messages, at the sender for acknowledged packets.
// Ours: widths that the papers do not print (indices and counts 32 bits, timers and nodes 16, contexts 12,
// PSNs 24), and another bitmap of selective_repeat, for READ responses.
#pragma once

#include <cstdint>
#include <optional>

#include "nic/transport/transport_parameters.h"

namespace headroom {

struct RecoveryHardware {
  /// Bits of one context: of an arriving message (receiver_window), of a peer (sender_window), of a message
  /// in flight (counter), of a queue pair (selective_repeat). None if the window depends on the path.
  std::optional<int64_t> context_bits;
  int64_t buffer_bits = 0;          ///< buffer for packets that may have to be retransmitted, per context
  std::optional<int64_t> contexts;  ///< contexts of a host; none: one context per queue pair, or per message
};

/// `peers`: number of other hosts.
inline RecoveryHardware HardwareOf(const TransportParameters& p, int64_t mtu, int64_t peers) {
  constexpr int64_t kIndex = 32, kTimer = 16, kNode = 16, kContext = 12, kMessage = 20, kFlag = 1, kPsn = 24;
  const RecoveryParameters& recovery = p.recovery;
  switch (recovery.type) {
    case RecoveryParameters::Type::go_back_n:
      return {0, 0, 0};
    case RecoveryParameters::Type::selective_repeat: {
      if (p.window.kind != SendWindow::Kind::bytes) return {};
      constexpr int64_t kBitmaps = 4;
      return {kBitmaps * (p.window.bytes.v / mtu), 0, std::nullopt};
    }
    case RecoveryParameters::Type::receiver_window:
      return {kIndex + recovery.packets + kTimer + kFlag + kNode + kContext + kMessage, 0, recovery.contexts};
    case RecoveryParameters::Type::sender_window:
      return {recovery.packets + kPsn + kTimer, recovery.packets * mtu * 8, peers};
    case RecoveryParameters::Type::counter:
      if (!recovery.connects) return {2 * kIndex + kTimer, 0, std::nullopt};
      return {2 * kIndex + kTimer + kFlag + kNode + kContext, 0, recovery.contexts};
  }
  return {};
}

}  // namespace headroom
