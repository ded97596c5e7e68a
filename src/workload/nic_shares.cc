#include "workload/nic_shares.h"

#include <algorithm>
#include <map>
#include <utility>

#include "workload/nic_rule.h"
#include "workload/parameters.h"

namespace headroom {

namespace {

/// Divides the messages between two hosts over their queue pairs. Listed messages take these in turn; of
/// others, each carries an equal share.
class SharesOfNics final : public ShareSink {
 public:
  SharesOfNics(const WorkloadParameters& workload, const Topology& topology, ShareSink& sink)
      : workload_(workload),
        topology_(topology),
        sink_(sink),
        listed_(workload.arrivals->Listed(workload).has_value()) {}

  void Add(NodeId from, NodeId to, double amount) override {
    if (listed_) {
      const uint32_t turn = messages_[{from, to}]++;
      Give(from, to, workload_.qp_per_message ? turn : turn % static_cast<uint32_t>(workload_.qps_per_pair),
           amount);
      return;
    }
    const uint32_t queue_pairs = workload_.qp_per_message
                                     ? topology_.nodes[from].nics * topology_.nodes[to].nics * kDraws
                                     : static_cast<uint32_t>(workload_.qps_per_pair);
    for (uint32_t q = 0; q < queue_pairs; ++q) Give(from, to, q, amount / queue_pairs);
  }

  void AddUniform(const std::vector<std::pair<NodeId, double>>& senders,
                  const std::vector<NodeId>& reach) override {
    for (const auto& [from, weight] : senders) {
      const auto others = static_cast<double>(reach.size() - std::ranges::count(reach, from));
      for (const NodeId to : reach)
        if (to != from) Add(from, to, weight / others);
    }
  }

 private:
  /// Number of messages for each pair of NICs that stand for all messages, if each has its own queue pair.
  static constexpr uint32_t kDraws = 4;

  void Give(NodeId from, NodeId to, uint32_t queue_pair, double amount) {
    const NicEnds nics = NicsOf(topology_, workload_, from, to, queue_pair);
    sink_.Add(nics.src, nics.dst, amount);
  }

  const WorkloadParameters& workload_;
  const Topology& topology_;
  ShareSink& sink_;
  bool listed_;
  std::map<std::pair<NodeId, NodeId>, uint32_t> messages_;
};

}  // namespace

void AddSharesOfNics(const WorkloadParameters& workload, const HostView& hosts, ShareSink& sink) {
  const Topology& topology = *hosts.topology;
  if (workload.arrivals->nic.kind == NicRule::Kind::named || !topology.HasSeveralNics())
    return workload.arrivals->AddShares(workload, hosts, sink);
  SharesOfNics nics(workload, topology, sink);
  workload.arrivals->AddShares(workload, hosts, nics);
}

}  // namespace headroom
