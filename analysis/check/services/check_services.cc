#include "analysis/check/services/check_services.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/bounds/ideal_path.h"
#include "analysis/bounds/services/io_cost.h"
#include "analysis/check/buffers/check_thresholds.h"
#include "analysis/check/services/check_brpc.h"
#include "analysis/check/services/check_connections.h"
#include "analysis/check/services/check_ios.h"
#include "analysis/check/services/check_placement.h"
#include "analysis/check/services/check_send_receive.h"
#include "analysis/check/services/check_tensors.h"
#include "protocol/storage/wire/sk_message.h"
#include "protocol/storage/wire/su_message.h"
#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

/// Payload that may arrive at the same time: a chunk of each connection, or all open I/Os.
struct Coming {
  size_t connections = 0;
  Bytes each, all;
};

/// The requests of all workloads of a service.
Coming ComingTo(bool to_nodes, const std::vector<const IoWorkload*>& workloads) {
  Coming coming;
  std::set<NodeId> hosts;
  for (const IoWorkload* w : workloads) {
    if (to_nodes ? w->io().reads == 1 : w->io().reads == 0) continue;
    const std::vector<NodeId>& from = to_nodes ? w->io().from : w->io().to;
    hosts.insert(from.begin(), from.end());
    const StorageLeg& leg = w->service().front;
    if (leg.protocol == StorageProtocol::tcp) return {};  // as much as its congestion control permits
    if (leg.protocol == StorageProtocol::su_rdma) {
      coming.each = std::max(coming.each, std::min(leg.chunk, LargestBlock(w->io())));
      continue;
    }
    const int64_t depth = w->io().rate > 0 ? INT32_MAX : w->io().depth;
    const auto n = static_cast<int64_t>(from.size());
    const int64_t open = std::min<int64_t>(leg.credits, depth);
    coming.each += LargestBlock(w->io()) * open;
    coming.all += LargestBlock(w->io()) * (to_nodes ? open * n : std::min(leg.credits * n, depth));
  }
  coming.connections = hosts.size();
  if (coming.all.v == 0) coming.all = coming.each * static_cast<int64_t>(hosts.size());
  return coming;
}

/// Memory for this payload of one message in a buffer with cells.
double InBuffer(double payload, const Scenario& s, Bytes cell) {
  const auto mtu = static_cast<double>(s.mtu);
  const auto in_cells = [&](double bytes) {
    const Bytes frame = s.frames.Data(Operation::write, static_cast<int64_t>(bytes), true, true);
    return std::ceil(static_cast<double>(frame.v) / static_cast<double>(cell.v)) *
           static_cast<double>(cell.v);
  };
  const double full = std::floor(payload / mtu), rest = payload - full * mtu;
  return full * in_cells(mtu) + (rest > 0 ? in_cells(rest) : 0);
}

/// The smallest group, congested alone, at which the host's switch pauses for this class.
std::optional<Bytes> LoneXoff(const SwitchClass& c, uint8_t priority) {
  std::optional<Bytes> least;
  for (const PortClass& port : c.ports) {
    const ClassAtPort& at = port.classes[priority];
    if (!at.pfc || !at.ingress || at.ingress->headroom <= 0) continue;
    const Bytes xoff(std::llround(static_cast<double>(at.ingress->reserved) + ThresholdOf(*at.ingress, 1)));
    least = std::min(least.value_or(xoff), xoff);
  }
  return least;
}

/// For the host of `hosts` whose switch pauses soonest; none without pauses.
std::optional<ServiceIncast> IncastTo(const std::vector<NodeId>& hosts, const Coming& coming,
                                      uint8_t priority, const Fabric& fabric,
                                      const std::vector<SwitchClass>& switches) {
  std::optional<ServiceIncast> worst;
  const Scenario& s = fabric.scenario();
  for (const NodeId host : hosts) {
    const NodeId up = fabric.UplinkOf(host).to.node;
    const auto c = std::ranges::find_if(
        switches, [&](const SwitchClass& of) { return std::ranges::count(of.members, up) > 0; });
    if (c == switches.end()) continue;
    const std::optional<Bytes> xoff = LoneXoff(*c, priority);
    if (!xoff || (worst && worst->xoff <= *xoff)) continue;
    const Bytes cell = c->parameters->buffer.cell;
    const auto n = static_cast<double>(coming.connections);
    const double full = InBuffer(static_cast<double>(s.mtu), s, cell);
    const double packets = std::floor(static_cast<double>(xoff->v) / n / full);
    worst = ServiceIncast{
        .to_nodes = false,
        .at = fabric.node(host).name,
        .connections = coming.connections,
        .each = coming.each,
        .buffered =
            Bytes(std::llround(InBuffer(static_cast<double>(coming.each.v), s, cell) *
                               static_cast<double>(coming.all.v) / static_cast<double>(coming.each.v))),
        .xoff = *xoff,
        .each_below = Bytes(std::llround(packets) * s.mtu)};
  }
  return worst;
}

