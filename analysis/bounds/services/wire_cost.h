// Traffic of messages and calls in each direction: all their frames, if nothing is lost, marked or paused.
//
// A message of a connection is sent in frames of the MTU, and the other end acknowledges every n-th frame and
// the last; the answer to a READ is not acknowledged. The messages of a call are those that sk_client.cc and
// sk_server.cc, su_socket_send.cc and su_socket_receive.cc, and tcp_stream.cc post. Over TCP every second
// segment is acknowledged; the answer acknowledges the rest.
#pragma once

#include <compare>
#include <vector>

#include "net/frame_format.h"
#include "protocol/channel/leg_parameters.h"
#include "scenario/scenario.h"
#include "workload/operation.h"

namespace headroom {

/// Frames, and their bytes with FCS, without congestion controls' feedback; averages may be fractions.
struct Carried {
  double frames = 0, bytes = 0;
  double data = 0, acks = 0;  ///< of these frames: data of connections, and ACKs of the other end's data
  double response_acks = 0;   ///< additional ACKs, if the other end's control receives ACKs of READ responses
  /// The bytes with preamble and gap.
  double OnWire(const FrameFormat& format) const { return bytes + frames * static_cast<double>(format.gap); }
  Carried& operator+=(const Carried& other) {
    frames += other.frames, bytes += other.bytes;
    data += other.data, acks += other.acks, response_acks += other.response_acks;
    return *this;
  }
  Carried operator*(double times) const {
    return {frames * times, bytes * times, data * times, acks * times, response_acks * times};
  }
};

/// Headers that a host's congestion control adds to data and ACKs, and whether READ responses get them.
struct ControlHeaders {
  int64_t bytes = 0;
  bool responses = false;
  auto operator<=>(const ControlHeaders&) const = default;
};
std::vector<ControlHeaders> ControlHeadersOf(const Scenario& scenario);

/// From the initiator to the other end, and the reverse.
struct BothDirections {
  Carried there, back;
  BothDirections& operator+=(const BothDirections& other) {
    there += other.there, back += other.back;
    return *this;
  }
  BothDirections Reversed() const { return {back, there}; }
};

struct WireRules {
  FrameFormat frames;  ///< without congestion controls' feedback
  int64_t mtu = 1024;
  int64_t ip_mtu = 1500;
  int ack_every = 1;
};

/// All traffic from one host to another, with the additions of both hosts' congestion controls.
Carried WithControls(Carried carried, const ControlHeaders& from, const ControlHeaders& to,
                     const FrameFormat& frames);

/// A message of a connection. For a READ: the request, and the returned data.
BothDirections MessageOnWire(Operation operation, int64_t bytes, const WireRules& rules);

/// UC and UD have no acknowledgements. REQUIRES: a datagram fits one frame.
BothDirections MessageOnWire(Transport transport, Operation operation, int64_t bytes, const WireRules& rules);

/// Bytes that TCP carries, in one write.
BothDirections SegmentsOnWire(int64_t bytes, const WireRules& rules);

/// A request and its answer over this leg; one of the two carries the data.
BothDirections CallOnWire(const StorageLeg& leg, OperationKind kind, int64_t bytes, const WireRules& rules);

}  // namespace headroom
