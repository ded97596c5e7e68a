#include "scenario/memory/paused_share.h"

#include <algorithm>
#include <array>
#include <optional>

#include "workload/types/incast.h"
#include "workload/types/poisson.h"

namespace headroom {

namespace {

/// Line rates in bytes per second: of each host; of each switch, to hosts and to switches.
struct Lines {
  std::vector<double> host, to_hosts, to_switches;
  std::vector<std::vector<NodeId>> racks;  ///< indexed by host: the switch of each port
};
Lines LinesOf(const Topology& topology) {
  const uint32_t hosts = topology.hosts;
  const size_t switches = topology.nodes.size() - hosts;
  Lines lines{std::vector<double>(hosts), std::vector<double>(switches), std::vector<double>(switches),
              std::vector<std::vector<NodeId>>(hosts)};
  for (const TopologyLink& link : topology.links) {
    const double rate = static_cast<double>(link.spec.rate.v) / 8;
    for (const auto& [at, to] : {std::pair(link.a.node, link.b.node), std::pair(link.b.node, link.a.node)}) {
      if (at < hosts) {
        lines.host[at] += rate;
        if (to >= hosts) lines.racks[at].push_back(to - hosts);
      } else {
        (to < hosts ? lines.to_hosts : lines.to_switches)[at - hosts] += rate;
      }
    }
  }
  return lines;
}

/// Whether the class has queues that pause instead of dropping frames.
bool Pauses(const Scenario& s, uint8_t priority, double burst) {
  constexpr double kOfBuffer = 1.0 / 8;  // the share that one group fills before it pauses
  return s.classes[priority].lossless && std::ranges::any_of(s.switches, [&](const SwitchParameters& sw) {
           return sw.pfc.enabled && burst > kOfBuffer * static_cast<double>(sw.buffer.size.v);
         });
}

double OfBursts(const Scenario& s, const Lines& lines) {
  double share = 0;
  for (const WorkloadParameters& w : s.workloads) {
    const IncastArrivals* const incast = w.arrivals->AsBursts();
    if (incast == nullptr) continue;
    const double payload = w.arrivals->Expected(s) * static_cast<double>(incast->size.v);
    const double drained = lines.host[incast->to.front()] * InSeconds(s.duration);
    if (Pauses(s, w.priority, payload / std::max(1, incast->count)) && drained > 0)
      share += payload / drained;
  }
  return share;
}

/// Whether senders learn of congestion, and react to it.
bool SlowsDown(const Scenario& s, uint8_t priority) {
  const auto marks = [&](const SwitchParameters& sw) {
    return sw.ecn[priority].has_value() || !sw.qos.empty();
  };
  return std::ranges::all_of(
             s.nics, [&](const NicParameters& nic) { return nic.Reacts(priority) || nic.HasControl(); }) &&
         std::ranges::all_of(s.switches, marks);
}

/// Bytes per second that open loops send on lines.
struct Offered {
  std::vector<double> to_host, out_of_rack, into_rack;
};
void Add(const PoissonArrivals& a, double wire, const Lines& lines, Offered& offered) {
  const auto all = static_cast<double>(a.to.size());
  std::vector<double> targets(offered.into_rack.size()), sent(targets.size());
  const auto spread = [&lines](NodeId host, double amount, std::vector<double>& over) {
    for (const NodeId rack : lines.racks[host])
      over[rack] += amount / static_cast<double>(lines.racks[host].size());
  };
  for (const NodeId host : a.to) spread(host, 1 / all, targets);
  double bytes = 0;
  for (const NodeId from : a.from) {
    bytes += a.load * lines.host[from] * wire;
    spread(from, a.load * lines.host[from] * wire, sent);
  }
  for (const NodeId to : a.to) offered.to_host[to] += bytes / all;
  for (size_t rack = 0; rack < targets.size() && a.scope != Scope::rack; ++rack) {
    offered.out_of_rack[rack] += sent[rack] * (1 - targets[rack]);
    offered.into_rack[rack] += (bytes - sent[rack]) * targets[rack];
  }
}

/// Whether the load of all workloads, or of those that do not slow down, exceeds capacity.
bool IsOverloaded(const Scenario& s, const Lines& lines, bool all) {
  Offered offered{std::vector<double>(lines.host.size()), std::vector<double>(lines.to_hosts.size()),
                  std::vector<double>(lines.to_hosts.size())};
  const double wire =
      static_cast<double>(s.frames.OnWire(s.frames.Data(s.mtu, false)).v) / static_cast<double>(s.mtu);
  std::array<std::optional<bool>, kPriorities> slows;
  const auto slows_down = [&](uint8_t priority) {
    if (!slows[priority]) slows[priority] = SlowsDown(s, priority);
    return *slows[priority];
  };
  for (const WorkloadParameters& w : s.workloads) {
    const PoissonArrivals* const poisson = w.arrivals->AsLoad();
    if (poisson == nullptr || (!all && slows_down(w.priority))) continue;
    if (Pauses(s, w.priority, w.arrivals->Expected(s) * w.arrivals->MeanBytes()))
      Add(*poisson, wire, lines, offered);
  }
  for (size_t i = 0; i < lines.host.size(); ++i)
    if (offered.to_host[i] > lines.host[i]) return true;
  for (size_t i = 0; i < lines.to_switches.size(); ++i) {
    const double up = lines.to_switches[i];
    if (up > 0 && std::max(offered.out_of_rack[i], offered.into_rack[i]) > up) return true;
  }
  return false;
}

}  // namespace

double PausedShareOf(const Scenario& s) {
  const Lines lines = LinesOf(s.topology);
  const double bursts = OfBursts(s, lines);
  if (bursts >= 1 || IsOverloaded(s, lines, false)) return 1;
  // Messages also wait at senders that slow down, while queues pause occasionally.
  constexpr double kControlled = 0.5;
  return IsOverloaded(s, lines, true) ? std::max(bursts, kControlled) : bursts;
}

}  // namespace headroom
