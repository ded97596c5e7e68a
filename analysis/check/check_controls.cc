#include "analysis/check/check_controls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "dcqcn/generations.h"
#include "protocol/brpc/brpc_parameters.h"
#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/yaml/parse_yaml.h"

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

void AddUnused(const std::string& service, const Texts& keys, const char* transport, Findings& findings) {
  if (keys.empty()) return;
  findings.push_back(
      {Finding::Severity::warning,
       "service " + service,
       fmt::format("{} {} no effect with transport: {}; only RDMA uses {}", fmt::join(keys, ", "),
                   keys.size() == 1 ? "has" : "have", transport, keys.size() == 1 ? "it" : "them"),
       {Remedy{fmt::format("services.{}.transport=rdma", service)}}});
}

void JudgeUnusedOfServices(const Scenario& s, Findings& findings) {
  for (const KeyValueParameters& p : s.key_values) {
    const bool redis = p.system == KeyValueSystem::redis;
    if (redis && p.redis.transport != RedisTransport::rdma && p.redis.buffer != RedisParameters().buffer)
      AddUnused(p.name, {"buffer"}, RedisTransportName(p.redis.transport), findings);
  }
  for (const OwnServiceParameters& p : s.own_services) {
    if (!p.settings || p.type != "brpc" || p.settings->OnQueuePairs()) continue;
    const BrpcParameters &own = p.settings.As<BrpcParameters>(), standard;
    Texts keys;
    if (own.block != standard.block) keys.push_back("block");
    if (own.queues.sq != standard.queues.sq) keys.push_back("sq");
    if (own.queues.rq != standard.queues.rq) keys.push_back("rq");
    AddUnused(p.name, keys, "tcp", findings);
  }
}

}  // namespace

void JudgeControls(const Fabric& fabric, Findings& findings) {
  JudgeUnusedPoints(fabric.scenario(), findings);
  JudgeUnusedOfServices(fabric.scenario(), findings);
}

}  // namespace headroom
