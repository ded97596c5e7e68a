// A reliable connection, half by half: the requester posts and sends, the responder receives and
// acknowledges.
//
// Source: InfiniBand Architecture Specification 9.7 (reliable service: PSN, ACK, NAK, go-back-N). PSNs are
// 32-bit counts here; on the wire they are their low 24 bits.
#pragma once

#include "dcqcn/notification_point.h"
#include "dcqcn/rate_limiter.h"
#include "dcqcn/reaction_point.h"
#include "net/topology.h"
#include "sim/ring.h"

namespace headroom {

/// A message in the send queue.
struct SendRequest {
  uint32_t message = 0;
  uint32_t first_psn = 0;
  uint32_t packets = 0;
  int64_t bytes = 0;
};

struct Requester {
  enum class State : uint8_t {
    idle,    ///< nothing to send
    ready,   ///< in the round of those that may send now
    pacing,  ///< waits for the limiter, or for the end of a recovery delay
    failed   ///< retries exhausted
  };
  State state = State::idle;
  uint8_t priority = 0;
  uint16_t generation = 0;  ///< how often it has begun anew; tells whose CNP comes late
  int retries = 0;          ///< timeouts in a row
  NodeId peer = 0;
  uint32_t peer_qp = 0;
  uint32_t flow_hash = 0;
  uint32_t next_ready = 0;  ///< link of the round
  uint32_t next_psn = 0;    ///< to send
  uint32_t una_psn = 0;     ///< oldest not acknowledged
  uint32_t end_psn = 0;     ///< one past the last posted
  uint32_t high_psn = 0;    ///< one past the highest ever sent
  uint32_t cursor = 0;      ///< index in `requests` of the message that holds next_psn
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
  uint32_t expected_psn = 0;
  uint32_t unacknowledged = 0;  ///< packets since the last ACK
  uint8_t priority = 0;
  bool nak_sent = false;    ///< one NAK per gap
  bool echo = false;        ///< a marked packet came since the last ACK
  uint16_t generation = 0;  ///< of the packet that came last
  NpState np;
};

}  // namespace headroom
