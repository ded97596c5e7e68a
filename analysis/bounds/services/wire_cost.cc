#include "analysis/bounds/services/wire_cost.h"

#include <algorithm>

#include "analysis/bounds/tcp_cost.h"
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

/// Sums messages between two hosts.
class TwoHosts final : public TrafficSink {
 public:
  static constexpr NodeId kFirst = 0, kSecond = 1;
  explicit TwoHosts(const WireRules& rules) : rules_(rules) {}
  void AddWrites(NodeId from, NodeId, int64_t bytes, double times) override {
    Add(from, SegmentsOnWire(bytes, rules_), times);
  }
  BothDirections sum;  ///< from the first host to the second, and the reverse

 private:
  void DoAddMessages(NodeId from, NodeId, Operation verb, int64_t bytes, double times,
                     Transport transport) override {
    const BothDirections both = MessageOnWire(transport, verb, bytes, rules_);
    Add(from, verb == Operation::read_request ? both.Reversed() : both, times);
  }
  void Add(NodeId from, const BothDirections& both, double times) {
    const BothDirections one = from == kFirst ? both : both.Reversed();
    sum += {one.there * times, one.back * times};
  }
  const WireRules& rules_;
};

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
  TwoHosts call(rules);
  leg.AddCall(TwoHosts::kFirst, TwoHosts::kSecond, kind, bytes, call);
  return call.sum;
}

}  // namespace headroom
