#include "protocol/storage/storage_parameters.h"

#include <algorithm>

#include "nic/verbs/verbs_footprint.h"
#include "protocol/storage/routes.h"
#include "protocol/storage/wire/sk_message.h"

namespace headroom {

std::vector<NodeId> StorageParameters::Hosts() const {
  std::vector<NodeId> hosts;
  for (const auto* some : {&compute, &extent_nodes, &front_ends, &partition_servers})
    hosts.insert(hosts.end(), some->begin(), some->end());
  return hosts;
}

std::vector<const StorageLeg*> StorageParameters::Legs() const {
  std::vector<const StorageLeg*> legs{&front};
  if (back) legs.push_back(&*back);
  if (failover) legs.push_back(&failover->to);
  return legs;
}

std::optional<uint8_t> StorageParameters::TcpClass() const {
  for (const StorageLeg* leg : Legs())
    if (leg->OnTcp()) return leg->priority;
  return std::nullopt;
}

bool StorageParameters::HasTcp(uint8_t of) const {
  return std::ranges::any_of(Legs(), [of](const StorageLeg* l) { return l->OnTcp() && l->priority == of; });
}

bool StorageParameters::HasQueuePairs(uint8_t of) const {
  return std::ranges::any_of(Legs(), [of](const StorageLeg* l) { return !l->OnTcp() && l->priority == of; });
}

ServiceDivision StorageParameters::Division() const {
  const bool tcp = front.OnTcp() || (back && back->OnTcp());
  return tcp || failover || background ? ServiceDivision::none : ServiceDivision::ranks;
}

OperationSteps StorageParameters::Steps() const {
  constexpr double kWorst = 20;
  return back ? OperationSteps{60, 20, kWorst} : OperationSteps{15, 5, kWorst};
}

std::optional<Bytes> StorageParameters::LargestInBuffers() const {
  return front.protocol == StorageProtocol::sk_rdma ? std::optional(front.pool) : std::nullopt;
}

namespace {

/// Both ends of a storage connection, without its queue pairs and waiting messages: measured.
constexpr double kSkSessionBytes = 9000, kSuSessionBytes = 6000, kTcpConnectionBytes = 24'000;
/// Memory of a RECV without its payload; for su_rdma with the places of its buffer in the pool and the
/// socket.
constexpr double kSkReceiveBytes = 40, kSuReceiveBytes = 60;

double ConnectionBytes(const StorageLeg& leg) {
  if (leg.OnTcp()) return leg.connections * kTcpConnectionBytes;
  const bool sk = leg.protocol == StorageProtocol::sk_rdma;
  const double receives = leg.Receives();
  const double each = sk ? kSkReceiveBytes + SkMessage::kBytes : kSuReceiveBytes;
  return (sk ? kSkSessionBytes : kSuSessionBytes) + 2 * QueuePairBytes(2, 0) + 2 * receives * each;
}

}  // namespace

/// Buffers only count data, but carry headers.
std::optional<Forecast> StorageParameters::Footprint(const Topology& topology, const ServiceLoad&,
                                                     const ServiceDemand& asked) const {
  const Placement placement(name, across, extent_nodes, topology);
  const StorageRoutes routes = RoutesOf(*this, placement, topology);
  const auto behind = static_cast<double>(routes.back.size());
  const double before = static_cast<double>(routes.connections()) - behind;
  double bytes = before * ConnectionBytes(front);
  if (back) bytes += behind * ConnectionBytes(*back);
  if (failover) bytes += (before + behind) * ConnectionBytes(failover->to);
  constexpr double kWorst = 2, kInFlight = 2000, kWaits = 6000;  // memory of an I/O in flight, at all hosts
  return Forecast{bytes + kInFlight * asked.open.expected, kWorst * bytes + kWaits * asked.open.worst};
}

}  // namespace headroom
