#include "analysis/bounds/flows.h"

#include <algorithm>
#include <map>

#include "workload/bursts.h"
#include "workload/generator.h"
#include "workload/source_port.h"

namespace headroom {
namespace {

/// Messages onto queue pairs, as Traffic does it.
class QueuePairs {
 public:
  QueuePairs(const WorkloadParameters& workload, const Fabric& fabric)
      : workload_(workload), fabric_(fabric) {}

  void Offer(NodeId from, NodeId to, uint8_t priority, double bytes) {
    Pair& pair = pairs_[{from, to, priority}];
    const uint32_t turn = pair.messages++;
    if (!workload_.qp_per_message && turn >= static_cast<uint32_t>(workload_.qps_per_pair)) {
      flows_[pair.flows[turn % static_cast<uint32_t>(workload_.qps_per_pair)]].bytes += bytes;
      return;
    }
    pair.flows.push_back(flows_.size());
    flows_.push_back({from, to,
                      SourcePort(workload_.name, fabric_.node(from).name, fabric_.node(to).name, turn), bytes,
                      priority});
  }
  size_t size() const { return flows_.size(); }
  std::vector<Flow> Take() { return std::move(flows_); }

 private:
  struct Pair {
    std::vector<size_t> flows;
    uint32_t messages = 0;
  };
  const WorkloadParameters& workload_;
  const Fabric& fabric_;
  std::map<std::tuple<NodeId, NodeId, uint8_t>, Pair> pairs_;
  std::vector<Flow> flows_;
};

bool Contains(const std::vector<NodeId>& hosts, NodeId host) {
  return std::ranges::find(hosts, host) != hosts.end();
}

struct Offerer {
  const WorkloadParameters& workload;
  const Fabric& fabric;
  size_t most;
  QueuePairs& pairs;

  void operator()(const PoissonArrivals&) const {}
  void operator()(const IncastArrivals& a) const {
    const NodeId to = a.to.front();
    std::vector<NodeId> from = Neighbourhoods(fabric.topology(), a.from, a.scope).Of(to);
    std::erase(from, to);
    if (a.fan_in > 0 && static_cast<size_t>(a.fan_in) < from.size())
      from.resize(static_cast<size_t>(a.fan_in));
    for (const NodeId h : from) pairs.Offer(h, to, workload.priority, static_cast<double>(a.size.v));
  }
  void operator()(const PermutationArrivals& a) const {
    for (const auto& m : PermutationMessages(a, workload.name))
      pairs.Offer(m.from, m.to, workload.priority, static_cast<double>(m.size.v));
  }
  void operator()(const StreamArrivals& a) const {
    for (const NodeId from : a.from) {
      for (const NodeId to : a.to) {
        for (int i = 0; from != to && i < a.in_flight && pairs.size() <= most; ++i)
          pairs.Offer(from, to, workload.priority, 0);
      }
    }
  }
  void operator()(const PostingArrivals& a) const {
    for (const NodeId from : a.from) {
      for (const NodeId to : a.to) {
        if (from != to && pairs.size() <= most) pairs.Offer(from, to, workload.priority, 0);
      }
    }
  }
  void operator()(const IoArrivals& a) const {
    for (const NodeId from : a.from) {
      for (const NodeId to : a.to) {
        if (from == to || pairs.size() > most) continue;
        if (a.reads < 1) pairs.Offer(from, to, workload.priority, 0);
        if (a.reads > 0) pairs.Offer(to, from, workload.priority, 0);
      }
    }
  }
  void operator()(const KeyValueArrivals& a) const {
    for (const NodeId from : a.from) {
      for (const NodeId to : a.to) {
        if (from == to || pairs.size() > most) continue;
        pairs.Offer(from, to, workload.priority, 0);
        pairs.Offer(to, from, workload.priority, 0);
      }
    }
  }
  void operator()(const TransferArrivals& a) const {
    for (const NodeId from : a.from) {
      for (const NodeId to : a.to) {
        if (from == to || pairs.size() > most) continue;
        if (a.kind != OperationKind::read) pairs.Offer(from, to, workload.priority, 0);
        if (a.kind == OperationKind::read) pairs.Offer(to, from, workload.priority, 0);
      }
    }
  }
  void operator()(const ListArrivals& a) const {
    for (const auto& m : a.messages)
      if (m.from != m.to)
        pairs.Offer(m.from, m.to, m.priority.value_or(workload.priority), static_cast<double>(m.size.v));
  }
};

struct Asker {
  const WorkloadParameters& workload;
  const Fabric& fabric;
  NodeId from, to;

  bool operator()(const PoissonArrivals& a) const {
    return Contains(a.from, from) && Contains(Neighbourhoods(fabric.topology(), a.to, a.scope).Of(from), to);
  }
  bool operator()(const IncastArrivals& a) const {
    return Contains(a.to, to) && Contains(Neighbourhoods(fabric.topology(), a.from, a.scope).Of(to), from);
  }
  bool operator()(const PermutationArrivals& a) const { return Sends(PermutationMessages(a, workload.name)); }
  bool operator()(const StreamArrivals& a) const { return Contains(a.from, from) && Contains(a.to, to); }
  bool operator()(const PostingArrivals& a) const { return Contains(a.from, from) && Contains(a.to, to); }
  bool operator()(const IoArrivals& a) const {
    return (a.reads < 1 && Contains(a.from, from) && Contains(a.to, to)) ||
           (a.reads > 0 && Contains(a.from, to) && Contains(a.to, from));
  }
  bool operator()(const KeyValueArrivals& a) const {
    return (Contains(a.from, from) && Contains(a.to, to)) || (Contains(a.from, to) && Contains(a.to, from));
  }
  bool operator()(const TransferArrivals& a) const {
    return a.kind == OperationKind::read ? Contains(a.from, to) && Contains(a.to, from)
                                         : Contains(a.from, from) && Contains(a.to, to);
  }
  bool operator()(const ListArrivals& a) const { return Sends(a.messages); }

  bool Sends(const std::vector<ListArrivals::Message>& messages) const {
    return std::ranges::any_of(messages, [&](const auto& m) { return m.from == from && m.to == to; });
  }
};

}  // namespace

std::vector<Flow> FlowsOf(const WorkloadParameters& workload, const Fabric& fabric, size_t most) {
  QueuePairs pairs(workload, fabric);
  std::visit(Offerer{workload, fabric, most, pairs}, workload.arrivals);
  return pairs.size() > most ? std::vector<Flow>() : pairs.Take();
}

bool StaysAtHome(const WorkloadParameters& workload) {
  if (const auto* stream = std::get_if<StreamArrivals>(&workload.arrivals)) return stream->Loopback();
  const auto* list = std::get_if<ListArrivals>(&workload.arrivals);
  return list != nullptr && std::ranges::all_of(list->messages, [](const auto& m) { return m.from == m.to; });
}

bool MaySend(const WorkloadParameters& workload, const Fabric& fabric, NodeId from, NodeId to) {
  return from != to && std::visit(Asker{workload, fabric, from, to}, workload.arrivals);
}

}  // namespace headroom
