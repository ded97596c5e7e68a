#include "analysis/bounds/tcp_cost.h"

#include <algorithm>

#include "ip/ip_stack.h"
#include "protocol/tcp/tcp_message.h"

namespace headroom {
namespace {

constexpr int64_t kEthernet = 14, kFcs = 4;
constexpr int64_t kPiece = TcpCosts::kAggregate;

int64_t Pieces(int64_t data) { return std::max<int64_t>((data + kPiece - 1) / kPiece, 1); }

/// Arrival of a stream's bytes, cut into any segments: all of them pass each hop, and at least one frame
/// passes the hops before and behind it.
Time StreamArrives(const IdealPath& path, int64_t bytes) {
  const int64_t segments = (bytes + path.mtu - 1) / path.mtu;
  const Bytes all(bytes + segments * (path.frames.header + path.frames.gap));
  const Bytes least = path.frames.OnWire(path.frames.Ack());
  Time most;
  for (const IdealHop& hop : path.data)
    most = std::max(most, SerializationTime(all, hop.rate) - SerializationTime(least, hop.rate));
  return IdealArrival(path, Bytes(0), Operation::send) + most;
}

}  // namespace

int64_t TcpSegment(int64_t ip_mtu) { return IpStack::SegmentSize(ip_mtu); }
int64_t TcpOverhead(int64_t ip_mtu) { return kEthernet + ip_mtu - TcpSegment(ip_mtu) + kFcs; }

IdealPath OverTcp(const IdealPath& rdma, int64_t ip_mtu) {
  IdealPath path = rdma;
  path.mtu = IpStack::SegmentSize(ip_mtu);
  path.frames = {.header = TcpOverhead(ip_mtu),
                 .reth = 0,
                 .aeth = 0,
                 .immdt = 0,
                 .ieth = 0,
                 .deth = 0,
                 .ack = TcpOverhead(ip_mtu),
                 .gap = rdma.frames.gap,
                 .min = rdma.frames.min};
  return path;
}

Time OfTcpSender(const StorageLeg& leg, int64_t data, const CoreCosts& core) {
  return core.OfTcpSent(Pieces(data), TcpMessage::kBytes + data, leg.crc ? data : 0);
}

Time OfTcpReceiver(const StorageLeg& leg, int64_t data, const CoreCosts& core) {
  return core.OfTcpReceived(Pieces(data), TcpMessage::kBytes + data, leg.crc ? data : 0);
}

Time TcpMessageTakes(const StorageLeg& leg, int64_t data, const IdealPath& path, const CoreCosts& sender,
                     const CoreCosts& receiver) {
  const int64_t all = TcpMessage::kBytes + data;
  const auto arrives = [&](int64_t bytes) { return IdealArrival(path, Bytes(bytes), Operation::send); };
  const Time received = OfTcpReceiver(leg, data, receiver);
  if (all <= path.mtu) return OfTcpSender(leg, data, sender) + arrives(all) + received;
  const Time begun = OfTcpSender(leg, std::min(data, kPiece), sender);
  const Time taken = begun + arrives(path.mtu) + received;
  if (data <= kPiece) return std::max(taken, begun + arrives(all));
  const Time given = OfTcpSender(leg, data, sender);
  const int64_t last = data - (Pieces(data) - 1) * kPiece;
  return std::max({taken, begun + StreamArrives(path, all), given + StreamArrives(path, last)});
}

double TcpOnWire(double bytes, const FrameFormat& frames, int64_t ip_mtu) {
  return bytes * (1 + static_cast<double>(TcpOverhead(ip_mtu) + frames.gap) /
                          static_cast<double>(IpStack::SegmentSize(ip_mtu)));
}

bool IsOverTcp(const Scenario& s, const WorkloadParameters& workload) {
  return OffersOperations(workload) && !s.services[ServiceOf(workload)]->OnQueuePairs();
}

}  // namespace headroom
