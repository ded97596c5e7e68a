// Scenarios with NICs that do not use go-back-N.
#pragma once

#include "scenario/packet_headers.h"
#include "scenario/scenario.h"

namespace headroom {

/// All NICs repeat selectively, as IRN does.
inline void RepeatSelectively(Scenario& s) {
  for (NicParameters& nic : s.nics) {
    nic.transport.recovery.type = RecoveryParameters::Type::selective_repeat;
    nic.transport.window.kind = SendWindow::Kind::bdp;
  }
  SetPacketHeaders(s);
}

/// All NICs use this recovery, without ACKs for several packets.
inline void RecoverBy(Scenario& s, RecoveryParameters::Type type) {
  for (NicParameters& nic : s.nics) {
    nic.transport.recovery.type = type;
    nic.transport.ack_every = 1;
  }
  SetPacketHeaders(s);
}
inline void UseReceiverWindow(Scenario& s) { RecoverBy(s, RecoveryParameters::Type::receiver_window); }
inline void UseSenderWindow(Scenario& s) { RecoverBy(s, RecoveryParameters::Type::sender_window); }
inline void UseCounter(Scenario& s) { RecoverBy(s, RecoveryParameters::Type::counter); }
/// A timeout repeats the whole buffer.
inline void UseCumulativeAcks(Scenario& s) {
  for (NicParameters& nic : s.nics) nic.transport.recovery.cumulative_acks = true;
  UseSenderWindow(s);
}
/// Messages also request their receiver before the first packet.
inline void SetUpSenderWindow(Scenario& s) {
  for (NicParameters& nic : s.nics) nic.transport.recovery.connects = true;
  UseCumulativeAcks(s);
}
/// Messages need one of this many contexts of their receiver.
inline void CountInContexts(Scenario& s, int contexts) {
  for (NicParameters& nic : s.nics) {
    nic.transport.recovery.connects = true;
    nic.transport.recovery.contexts = contexts;
  }
  UseCounter(s);
}

/// All recoveries; go-back-N changes nothing.
inline constexpr void (*kRecoveries[])(Scenario&) = {[](Scenario&) {}, RepeatSelectively, UseReceiverWindow,
                                                     UseSenderWindow, UseCounter};

}  // namespace headroom
