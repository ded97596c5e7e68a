#include "analysis/bounds/flows.h"

#include <algorithm>
#include <map>

#include "analysis/bounds/service_ports.h"
#include "scenario/packet_headers.h"
#include "scenario/send_windows.h"
#include "workload/nic_shares.h"
#include "workload/source_port.h"

namespace headroom {
namespace {

/// Assigns messages to queue pairs, as Traffic does, or to all queue pairs of a service between the hosts.
class QueuePairs final : public FlowSink {
 public:
  QueuePairs(const WorkloadParameters& workload, const Fabric& fabric, size_t most)
      : workload_(workload), fabric_(fabric), most_(most) {
    ForEachPort(workload, fabric.scenario(), [this](NodeId from, NodeId to, uint32_t, uint16_t port) {
      ports_[{from, to}].push_back(port);
    });
  }

  void Offer(NodeId from, NodeId to, uint8_t priority, double bytes,
             std::optional<uint16_t> source_port) override {
    Pair& pair = pairs_[{from, to, priority}];
    if (const auto of_service = ports_.find({from, to}); of_service != ports_.end()) {
      const std::vector<uint16_t>& ports = of_service->second;
      for (size_t i = 0; i < ports.size(); ++i) {
        if (pair.flows.size() == i) {
          pair.flows.push_back(flows_.size());
          flows_.push_back({from, to, ports[i], 0, priority});
        }
        flows_[pair.flows[i]].bytes += bytes / static_cast<double>(ports.size());
      }
      return;
    }
    const uint32_t turn = pair.messages++;
    if (!workload_.qp_per_message && turn >= static_cast<uint32_t>(workload_.qps_per_pair)) {
      flows_[pair.flows[turn % static_cast<uint32_t>(workload_.qps_per_pair)]].bytes += bytes;
      return;
    }
    pair.flows.push_back(flows_.size());
    const NicEnds nics = NicsOf(fabric_.topology(), workload_, from, to, turn);
    const auto& [sender, receiver] = std::tie(fabric_.node(nics.src).name, fabric_.node(nics.dst).name);
    flows_.push_back({nics.src, nics.dst,
                      source_port ? *source_port : SourcePort(workload_.name, sender, receiver, turn), bytes,
                      priority});
  }
  bool Full() const override { return flows_.size() > most_; }
  std::vector<Flow> Take() { return std::move(flows_); }

 private:
  struct Pair {
    std::vector<size_t> flows;
    uint32_t messages = 0;
  };
  const WorkloadParameters& workload_;
  const Fabric& fabric_;
  const size_t most_;
  std::map<std::pair<NodeId, NodeId>, std::vector<uint16_t>> ports_;  ///< of the service's queue pairs
  std::map<std::tuple<NodeId, NodeId, uint8_t>, Pair> pairs_;
  std::vector<Flow> flows_;
};

/// Records whether the workload sends from one host to the other.
class AskedPair final : public ShareSink {
 public:
  AskedPair(NodeId from, NodeId to) : from_(from), to_(to) {}
  void Add(NodeId from, NodeId to, double amount) override {
    found_ |= from == from_ && to == to_ && amount > 0;
  }
  void AddUniform(const std::vector<std::pair<NodeId, double>>& senders,
                  const std::vector<NodeId>& reach) override {
    const auto sends = [this](const auto& sender) { return sender.first == from_; };
    found_ |= std::ranges::any_of(senders, sends) && std::ranges::find(reach, to_) != reach.end();
  }
  bool found() const { return found_; }

 private:
  NodeId from_, to_;
  bool found_ = false;
};

}  // namespace

std::vector<Flow> FlowsOf(const WorkloadParameters& workload, const Fabric& fabric, size_t most) {
  QueuePairs pairs(workload, fabric, most);
  workload.arrivals->OfferFlows(workload, fabric.hosts(), pairs);
  return pairs.Full() ? std::vector<Flow>() : pairs.Take();
}

WindowLimit WindowLimitOf(const Fabric& fabric, NodeId from, NodeId to, uint16_t source_port) {
  const Scenario& s = fabric.scenario();
  if (!HasWindow(s.nics[from])) return {};
  const FlowHops there = fabric.flow_paths().Of(from, to, source_port),
                 back = fabric.flow_paths().Of(to, from, source_port);
  if (there.empty() || back.empty() || !AreAlike(s, there) || !AreAlike(s, back)) return {};
  const auto data = LongestHops(s, there), acks = LongestHops(s, back);
  // ACKs are sent for whole groups of packets. The ACK that opens the window for a group was caused by a
  // packet with this many packets of its own group before it.
  WindowLimit limit{.packets = WindowPackets(s, from, to, data, acks),
                    .base_rtt = BaseRoundTrip(s, from, to, data, acks)};
  const auto packets = static_cast<int64_t>(limit.packets);
  const int64_t every = s.nics[to].transport.ack_every;
  const int64_t before = every - 1 - packets % every;
  const FrameFormat frames = FramesOf(s, from);
  const Bytes frame = frames.OnWire(frames.Data(s.mtu, false));
  const Rate slowest = std::ranges::min(data, {}, &IdealHop::rate).rate;
  const Time cycle = limit.base_rtt + SerializationTime(frame, slowest) * before;
  limit.rate = static_cast<double>((packets - packets % every) * frame.v * 8) / InSeconds(cycle);
  return limit;
}

WindowLimit WindowLimitOf(const Fabric& fabric, const WorkloadParameters& workload, const Flow& flow) {
  const Arrivals& arrivals = *workload.arrivals;
  if (arrivals.Asks() || arrivals.OnVerbs() || workload.verb == Operation::read_request) return {};
  return WindowLimitOf(fabric, flow.from, flow.to, flow.source_port);
}

void AddLinks(const Fabric& fabric, const FlowHops& hops, MaxMinFlow& flow) {
  const bool split = !IsOnePath(hops);
  for (const std::vector<FlowHop>& at : hops) {
    for (const FlowHop& each : at) {
      flow.links.push_back(fabric.Direction(each.hop));
      if (split) flow.shares.push_back(each.share);
    }
  }
}

bool MaySend(const WorkloadParameters& workload, const Fabric& fabric, NodeId from, NodeId to) {
  AskedPair pair(from, to);
  if (from != to) AddSharesOfNics(workload, fabric.hosts(), pair);
  return pair.found();
}

}  // namespace headroom