ServiceCheck ServiceOf(const StorageParameters& p, const Fabric& fabric) {
  const Scenario& s = fabric.scenario();
  const StorageLeg& leg = p.front;
  const bool sk = leg.protocol == StorageProtocol::sk_rdma;
  ServiceCheck check;
  check.name = p.name;
  check.protocol = ProtocolName(leg.protocol);
  check.traffic_class = s.classes[leg.priority].name;
  check.compute = p.compute.size();
  check.extent_nodes = p.extent_nodes.size();
  check.least_rtt = kNever;
  for (const NodeId client : SampleOf(p.compute)) {
    for (const NodeId server : SampleOf(p.back ? p.front_ends : p.extent_nodes)) {
      const Time rtt = RequestRoundTrip(leg, EndsOf(fabric, client, server));
      check.least_rtt = std::min(check.least_rtt, rtt);
      check.most_rtt = std::max(check.most_rtt, rtt);
      check.bdp =
          std::max(check.bdp, BytesIn(rtt, std::min(fabric.LineRate(client), fabric.LineRate(server))));
    }
  }
  if (leg.protocol == StorageProtocol::tcp) return check;
  const auto connections =
      static_cast<double>(check.compute) / (p.back ? static_cast<double>(p.front_ends.size()) : 1);
  const double each = sk ? leg.credits : 2 * leg.credits + 2;
  const int64_t message = sk ? SkMessage::kBytes : SuMessage::kBytes + leg.small.v;
  check.receives = connections * each;
  check.receive_bytes = Bytes(message * std::llround(check.receives));
  check.pool = leg.pool;
  return check;
}

std::string OfService(const std::string& name) { return "service " + name; }
void JudgePool(const ServiceCheck& check, Findings& findings) {
  if (check.data_bytes <= check.pool) return;
  findings.push_back({Severity::note, OfService(check.name),
                      fmt::format("with all credits in use, requests need {} of registered memory at a "
                                  "core of an extent node, but the pool has {}, so some requests wait "
                                  "for memory",
                                  FormatBytes(check.data_bytes), FormatBytes(check.pool)),
                      "give a larger pool, or fewer credits"});
}

void JudgeIncast(const ServiceCheck& check, const ServiceIncast& incast, Findings& findings) {
  if (!incast.MayPause()) return;
  const bool su = check.protocol == ProtocolName(StorageProtocol::su_rdma);
  std::string change = "give less depth, fewer credits or smaller blocks";
  if (su)
    change = incast.each_below.v == 0
                 ? "fewer connections"
                 : fmt::format("front: {{chunk: {}}}: then PFC cannot fire without other traffic",
                               FormatSize(incast.each_below));
  findings.push_back({Severity::note, OfService(check.name),
                      fmt::format("{} connections may each send {} to {} and together fill {} of its "
                                  "switch's buffer, but a single congested group goes XOFF at {}, so PFC "
                                  "may fire",
                                  incast.connections, FormatBytes(incast.each), incast.at,
                                  FormatBytes(incast.buffered), FormatBytes(incast.xoff)),
                      change});
}

}  // namespace

ServicesChecks CheckServices(const Fabric& fabric, const std::vector<SwitchClass>& switches,
                             Findings& findings) {
  const Scenario& s = fabric.scenario();
  ServicesChecks checks;
  std::vector<IoWorkload> workloads;
  for (const WorkloadParameters& w : s.workloads)
    if (const IoArrivals* const io = w.arrivals->AsIos())
      workloads.emplace_back(fabric, w, s.services[io->service]);
  for (uint32_t i = 0; i < s.services.size(); ++i) {
    const StorageParameters& p = s.services[i];
    ServiceCheck check = ServiceOf(p, fabric);
    std::vector<const IoWorkload*> users;
    for (const IoWorkload& w : workloads)
      if (w.io().service == i) users.push_back(&w);
    if (users.empty())
      findings.push_back({Severity::warning, OfService(p.name),
                          "no workload of type io, fio or trace uses it, so it stays idle",
                          fmt::format("workloads: [{{type: io, service: {}, …}}]", p.name)});
    Bytes each;
    for (const bool to_nodes : {true, false}) {
      if (p.back) break;  // front ends and partition servers are in between
      const Coming coming = ComingTo(to_nodes, users);
      each = std::max(each, coming.each);
      if (coming.all.v == 0) continue;
      auto incast =
          IncastTo(to_nodes ? p.extent_nodes : p.compute, coming, p.front.priority, fabric, switches);
      if (!incast) continue;
      incast->to_nodes = to_nodes;
      JudgeIncast(check, *incast, findings);
      check.incasts.push_back(*incast);
    }
    const int64_t cores = s.hosts[p.extent_nodes.front()].cores;
    check.data_bytes = each * ((static_cast<int64_t>(check.compute) + cores - 1) / cores);
    JudgePool(check, findings);
    CheckPlacement(p, s.topology, findings);
    if (p.failover) checks.failovers.push_back(CheckFailover(fabric, p, users, findings));
    checks.services.push_back(check);
  }
  for (const IoWorkload& w : workloads) {
    JudgeIo(w, fabric, findings);
    checks.ios.push_back(w.check());
  }
  checks.keys = CheckKeys(fabric, findings);
  CheckConnections(s, findings);
  CheckBrpc(fabric, findings);
  CheckSendReceive(fabric, findings);
  CheckTensors(fabric, findings);
  return checks;
}

}  // namespace headroom
