#include "analysis/check/services/check_brpc.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bounds/ideal_path.h"
#include "analysis/bounds/path_range.h"
#include "protocol/brpc/brpc_parameters.h"
#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

constexpr int64_t kPathMtu = 1024;  // fixed in bRPC's code

/// The count of a block returns at the earliest after an empty packet to the peer and one back.
Time LeastRoundTrip(const Fabric& fabric, NodeId from, NodeId to) {
  const Scenario& s = fabric.scenario();
  Time sum;
  for (const auto& [a, b] : {std::pair(from, to), std::pair(to, from)}) {
    const PathRange there = RangeBetween(fabric, a, b), back = RangeBetween(fabric, b, a);
    if (there.best.empty() || back.best.empty()) return kNever;
    sum += IdealArrival(IdealPathOf(s, there.best, back.best, a, b), Bytes(0), Operation::send);
  }
  return sum;
}

struct Connection {
  NodeId client = 0, server = 0;
  Time rtt;
};

/// The longest RDMA connection; none if there is no RDMA connection.
Connection LongestOf(const Fabric& fabric, const OwnServiceParameters& service, const BrpcParameters& p) {
  constexpr size_t kMostPairs = 4096;
  Connection longest;
  size_t pairs = 0;
  for (const NodeId client : service.clients) {
    for (const NodeId server : service.servers) {
      if (client == server || !p.HasRdma(client) || !p.HasRdma(server) || ++pairs > kMostPairs) continue;
      const Time rtt = LeastRoundTrip(fabric, client, server);
      if (rtt != kNever && rtt > longest.rtt) longest = {client, server, rtt};
    }
  }
  return longest;
}

void JudgeWindow(const Fabric& fabric, const OwnServiceParameters& service, const BrpcParameters& p,
                 Findings& findings) {
  const Connection c = LongestOf(fabric, service, p);
  if (c.rtt == Time(0)) return;
  const double most = 8 * static_cast<double>(p.Window().v) / InSeconds(c.rtt);
  const Rate line = std::min(fabric.LineRate(c.client), fabric.LineRate(c.server));
  if (most >= static_cast<double>(line.v)) return;
  findings.push_back(
      {Finding::Severity::note, "service " + service.name,
       fmt::format("a connection between {} and {} carries at most {} Gb/s in each direction: its window "
                   "of {} blocks holds {}, and credits return after {} µs or more",
                   fabric.node(c.client).name, fabric.node(c.server).name, FormatReadable(most / 1e9),
                   p.Window().v / p.BlockData(), FormatBytes(p.Window()),
                   FormatReadable(InMicroseconds(c.rtt))),
       "give larger sq and rq, or a larger block"});
}

bool IsCalled(const Scenario& s, uint32_t service) {
  return std::ranges::any_of(s.workloads, [&](const WorkloadParameters& w) {
    const auto asks = w.arrivals->Asks();
    return asks && asks->of == ServiceOperation::Of::own && asks->service == service;
  });
}

}  // namespace

void CheckBrpc(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  for (uint32_t i = 0; i < s.own_services.size(); ++i) {
    const OwnServiceParameters& service = s.own_services[i];
    if (service.type != "brpc") continue;
    if (!IsCalled(s, i))
      findings.push_back({Finding::Severity::warning, "service " + service.name,
                          "no workload of type rpc uses it, so it stays idle",
                          fmt::format("workloads: [{{type: rpc, service: {}, …}}]", service.name)});
    const auto& p = service.settings.As<BrpcParameters>();
    if (p.transport == BrpcTransport::tcp) continue;
    if (s.mtu != kPathMtu)
      findings.push_back({Finding::Severity::warning, "service " + service.name,
                          fmt::format("its packets carry up to {} B, but bRPC sets a path MTU of {} B "
                                      "for its queue pairs",
                                      s.mtu, kPathMtu),
                          fmt::format("mtu: {}B", kPathMtu)});
    JudgeWindow(fabric, service, p, findings);
  }
}

}  // namespace headroom
