// A queue pair, half by half: the requester posts and sends, the responder receives and acknowledges. One-way
// bulk traffic needs one half at each end; whole_queue_pair.h is about both halves at one end.
//
// Source: InfiniBand Architecture Specification 9.7 (reliable service: PSN, ACK, NAK, go-back-N). PSNs are
// 64-bit counts here, of which a frame carries the low 32 bits; on the wire they are their low 24 bits.
#pragma once

#include <memory>

#include "dcqcn/notification_point.h"
#include "dcqcn/rate_limiter.h"
#include "dcqcn/reaction_point.h"
#include "net/opcode.h"
#include "net/topology/topology.h"
#include "sim/ring.h"

namespace headroom {

struct QueuePair;

/// A message in the send queue, or a step that the NIC takes by itself: that has no packets.
struct SendRequest {
  uint64_t first_psn = 0;
  uint64_t packets = 0;
  uint32_t message = 0;  ///< kNoMessage: nobody but its work request's owner hears of it
  Operation operation = Operation::write;
  bool fence = false;                              ///< waits for the READs before it
  bool begun = false, done = false;                ///< of a step without packets
  bool inlined = false;                            ///< its payload came with the work request
  uint32_t first_extended = 0, last_extended = 0;  ///< bytes of extended headers on its first and last frame
  int64_t bytes = 0;
  Time available{};  ///< when the NIC has the work request
};
inline constexpr uint32_t kNoMessage = UINT32_MAX;
/// Of a queue pair that is not connected, or for datagrams.
inline constexpr uint32_t kNoPeer = UINT32_MAX;

/// Packets of a message.
constexpr uint64_t PacketsOf(int64_t bytes, int64_t mtu) {
  return bytes == 0 ? 1 : static_cast<uint64_t>(bytes / mtu + (bytes % mtu != 0));
}

/// Packets that a reliable requester has on their way, or lost, at most: so that PSNs of 24 bits tell old
/// from new (InfiniBand Architecture Specification 9.7.2.1).
inline constexpr uint64_t kPsnWindow = uint64_t{1} << 23;

/// The PSN that a frame carries the low bits of, by one that it is less than 2^31 away from.
constexpr uint64_t WholePsn(uint32_t low, uint64_t near) {
  return near + static_cast<uint64_t>(int64_t{static_cast<int32_t>(low - static_cast<uint32_t>(near))});
}

// Syndromes of a NAK's AETH (InfiniBand Architecture Specification 9.7.5.2.3).
inline constexpr uint8_t kRnr = 0x20;  ///< and the code of the RNR timer in the low five bits
inline constexpr uint8_t kSequenceError = 0x60;
inline constexpr uint8_t kInvalidRequest = 0x61;
inline constexpr uint8_t kRemoteAccess = 0x62;
inline constexpr uint8_t kRemoteOperation = 0x63;

struct Requester {
  enum class State : uint8_t {
    idle,    ///< nothing to send
    ready,   ///< in the round of those that may send now
    pacing,  ///< waits for the limiter, or for the end of a recovery delay
    failed   ///< retries exhausted
  };
  State state = State::idle;
  uint8_t priority = 0;
  uint8_t round = 0;  ///< whose turns it takes: its priority's, or those of the host's traffic to itself
  Transport transport = Transport::rc;
  uint16_t generation = 0;  ///< how often it has begun anew; tells whose CNP comes late
  int retries = 0;          ///< timeouts in a row
  int retry_limit = 0;
  NodeId peer = 0;
  uint32_t peer_qp = 0;
  uint32_t flow_hash = 0;
  uint32_t next_ready = 0;    ///< link of the round
  uint32_t cursor = 0;        ///< index in `requests` of the message that holds next_psn
  uint64_t next_psn = 0;      ///< to send
  uint64_t una_psn = 0;       ///< oldest not acknowledged
  uint64_t end_psn = 0;       ///< one past the last posted
  uint64_t limit_psn = 0;     ///< of bulk: the same, or less where the window ends before
  uint64_t high_psn = 0;      ///< one past the highest ever sent
  QueuePair* pair = nullptr;  ///< null: it does nothing but send SEND and WRITE messages of bulk
  Time rto;
  LimiterState limiter;
  RpState rate;
  Time rto_deadline = kNever;  ///< kNever: nothing outstanding, or to be sent again first
  Time rto_event = kNever;     ///< the pending event, if any
  Time rate_event = kNever;
  Ring<SendRequest> requests;
};

struct Responder {
  NodeId peer = 0;
  uint32_t peer_qp = 0;
  uint32_t flow_hash = 0;  ///< of the ACKs' way back
  uint64_t expected_psn = 0;
  uint32_t unacknowledged = 0;  ///< packets since the last ACK
  uint32_t executed = 0;        ///< messages, READs among them: the MSN
  uint8_t priority = 0;
  bool nak_sent = false;      ///< one NAK per gap
  bool echo = false;          ///< a marked packet came since the last ACK
  uint16_t generation = 0;    ///< of the packet that came last
  QueuePair* pair = nullptr;  ///< null: it does nothing but acknowledge bulk
  NpState np;
};

}  // namespace headroom
