#include "analysis/bounds/services/operation_traffic.h"

#include "protocol/storage/storage_parameters.h"

#include <algorithm>
#include <numeric>

namespace headroom {

double LinkTraffic::FrameHops() const { return std::accumulate(frames.begin(), frames.end(), 0.0); }

OperationTraffic::OperationTraffic(const Fabric& fabric)
    : fabric_(fabric), wire_(fabric, RulesOf(fabric.scenario())) {}

void OperationTraffic::DoAddMessages(NodeId from, NodeId to, Operation verb, int64_t bytes, double times,
                                     Transport transport) {
  const BothDirections both = MessageOnWire(transport, verb, bytes, wire_.rules());
  wire_.Add(from, to, verb == Operation::read_request ? both.Reversed() : both, times);
}

void OperationTraffic::AddWrites(NodeId from, NodeId to, int64_t bytes, double times) {
  wire_.Add(from, to, SegmentsOnWire(bytes, wire_.rules()), times);
}

StorageTraffic& OperationTraffic::StorageOf(uint32_t service) {
  return storage_
      .try_emplace(service, fabric_, fabric_.scenario().services[service].As<StorageParameters>(),
                   StorageTraffic::Writes::first)
      .first->second;
}

void OperationTraffic::AddIos(uint32_t service, NodeId client, OperationKind kind, Bytes size, double times) {
  const std::vector<NodeId>& compute = fabric_.scenario().services[service].As<StorageParameters>().compute;
  const auto disk = static_cast<size_t>(std::ranges::find(compute, client) - compute.begin());
  StorageOf(service).Add(disk, kind, size, times);
}

void OperationTraffic::AddBackground(uint32_t service, double seconds) {
  StorageOf(service).AddBackground(seconds);
}

void OperationTraffic::AddConnections(uint32_t service) { StorageOf(service).AddConnections(); }

LinkTraffic OperationTraffic::OnLinks() const {
  LinkTraffic links{ExpectedCrossings(wire_.bytes(), fabric_), ExpectedCrossings(wire_.frames(), fabric_),
                    std::accumulate(wire_.frames().out.begin(), wire_.frames().out.end(), 0.0)};
  const auto add = [](std::vector<double>& to, const std::vector<double>& more) {
    std::ranges::transform(to, more, to.begin(), std::plus<>());
  };
  for (const auto& [service, traffic] : storage_) {
    add(links.wire, ExpectedCrossings(traffic.wire(), fabric_));
    add(links.frames, ExpectedCrossings(traffic.frames(), fabric_));
    links.sent = std::accumulate(traffic.frames().out.begin(), traffic.frames().out.end(), links.sent);
  }
  return links;
}

}  // namespace headroom
