// Parameters of reliable transport.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/units.h"

namespace headroom {

/// Limit on a queue pair's unacknowledged bytes: payload, in packets of a full MTU each.
struct SendWindow {
  enum class Kind : uint8_t {
    none,   ///< the limit of PSNs (psn.h)
    bytes,  ///< `bytes` bytes
    bdp     ///< the bytes that fill the path: the line rate times the base round-trip time
  };
  Kind kind = Kind::none;
  Bytes bytes;
  bool operator==(const SendWindow&) const = default;
};

/// How lost packets are retransmitted.
struct RecoveryParameters {
  enum class Type : uint8_t {
    go_back_n,         ///< all packets from the lost one on (InfiniBand Architecture Specification 9.7)
    selective_repeat,  ///< only the lost packets: IRN (Mittal et al., SIGCOMM 2018)
    receiver_window,   ///< packets that the receiver lacks; a message needs a context there (Wang et al.)
    sender_window,     ///< all unacknowledged packets, which are acknowledged one by one
    counter            ///< the whole message, unless its receiver has counted all of its packets
  };
  Type type = Type::go_back_n;
  // For selective_repeat: A packet counts as lost once a packet this many PSNs behind it has arrived. With
  // `nack_after_time`: that long after the sender learns of a later packet.
  int nack_after = 1;
  std::optional<Time> nack_after_time;
  Time rto_low = Microseconds(100);   ///< the timeout with at most `low_packets` in flight
  Time rto_high = Microseconds(320);  ///< the timeout with more in flight
  int low_packets = 3;
  // For receiver_window; sender_window also uses `packets` and `timer`, counter uses `ahead` and `timer`.
  // With `connects` sender_window uses `ahead`, counter also `contexts` and `retry_delay`.
  int packets = 128;                    ///< bits of the receive vector, or of the buffer for a peer
  int contexts = 64;                    ///< per host
  Time timer = Microseconds(100);       ///< for the oldest missing packet, and for an answer
  Time retry_delay = Microseconds(10);  ///< from a refusal to the next request
  int ahead = 16;                       ///< messages of a queue pair that may have or request a context
  bool message_id = true;        ///< a packet of an earlier message is rejected by its message's number
  bool cumulative_acks = false;  ///< of sender_window: no ACK names a packet that arrived out of order
  bool connects = false;         ///< a message requests: of counter a context, of sender_window a set-up

  /// Whether each packet has its own ACK; otherwise one ACK covers several.
  bool AcknowledgesPackets() const { return type != Type::receiver_window && type != Type::counter; }
  bool HasContexts() const { return type == Type::receiver_window || connects; }
  /// The first timeout of a queue pair; `rto`: the timeout of go-back-N.
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
        return Seconds(1'000'000);  // each message has its own timeout
    }
    return rto;
  }
  bool operator==(const RecoveryParameters&) const = default;
};

/// How a sender chooses the entropy of each packet, which changes its UDP source port.
struct BalancingParameters {
  enum class Type : uint8_t {
    none,       ///< a queue pair keeps its port
    oblivious,  ///< each entropy once in a round
    bitmap,     ///< the same, past entropies with a penalty
    reps,       ///< entropies whose packets arrived without a mark, once more
    mixed       ///< those, or else as bitmap
  };
  Type type = Type::none;
  int entropies = 64;  ///< a power of two
  bool Chooses() const { return type != Type::none; }
  bool operator==(const BalancingParameters&) const = default;
};

/// The reliable connection's loss recovery (InfiniBand Architecture Specification 9.7) and ACK coalescing.
struct TransportParameters {
  enum class AckPriority { same, cnp };  ///< ACKs use their QP's class, or the CNPs'
  int ack_every = 1;                     ///< an ACK for every n-th packet and for the last of a message
  AckPriority ack_priority = AckPriority::same;
  Time rto = Milliseconds(
      4);         ///< runs from the last packet that made progress, or that was sent first after a timeout
  int retry = 7;  ///< timeouts in a row without progress before the QP fails
  Time recovery_delay;  ///< from a NAK's arrival to the first retransmission
  SendWindow window;
  RecoveryParameters recovery;
  BalancingParameters balancing;

  /// With some recoveries only the last packet of a message has an ACK.
  int PacketsPerAck() const { return recovery.AcknowledgesPackets() ? ack_every : INT32_MAX; }
  bool operator==(const TransportParameters&) const = default;
};

}  // namespace headroom
