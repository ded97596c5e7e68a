#include "analysis/bounds/services/wire_cost.h"

#include <algorithm>

#include "analysis/bounds/services/su_chunks.h"
#include "analysis/bounds/tcp_cost.h"
#include "protocol/storage/wire/sk_message.h"
#include "protocol/storage/wire/su_message.h"
#include "protocol/storage/wire/su_rpc.h"
#include "protocol/tcp/tcp_message.h"
#include "scenario/packet_headers.h"

namespace headroom {
namespace {

Carried Equal(double count, Bytes each) { return {count, count * static_cast<double>(each.v)}; }

/// Data frames of a message.
Carried DataOf(Operation operation, int64_t bytes, const WireRules& rules) {
  const int64_t count = std::max<int64_t>(1, (bytes + rules.mtu - 1) / rules.mtu);
  const int64_t last = bytes - (count - 1) * rules.mtu;
  Carried data = Equal(1, rules.frames.Data(operation, last, count == 1, true));
  data.data = static_cast<double>(count);
  if (count == 1) return data;
  data += Equal(1, rules.frames.Data(operation, rules.mtu, true, false));
  data += Equal(static_cast<double>(count - 2), rules.frames.Data(operation, rules.mtu, false, false));
  return data;
}

/// A request and its response, and the data that `kind` needs.
BothDirections OverSk(OperationKind kind, int64_t bytes, const WireRules& rules) {
  BothDirections call = MessageOnWire(Operation::send, SkMessage::kBytes, rules);
  call +=
      MessageOnWire(kind == OperationKind::read ? Operation::write : Operation::read_request, bytes, rules)
          .Reversed();
  call += MessageOnWire(Operation::send_inv, SkMessage::kBytes, rules).Reversed();
  return call;
}

/// Number of chunks after which a receiver that sends nothing else returns its credits: SuSocket::GrantIfDue.
int64_t ChunksOfAGrant(const StorageLeg& leg, int64_t chunk) {
  const int64_t credits = (leg.credits + 1) / 2, landings = (leg.landings + 1) / 2;
  return chunk > leg.small.v && chunk <= leg.large.v ? std::min(credits, landings) : credits;
}

/// The wire bytes of one write to a stream, in both directions.
BothDirections StreamOnWire(const StorageLeg& leg, int64_t bytes, const WireRules& rules) {
  BothDirections stream;
  int64_t chunks = 0;
  ForEachChunk(leg, bytes, [&](int64_t chunk, bool) {
    const bool small = chunk <= leg.small.v, large = chunk > leg.large.v;
    if (!small && !large) stream += MessageOnWire(Operation::write, chunk, rules);
    stream += MessageOnWire(Operation::send, SuMessage::kBytes + (small ? chunk : 0), rules);
    if (large) {
      stream += MessageOnWire(Operation::read_request, chunk, rules).Reversed();
      stream +=
          MessageOnWire(Operation::send, SuMessage::kBytes, rules).Reversed();  // the data have been read
      return;  // and that message carried the credits
    }
    if (++chunks % ChunksOfAGrant(leg, chunk) == 0)
      stream += MessageOnWire(Operation::send, SuMessage::kBytes, rules).Reversed();
  });
  return stream;
}

BothDirections OverSu(const StorageLeg& leg, OperationKind kind, int64_t bytes, const WireRules& rules) {
  const bool reads = kind == OperationKind::read;
  BothDirections call = StreamOnWire(leg, reads ? kCallBytes : bytes, rules);
  call += StreamOnWire(leg, reads ? bytes : kCallBytes, rules).Reversed();
  return call;
}

}  // namespace

std::vector<ControlHeaders> ControlHeadersOf(const Scenario& s) {
  std::vector<ControlHeaders> headers;
  for (NodeId host = 0; host < s.topology.hosts; ++host)
    headers.push_back({FramesOf(s, host).feedback, HearsOfResponses(s, host)});
  return headers;
}

Carried WithControls(Carried c, const ControlHeaders& from, const ControlHeaders& to,
                     const FrameFormat& frames) {
  if (to.responses) {
    c.frames += c.response_acks;
    c.bytes += c.response_acks * static_cast<double>(frames.AckWith(0).v);
    c.acks += c.response_acks;
  }
  c.response_acks = 0;
  c.bytes += c.data * static_cast<double>(from.bytes) + c.acks * static_cast<double>(to.bytes);
  return c;
}

BothDirections SegmentsOnWire(int64_t bytes, const WireRules& rules) {
  const int64_t each = TcpSegment(rules.ip_mtu);
  const int64_t header = TcpOverhead(rules.ip_mtu);
  const auto frame = [&](int64_t payload) { return Bytes(std::max(rules.frames.min, header + payload)); };
  BothDirections segments;
  segments.there = Equal(static_cast<double>(bytes / each), frame(each));
  if (bytes % each > 0) segments.there += Equal(1, frame(bytes % each));
  segments.back = Equal(static_cast<double>((bytes + each - 1) / each / 2), frame(0));
  return segments;
}

BothDirections MessageOnWire(Operation operation, int64_t bytes, const WireRules& rules) {
  const int64_t frames = std::max<int64_t>(1, (bytes + rules.mtu - 1) / rules.mtu);
  const auto acks = static_cast<double>((frames + rules.ack_every - 1) / rules.ack_every);
  if (operation == Operation::read_request) {
    BothDirections read{Equal(1, rules.frames.ReadRequest()), DataOf(Operation::read_response, bytes, rules)};
    read.there.response_acks = acks;
    return read;
  }
  BothDirections message{DataOf(operation, bytes, rules), Equal(acks, rules.frames.Ack())};
  message.back.acks = acks;
  return message;
}

BothDirections MessageOnWire(Transport transport, Operation operation, int64_t bytes,
                             const WireRules& rules) {
  BothDirections message = MessageOnWire(operation, bytes, rules);
  if (transport != Transport::rc) {
    message.back = {};
    message.there.data = 0;
  }
  if (transport == Transport::ud) {
    const FrameFormat& f = rules.frames;
    message.there = Equal(1, f.Packet(bytes, f.Extended(operation, true, true) + f.deth));
  }
  return message;
}

BothDirections CallOnWire(const StorageLeg& leg, OperationKind kind, int64_t bytes, const WireRules& rules) {
  switch (leg.protocol) {
    case StorageProtocol::sk_rdma:
      return OverSk(kind, bytes, rules);
    case StorageProtocol::su_rdma:
      return OverSu(leg, kind, bytes, rules);
    case StorageProtocol::tcp:
      break;
  }
  const bool reads = kind == OperationKind::read;
  BothDirections call = SegmentsOnWire(TcpMessage::kBytes + (reads ? 0 : bytes), rules);
  call += SegmentsOnWire(TcpMessage::kBytes + (reads ? bytes : 0), rules).Reversed();
  return call;
}

}  // namespace headroom
