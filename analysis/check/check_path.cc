#include "analysis/check/check_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "analysis/bounds/flows.h"
#include "analysis/bounds/ideal_path.h"
#include "analysis/bounds/service_ports.h"
#include "scenario/names.h"
#include "scenario/packet_headers.h"
#include "workload/nic_rule.h"
#include "workload/source_port.h"

namespace headroom {
namespace {

NodeId HostNamed(const Topology& topology, const std::string& name) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = name;
  node.where.file = std::make_shared<SourceFile>(SourceFile{"--path", {}, 0, true});
  const NodeNames names(topology);
  const NodeId host = names.Host(node);
  return names.met().hosts ? names.AnyNode(node) : host;  // with several NICs, this names them
}

struct Use {
  std::string by;
  uint16_t source_port;
};

/// The source port of its first message from host to host, if the scenario gives it.
std::optional<uint16_t> PortOfFirst(const WorkloadParameters& w, NodeId from, NodeId to) {
  const auto messages = w.qp_per_message ? w.arrivals->Listed(w) : std::nullopt;
  if (!messages) return std::nullopt;
  const auto first =
      std::ranges::find_if(*messages, [&](const ListedMessage& m) { return m.from == from && m.to == to; });
  return first == messages->end() ? std::nullopt : first->source_port;
}

std::vector<Use> UsesOf(const Fabric& fabric, NodeId from, NodeId to) {
  std::vector<Use> uses;
  bool services = false;
  for (const WorkloadParameters& w : fabric.scenario().workloads) {
    if (!MaySend(w, fabric, from, to)) continue;
    if (w.arrivals->Asks()) {
      const size_t before = uses.size();
      ForEachPort(w, fabric.scenario(), [&](NodeId a, NodeId b, uint32_t number, uint16_t port) {
        if (a == from && b == to) uses.push_back({fmt::format("{}, queue pair {}", w.name, number), port});
      });
      services |= uses.size() == before;
      continue;
    }
    if (const auto port = PortOfFirst(w, from, to)) {
      uses.push_back({w.name + ", first message", *port});
      continue;
    }
    const int pairs = w.qp_per_message ? 1 : w.qps_per_pair;
    const NicRule& rule = w.arrivals->nic;
    for (int i = 0; i < pairs; ++i) {
      const NicEnds nics = NicsOf(fabric.topology(), w, SenderOf(fabric.topology(), rule, from),
                                  SenderOf(fabric.topology(), rule, to), static_cast<uint32_t>(i));
      if (nics != NicEnds{from, to}) continue;  // this queue pair uses other NICs of the hosts
      const std::string what = w.qp_per_message ? "first message" : fmt::format("queue pair {}", i);
      uses.push_back({w.name + ", " + what, SourcePort(w.name, fabric.node(from).name, fabric.node(to).name,
                                                       static_cast<uint32_t>(i))});
    }
  }
  if (uses.empty())
    uses.push_back({std::string(services ? "the queue pairs of this service choose their ports in a run"
                                         : "no workload sends on this path") +
                        "; the times are for a flow from UDP port 49152",
                    0xC000});
  return uses;
}

std::vector<PathStep> StepsOf(const Fabric& fabric, NodeId to, const std::vector<PathHop>& path) {
  const Scenario& s = fabric.scenario();
  const FrameFormat frames = FramesOf(s, path.front().from.node);
  const Bytes frame = frames.OnWire(frames.Data(s.mtu, true));
  const bool balanced = s.nics[path.front().from.node].transport.balancing.Chooses();
  std::vector<PathStep> steps;
  Time arrival;
  for (const PathHop& hop : path) {
    const NodeId node = hop.from.node;
    const LinkSpec& link = fabric.LinkOf(hop).spec;
    const auto set = fabric.routes()[node].NextHops(to);
    std::vector<uint16_t> ports(set.begin(), set.end());  // weights repeat them
    ports.erase(std::ranges::unique(ports).begin(), ports.end());
    const auto at = std::ranges::find(ports, static_cast<uint16_t>(hop.from.port_index));
    const bool splits =
        !fabric.node(node).is_host && (balanced || s.switches[node - s.topology.hosts].routing.Splits());
    PathStep step{.from = fabric.node(node).name,
                  .from_port = hop.from.port,
                  .to = fabric.node(hop.to.node).name,
                  .to_port = hop.to.port,
                  .rate = link.rate,
                  .delay = link.delay + link.phy,
                  .latency = {},
                  .choice = static_cast<size_t>(at - ports.begin()) + 1,
                  .choices = ports.size(),
                  .any = splits && ports.size() > 1,
                  .arrival = {}};
    step.latency =
        fabric.node(node).is_host ? s.nics[node].tx_latency : s.switches[node - s.topology.hosts].transit();
    arrival += step.latency + IdealHops(s, {hop}).front().Takes(frame) + step.delay;
    step.arrival = arrival;
    steps.push_back(std::move(step));
  }
  return steps;
}

/// One of the paths: the first.
std::vector<PathHop> OneOf(const FlowHops& hops, NodeId from) {
  std::vector<PathHop> path;
  for (const std::vector<FlowHop>& at : hops) {
    const auto next = std::ranges::find(at, from, [](const FlowHop& w) { return w.hop.from.node; });
    path.push_back(next->hop);
    from = next->hop.to.node;
  }
  return path;
}

bool SamePath(const std::vector<PathStep>& a, const std::vector<PathStep>& b) {
  return std::ranges::equal(a, b, [](const PathStep& x, const PathStep& y) {
    return x.from == y.from && x.from_port == y.from_port;
  });
}

}  // namespace

std::vector<PathCheck> CheckPath(const Fabric& fabric, const std::string& from_name,
                                 const std::string& to_name) {
  const NodeId from = HostNamed(fabric.topology(), from_name), to = HostNamed(fabric.topology(), to_name);
  if (from == to) throw std::invalid_argument("--path: there is no path from a host to itself");
  std::vector<PathCheck> paths;
  for (const Use& use : UsesOf(fabric, from, to)) {
    const FlowHops hops = fabric.flow_paths().Of(from, to, use.source_port);
    const std::vector<PathHop> there = OneOf(hops, from);
    const std::vector<PathHop> back = OneOf(fabric.flow_paths().Of(to, from, use.source_port), to);
    std::vector<PathStep> steps = StepsOf(fabric, to, there);
    const auto known =
        std::ranges::find_if(paths, [&](const PathCheck& p) { return SamePath(p.steps, steps); });
    if (known != paths.end()) {
      known->used_by.push_back(use.by);
      continue;
    }
    PathCheck path{.used_by = {use.by},
                   .source_port = use.source_port,
                   .steps = std::move(steps),
                   .paths = CountPaths(hops),
                   .rtt = {}};
    if (!there.empty() && !back.empty())
      path.rtt = IdealCompletion(IdealPathOf(fabric.scenario(), there, back), Bytes(fabric.scenario().mtu));
    paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace headroom
