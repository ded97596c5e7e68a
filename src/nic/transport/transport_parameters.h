// Parameters of reliable transport.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/units.h"

namespace headroom {

/// Limit on a queue pair's unacknowledged bytes: payload, in packets of a full MTU each.
struct SendWindow {
  enum class Kind : uint8_t {
    none,   ///< what PSNs allow (psn.h)
    bytes,  ///< so many
    bdp     ///< what fills the path: the line's rate times the base round-trip time
  };
  Kind kind = Kind::none;
  Bytes bytes;
  bool operator==(const SendWindow&) const = default;
};

/// How lost packets are sent again.
struct RecoveryParameters {
  enum class Type : uint8_t {
    go_back_n,         ///< all from the lost packet on (InfiniBand Architecture Specification 9.7)
    selective_repeat,  ///< the lost packets alone: IRN (Mittal et al., SIGCOMM 2018)
    receiver_window,   ///< packets that the receiver misses; a message needs a context there (Wang et al.)
    sender_window,     ///< all that is not acknowledged, packet by packet
    counter            ///< the whole message, unless its receiver has counted all of its packets
  };
  Type type = Type::go_back_n;
  // Of selective_repeat. A packet counts as lost once one this many PSNs behind it has arrived. With
  // `nack_after_time`: that long after the sender knows of one behind it.
  int nack_after = 1;
  std::optional<Time> nack_after_time;
  Time rto_low = Microseconds(100);   ///< the timeout with at most `low_packets` on their way
  Time rto_high = Microseconds(320);  ///< with more
  int low_packets = 3;
  // Of receiver_window; `packets` and `timer` of sender_window, too, `ahead` and `timer` of counter.
  int packets = 128;                    ///< bits of the receive vector, or of the buffer for a peer
  int contexts = 64;                    ///< of a host
  Time timer = Microseconds(100);       ///< on the oldest missing packet, and on an answer
  Time retry_delay = Microseconds(10);  ///< from a refusal to the next request
  int ahead = 16;          ///< messages of a queue pair that may have a context, or have asked for one
  bool message_id = true;  ///< packets of earlier messages are rejected by their message's number

  /// Whether every packet, or one of several, has an ACK.
  bool AcknowledgesPackets() const { return type != Type::receiver_window && type != Type::counter; }
  bool HasContexts() const { return type == Type::receiver_window; }
  /// The first timeout of a queue pair; `rto`: that of go-back-N.
  Time Timeout(Time rto) const {
    switch (type) {
      case Type::go_back_n:
        return rto;
      case Type::selective_repeat:
        return rto_low;
      case Type::receiver_window:
      case Type::sender_window:
        return timer;
      case Type::counter:
        return Seconds(1'000'000);  // each message has its own
    }
    return rto;
  }
  bool operator==(const RecoveryParameters&) const = default;
};

/// The reliable connection's loss recovery (InfiniBand Architecture Specification 9.7) and ACK coalescing.
struct TransportParameters {
  enum class AckPriority { same, cnp };  ///< ACKs in their QP's class, or in the CNPs'
  int ack_every = 1;                     ///< an ACK for every n-th packet and for the last of a message
  AckPriority ack_priority = AckPriority::same;
  Time rto = Milliseconds(4);  ///< from the last packet that made progress or was sent first after a timeout
  int retry = 7;               ///< timeouts in a row without progress before the QP fails
  Time recovery_delay;         ///< from a NAK's arrival to the first retransmission
  SendWindow window;
  RecoveryParameters recovery;

  /// With some recoveries the last packet of a message alone has an ACK.
  int PacketsPerAck() const { return recovery.AcknowledgesPackets() ? ack_every : INT32_MAX; }
  bool operator==(const TransportParameters&) const = default;
};

}  // namespace headroom
