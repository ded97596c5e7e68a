// Parameters of reliable transport.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/units.h"

namespace headroom {

/// What a queue pair may have sent and not heard of: payload, in packets of a full MTU each.
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
    go_back_n,        ///< all from the lost packet on (InfiniBand Architecture Specification 9.7)
    selective_repeat  ///< the lost packets alone: IRN (Mittal et al., SIGCOMM 2018)
  };
  Type type = Type::go_back_n;
  // Of selective_repeat. A packet counts as lost once one that is so many PSNs behind it has arrived, or,
  // with a time, so long after the sender has heard of one behind it.
  int nack_after = 1;
  std::optional<Time> nack_after_time;
  Time rto_low = Microseconds(100);   ///< the timeout with at most `low_packets` on their way
  Time rto_high = Microseconds(320);  ///< with more
  int low_packets = 3;
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
  bool operator==(const TransportParameters&) const = default;
};

}  // namespace headroom
