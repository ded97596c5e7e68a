// Type permutation: every host sends to another, and no host receives from two.
#include "workload/types/permutation.h"

#include <algorithm>
#include <string>

#include "scenario/keys/workloads/workload_keys.h"
#include "sim/random.h"
#include "workload/parameters.h"
#include "workload/types/line_limits.h"
#include "workload/types/listed_messages.h"

namespace headroom {

namespace {

class PermutationType final : public ArrivalsOf<PermutationType, PermutationArrivals, ListedMessages> {
 public:
  using ArrivalsOf::ArrivalsOf;
  void StartWith(const std::vector<NodeId>& all) override { a.hosts = all; }

  std::optional<Time> LastArrival() const override { return a.at; }
  Time NeededArrival() const override { return a.at; }
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override {
    return {Alone(hosts, a.size, a.at, a.hosts, a.hosts)};
  }

  void CheckTargets(const TargetCheck& check) const override { check.Paths(a.hosts, a.hosts); }
  std::vector<UnacknowledgedData> Unacknowledged(const WorkloadParameters& workload) const override {
    if (workload.verb != Operation::read_request) return {};
    return {{"READ responses", a.hosts, workload.priority}};
  }
  std::vector<SentByHost> ByHost(const Topology& topology, double) const override {
    std::vector<SentByHost> hosts(topology.hosts);
    for (const NodeId host : a.hosts) hosts[host] = {1, 1};
    return hosts;
  }
  /// A cyclic permutation of the hosts.
  std::optional<std::vector<ListedMessage>> Listed(const WorkloadParameters& workload) const override {
    RandomStream random(workload.name + "/permutation");
    // Sattolo's shuffle makes one cycle through all hosts; each such cycle is equally likely.
    std::vector<NodeId> target = a.hosts;
    for (size_t i = target.size(); i-- > 1;) std::swap(target[i], target[random.Below(i)]);
    std::vector<ListedMessage> messages;
    for (size_t i = 0; i < target.size(); ++i) messages.push_back({a.at, a.hosts[i], target[i], a.size, {}});
    std::ranges::sort(messages, {}, &ListedMessage::from);
    return messages;
  }

  double Expected(const Scenario&) const override { return static_cast<double>(a.hosts.size()); }
  double MeanBytes() const override { return static_cast<double>(a.size.v); }
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(PermutationArrivals a) {
  return std::make_unique<PermutationType>(std::move(a));
}

}  // namespace headroom

namespace headroom::keys {

namespace {

const KeysOf<Workload>& PermutationKeys() {
  using A = PermutationArrivals;
  const auto hosts = [](Workload& w) -> std::vector<NodeId>& { return DataOf<A>(w).hosts; };
  static const KeysOf<Workload> keys = TypeKeys<PermutationType>(
      "permutation", "every host sends to one host and receives from one host, in a random cycle",
      {Of("size", &A::size, Sizes(Bytes(1)), "size of each message", {.required = true}),
       Of("at", &A::at, Times(), "time at which all messages start"),
       {"hosts",
        HostsKind(hosts, &WorkloadSource::from, HostOrder::of_ids),
        "participating hosts",
        {.standard = "\"*\""}}},
      Ends::none, [](const Node& node, Workload& w, Reading& reading) {
        if (DataOf<A>(w).hosts.size() < 2)
          reading.errors.Add(ScenarioError(node.where, "the permutation has fewer than two hosts"));
      });
  return keys;
}

const RegisteredType kPermutation({.place = 3, .keys = PermutationKeys});

}  // namespace

}  // namespace headroom::keys
