#include "analysis/check/check_controls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/bounds/flows.h"
#include "analysis/bounds/tcp_cost.h"
#include "analysis/bounds/traffic_shares.h"
#include "congestion/control.h"
#include "dcqcn/generations.h"
#include "report/text/text_table.h"
#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/yaml/parse_yaml.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

using Control = NicParameters::CongestionControl;
using Texts = std::vector<std::string>;

/// Adds the keys whose values differ, as "rp.max_rate: 10Gbps".
void AddDifferences(const Node& own, const Node& standard, const std::string& key, Texts& out) {
  if (!own.IsMap()) {
    if (ToFlow(own) != ToFlow(standard)) out.push_back(key + ": " + ToFlow(own));
    return;
  }
  for (const Entry& entry : own.entries) {
    const Node* const other = standard.Find(entry.key);
    const std::string inside = key.empty() ? entry.key : key + "." + entry.key;
    other != nullptr ? AddDifferences(entry.value, *other, inside, out)
                     : out.push_back(inside + ": " + ToFlow(entry.value));
  }
}

/// The keys of reaction and notification points that differ from those of the NIC's generation.
Texts KeysOfPoints(const NicParameters& nic) {
  NicParameters standard = nic;
  standard.dcqcn = FindGeneration(nic.generation).value().dcqcn;
  standard.dcqcn.limiter = nic.dcqcn.limiter;  // other controls use it, too
  if (standard.dcqcn == nic.dcqcn) return {};
  const auto tree = [](const NicParameters& n) {
    return ParseYaml(keys::DcqcnKeys().WriteLines(&n, {}), nullptr);
  };
  Texts texts;
  AddDifferences(tree(nic), tree(standard), "", texts);
  return texts;
}

std::string ControlName(const NicParameters& nic) { return nic.HasControl() ? nic.control->name() : "none"; }

/// Notification points work only for DCQCN.
void JudgeUnusedPoints(const Scenario& s, Findings& findings) {
  std::map<std::pair<std::string, Texts>, Texts> hosts;  // by control and keys
  const NicParameters* last = nullptr;
  for (NodeId host = 0; host < s.topology.hosts; ++host) {
    const NicParameters& nic = s.nics[host];
    if (nic.congestion_control == Control::dcqcn) continue;
    const bool same = last != nullptr && last->dcqcn == nic.dcqcn && last->generation == nic.generation;
    if (same && hosts.empty()) continue;  // defaults, as before
    last = &nic;
    if (Texts keys = KeysOfPoints(nic); !keys.empty())
      hosts[{ControlName(nic), std::move(keys)}].push_back(s.topology.nodes[host].name);
  }
  for (const auto& [of, names] : hosts) {
    const auto& [control, keys] = of;
    findings.push_back(
        {Finding::Severity::warning,
         fmt::format("nics (as {})", names.front()),
         fmt::format(
             "dcqcn: {{{}}} has no effect at {} host{} with congestion_control: {}; only DCQCN reads it",
             fmt::join(keys, ", "), names.size(), names.size() == 1 ? "" : "s", control),
         {Remedy{"nics.*.congestion_control=dcqcn"}}});
  }
}

void JudgeUnusedOfServices(const Scenario& s, Findings& findings) {
  for (const AnyService& p : s.services) {
    const auto [keys, transport] = p->Unused();
    if (keys.empty()) continue;
    findings.push_back(
        {Finding::Severity::warning,
         "service " + p->name,
         fmt::format("{} {} no effect with transport: {}; only RDMA uses {}", fmt::join(keys, ", "),
                     keys.size() == 1 ? "has" : "have", transport, keys.size() == 1 ? "it" : "them"),
         {Remedy{fmt::format("services.{}.transport=rdma", p->name)}}});
  }
}

/// The delay target of a sender's control, if the path to `to` exceeds it when idle.
std::optional<DelayTarget> ExceededTarget(const Fabric& fabric, NodeId from, NodeId to) {
  constexpr uint16_t kSourcePort = 0xC000;
  const Scenario& s = fabric.scenario();
  const FlowHops there = fabric.flow_paths().Of(from, to, kSourcePort),
                 back = fabric.flow_paths().Of(to, from, kSourcePort);
  if (there.empty() || back.empty()) return std::nullopt;
  const auto data = ShortestHops(s, there), acks = ShortestHops(s, back);
  const ControlPath path = ControlPathOf(s, from, to, data, acks);
  const Time in_hosts = s.nics[from].rx_latency + s.nics[to].rx_latency;
  const auto target = s.nics[from].control->target(
      path, {path.round_trip - data.front().latency, in_hosts, static_cast<int>(data.size()) - 1});
  return target && target->idle > target->target ? target : std::nullopt;
}

/// With a target below the delay of an idle path, a control slows down without any queue. Hosts of a rack
/// are alike, so one of them stands for all.
void JudgeTargets(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  const auto controlled = [&](NodeId host) { return s.nics[host].HasControl(); };
  if (!HasControls(s)) return;
  struct Worst {
    DelayTarget target;
    NodeId from = 0, to = 0;
  };
  std::map<std::pair<std::string, std::string>, Worst> worst;  // by control and key
  std::set<std::pair<NodeId, NodeId>> seen;
  const auto racks = static_cast<uint32_t>(fabric.racks().size());
  for (const WorkloadParameters& w : s.workloads) {
    if (IsOverTcp(s, w)) continue;
    const TrafficShares shares = SharesOf(w, fabric, controlled);
    std::vector<std::vector<NodeId>> senders(racks), receivers(racks);
    for (NodeId host = 0; host < s.topology.hosts; ++host) {
      const uint32_t rack = fabric.RackOf(host);
      if (shares.out[host] > 0 && senders[rack].empty()) senders[rack].push_back(host);
      if (shares.in[host] > 0 && receivers[rack].size() < 2) receivers[rack].push_back(host);
    }
    for (uint32_t i = 0; i < racks * racks; ++i) {
      if (shares.between[i] <= 0) continue;
      for (const NodeId from : senders[i / racks]) {
        for (const NodeId to : receivers[i % racks]) {
          if (from == to || !seen.insert({from, to}).second) continue;
          const auto target = ExceededTarget(fabric, from, to);
          if (!target) continue;
          Worst& w_of = worst[{s.nics[from].control->name(), target->key}];
          if (target->idle - target->target > w_of.target.idle - w_of.target.target)
            w_of = {*target, from, to};
        }
      }
    }
  }
  for (const auto& [of, w] : worst) {
    const auto us = [](Time t) { return FormatReadable(InMicroseconds(t)); };
    const auto& [control, key] = of;
    const Time excess = w.target.idle - w.target.target;
    const std::string value =
        FormatTime(Microseconds((w.target.value + excess + excess / 4) / Microseconds(1) + 1));
    findings.push_back(
        {Finding::Severity::warning,
         fmt::format("nics (as {})", fabric.node(w.from).name),
         fmt::format("the target delay of {}, {} µs ({}), is below {} µs, the delay of the idle path to {}: "
                     "senders slow down without any queue",
                     control, us(w.target.target), key, us(w.target.idle), fabric.node(w.to).name),
         {Remedy{fmt::format("nics.*.congestion_control.{}={}", key, value)},
          Remedy{fmt::format("nics.*.congestion_control={{type: {}, {}: {}}}", control, key, value)}}});
  }
}

}  // namespace

void JudgeControls(const Fabric& fabric, Findings& findings) {
  JudgeUnusedPoints(fabric.scenario(), findings);
  JudgeUnusedOfServices(fabric.scenario(), findings);
  JudgeTargets(fabric, findings);
}

}  // namespace headroom
