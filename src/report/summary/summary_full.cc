// Part of summary_sections.h: the resources that were full.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/summary/summary_sections.h"
#include "workload/nic_shares.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// The hosts that send and receive a workload's messages.
class HostsOfShares final : public ShareSink {
 public:
  void Add(NodeId from, NodeId to, double amount) override {
    if (amount <= 0) return;
    from_.insert(from);
    to_.insert(to);
  }
  void AddUniform(const std::vector<std::pair<NodeId, double>>& senders,
                  const std::vector<NodeId>& reach) override {
    for (const auto& [sender, weight] : senders) from_.insert(sender);
    to_.insert(reach.begin(), reach.end());
  }
  bool Sends(NodeId host) const { return from_.contains(host); }
  bool Receives(NodeId host) const { return to_.contains(host); }
  bool Has(NodeId host) const { return Sends(host) || Receives(host); }

 private:
  std::set<NodeId> from_, to_;
};

/// The resources of a workload, by kind: the one that was full longest, and how many were full.
class FullResources {
 public:
  FullResources(const Scenario& scenario, const RunRecord& record, size_t workload)
      : scenario_(scenario), record_(record), workload_(workload), alone_(scenario.workloads.size() == 1) {
    HostView hosts;
    hosts.SetTopology(scenario.topology);
    hosts.duration = scenario.duration;
    hosts.warmup = scenario.warmup;
    AddSharesOfNics(of(), hosts, hosts_);
    AddCores();
    if (OffersOperations(of())) AddUses();
    AddLinks();
    if (found_.empty() && OffersOperations(of())) AddDepth();
  }

  void WriteTo(ordered_json& list) const {
    for (const auto& [resource, found] : found_)
      list.push_back({{"workload", of().name},
                      {"resource", resource},
                      {"at", found.at},
                      {"share", found.share},
                      {"places", found.places}});
  }

 private:
  struct Found {
    std::string at;
    double share = 0;
    int places = 0;
  };
  const WorkloadParameters& of() const { return scenario_.workloads[workload_]; }
  const std::string& NameOf(NodeId node) const { return scenario_.topology.nodes[node].name; }

  void Add(const std::string& resource, const std::string& at, double busy_s, double span_s) {
    if (span_s <= 0) return;
    const double share = std::min(1.0, busy_s / span_s);
    if (share < kFullShare) return;
    Found& found = found_[resource];
    ++found.places;
    if (share > found.share) {
      found.at = at;
      found.share = share;
    }
  }

  /// Of services' hosts, and of the workload's own posting loops.
  void AddCores() {
    for (const CoreRecord& core : record_.cores) {
      const bool own = core.workload == static_cast<int>(workload_);
      const bool of_services = core.workload < 0 && OffersOperations(of());
      if (!own && !(of_services && (alone_ || hosts_.Has(core.host)))) continue;
      Add(own ? "thread" : "core", NameOf(core.host) + '/' + std::to_string(core.core),
          InSeconds(core.busy()), InSeconds(core.span));
    }
  }
  void AddUses() {
    for (const ResourceUse& use : record_.services.at(ServiceOf(of()))->Uses()) {
      std::string at = NameOf(use.host);
      if (use.kind == ResourceUse::Kind::thread) at += '/' + std::to_string(use.number);
      Add(ResourceName(use.kind), at, InSeconds(use.busy), InSeconds(use.span));
    }
  }

  /// Ports to and from the workload's hosts; all ports, if no other workload exists.
  void AddLinks() {
    std::map<std::pair<NodeId, uint16_t>, std::string> ports;
    const auto add = [&](const LinkEnd& from, const LinkEnd& to) {
      if (alone_ || hosts_.Sends(from.node) || hosts_.Receives(to.node))
        ports[{from.node, from.port_index}] = NameOf(from.node) + ':' + from.port;
    };
    for (const TopologyLink& link : scenario_.topology.links) {
      add(link.a, link.b);
      add(link.b, link.a);
    }
    const double span = InSeconds(record_.end - scenario_.warmup);
    for (const PortRecord& port : record_.ports) {
      const auto at = ports.find({port.node, port.port});
      if (at == ports.end() || port.rate.v == 0) continue;
      double bits = 0;
      for (const PortPriorityCounters& c : port.priority) bits += 8.0 * static_cast<double>(c.tx_wire_bytes);
      Add("link", at->second, bits / static_cast<double>(port.rate.v), span);
    }
  }

  /// A closed loop has its depth open unless it thinks, so it is a limit only where nothing else is.
  void AddDepth() {
    const std::optional<double> depth = of().arrivals->Depth();
    if (!depth) return;
    Time held, span;
    for (const OperationTotals& totals : record_.operation_totals[workload_]) {
      held += totals.held;
      span = std::max(span, totals.span);
    }
    Add("depth", fmt::format("{:.0f} open operations", *depth), InSeconds(held), *depth * InSeconds(span));
  }

  const Scenario& scenario_;
  const RunRecord& record_;
  const size_t workload_;
  const bool alone_;
  HostsOfShares hosts_;
  std::map<std::string, Found> found_;  ///< keyed by resource
};

}  // namespace

ordered_json SummariseFull(const Scenario& scenario, const RunRecord& record) {
  auto list = ordered_json::array();
  for (size_t w = 0; w < scenario.workloads.size(); ++w) FullResources(scenario, record, w).WriteTo(list);
  return list;
}

}  // namespace headroom
