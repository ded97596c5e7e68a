#include "analysis/check/buffers/check_overrun.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/bounds/flows.h"
#include "report/text/text_table.h"
#include "scenario/send_windows.h"
#include "workload/types/incast.h"
#include "workload/types/stream.h"

namespace headroom {
namespace {

/// For one kind of switch: about 300 000 frames, some tenths of a second.
constexpr int64_t kMostSteps = 3'000'000;

/// If senders are random, any host may send. Then only senders at the target's own switch, with one port,
/// certainly use a port each.
bool SendersAreKnown(const IncastArrivals& a, const NicRule& nic, const Fabric& fabric) {
  if (a.fan_in == 0 || static_cast<size_t>(a.fan_in) >= a.from.size()) return true;
  if (nic.kind == NicRule::Kind::hash || nic.kind == NicRule::Kind::round_robin) return false;
  return std::ranges::all_of(a.from, [&](NodeId from) {
    return fabric.PortsOf(from) == 1 && fabric.RackOf(from) == fabric.RackOf(a.to.front());
  });
}

/// The times at which a workload sends; empty if they are random, or if its messages are listed.
struct Sending {
  std::vector<Time> starts;
  std::optional<Bytes> again;  ///< a stream's message
  Time stop;
};

Sending SendingOf(const Arrivals& arrivals, const Fabric& fabric) {
  Sending sending;
  if (const IncastArrivals* const a = arrivals.AsBursts();
      a != nullptr && SendersAreKnown(*a, arrivals.nic, fabric)) {
    const int bursts = a->to.size() == 1 ? a->count : 1;  // another burst may have another target
    for (int i = 0; i < bursts; ++i) sending.starts.push_back(a->at + a->every * i);
  }
  if (const StreamArrivals* const a = arrivals.AsLoop(); a != nullptr && !arrivals.StaysAtHome()) {
    const Time duration = fabric.scenario().duration;
    return {{a->start}, a->message, std::min(a->stop.value_or(duration), duration)};
  }
  return sending;
}

/// Whether some queue of this class marks.
bool IsMarked(const Scenario& s, uint8_t priority) {
  return std::ranges::any_of(s.switches, [priority](const SwitchParameters& p) {
    return p.ecn[priority] || std::ranges::any_of(p.qos, [](const PortQos& maps) {
             return std::ranges::any_of(maps.ecn, [](const auto& ecn) { return ecn.has_value(); });
           });
  });
}

/// A queue pair that starts below its line rate is slow from the beginning; one with a window soon waits.
/// Returns false for controls other than DCQCN, because their start is unknown.
bool StartsAtLineRate(const Flow& flow, const Fabric& fabric) {
  const NicParameters& nic = fabric.scenario().nics[flow.from];
  const Rate most = nic.dcqcn.rp.max_rate;
  return nic.resources.Ideal() && !HasWindow(nic) && !nic.HasControl() &&
         !(nic.Reacts(flow.priority) && most.v > 0 && most < fabric.LineRate(flow.from));
}

/// The known flows, with the state that they share.
class KnownFlows {
 public:
  explicit KnownFlows(const Fabric& fabric) : fabric_(fabric) {
    const Scenario& s = fabric.scenario();
    for (uint32_t w = 0; w < s.workloads.size(); ++w) Add(w);
  }

  /// The flows that cross switches of `c`, by switch.
  std::map<NodeId, std::vector<ReplayFlow>> At(const SwitchClass& c) const {
    std::map<NodeId, std::vector<ReplayFlow>> at;
    const FrameFormat& frames = fabric_.scenario().frames;
    const Bytes largest = frames.OnWire(frames.Data(fabric_.scenario().mtu, false));
    const Bytes smallest = frames.OnWire(std::min(frames.Ack(), frames.Cnp()));
    for (const auto& [flow, replayed] : flows_) {
      const std::vector<PathHop> path = fabric_.paths().Of(flow.from, flow.to, flow.source_port);
      Time before, back;
      for (const PathHop& hop : path) back += TimeOf(hop, smallest) + TimeOf(hop, largest);
      for (size_t h = 1; h < path.size(); ++h) {
        const NodeId node = path[h].from.node;
        back -= TimeOf(path[h - 1], largest);
        if (std::ranges::find(c.members, node) != c.members.end()) {
          ReplayFlow here = replayed;
          here.by = path.front().from.port_index;
          here.in = path[h - 1].to.port_index;
          here.out = path[h].from.port_index;
          here.start += before;
          here.back = back - SerializationTime(largest, fabric_.LinkOf(path[h]).spec.rate);
          at[node].push_back(here);
        }
        before += TimeOf(path[h - 1], largest);
      }
    }
    return at;
  }

 private:
  void Add(uint32_t index) {
    const WorkloadParameters& workload = fabric_.scenario().workloads[index];
    const std::vector<Flow> flows = FlowsOf(workload, fabric_, kMostFlows);
    if (const auto list = workload.arrivals->Listed(workload)) return AddList(index, *list, flows);
    const Sending sending = SendingOf(*workload.arrivals, fabric_);
    const auto hosts = [&](const Flow& flow) {
      const NicRule& rule = workload.arrivals->nic;
      return std::pair(SenderOf(fabric_.topology(), rule, flow.from),
                       SenderOf(fabric_.topology(), rule, flow.to));
    };
    std::map<std::pair<NodeId, NodeId>, int64_t> of_pair;
    for (const Flow& flow : flows) ++of_pair[hosts(flow)];
    for (const Flow& flow : flows) {
      Bytes size(static_cast<int64_t>(flow.bytes));
      if (const StreamArrivals* const stream = workload.arrivals->AsLoop())
        size = stream->message * std::max<int64_t>(1, stream->in_flight / of_pair[hosts(flow)]);
      for (const Time start : sending.starts) AddMessage(index, flow, size, start, sending);
    }
  }

  /// The queue pairs of a pair of hosts take its messages in round-robin order.
  void AddList(uint32_t index, const std::vector<ListedMessage>& list, const std::vector<Flow>& flows) {
    struct PairsInTurn {
      std::vector<Flow> flows;
      size_t turn = 0;
    };
    std::map<std::tuple<NodeId, NodeId, uint8_t>, PairsInTurn> pairs;
    const WorkloadParameters& workload = fabric_.scenario().workloads[index];
    const auto host = [&](NodeId nic) { return SenderOf(fabric_.topology(), workload.arrivals->nic, nic); };
    for (const Flow& flow : flows)
      pairs[{host(flow.from), host(flow.to), flow.priority}].flows.push_back(flow);
    const uint8_t priority = workload.priority;
    for (const ListedMessage& m : list) {
      const auto pair = pairs.find({m.from, m.to, m.priority.value_or(priority)});
      if (pair == pairs.end()) continue;  // a flow to itself, or too many flows
      PairsInTurn& qps = pair->second;
      AddMessage(index, qps.flows[qps.turn++ % qps.flows.size()], m.size, m.at, {});
    }
  }

  void AddMessage(uint32_t index, const Flow& flow, Bytes size, Time start, const Sending& sending) {
    const Scenario& s = fabric_.scenario();
    if (start >= s.duration || !StartsAtLineRate(flow, fabric_) || !IsCertain(flow)) return;
    const bool reacts = s.nics[flow.from].Reacts(flow.priority) && IsMarked(s, flow.priority);
    flows_.emplace_back(flow, ReplayFlow{.workload = index,
                                         .from = flow.from,
                                         .to = flow.to,
                                         .rate = fabric_.LineRate(flow.from),
                                         .start = start,
                                         .size = size,
                                         .again = sending.again,
                                         .back = {},
                                         .stop = sending.stop,
                                         .priority = flow.priority,
                                         .reacts = reacts});
  }

  /// Whether its frames have one path, in order and with one priority.
  bool IsCertain(const Flow& flow) const {
    const Scenario& s = fabric_.scenario();
    const FlowHops hops = fabric_.flow_paths().Of(flow.from, flow.to, flow.source_port);
    return IsOnePath(hops) && std::ranges::none_of(hops, [&](const std::vector<FlowHop>& at) {
             const PathHop& hop = at.front().hop;
             const bool relabels = !fabric_.node(hop.from.node).is_host &&
                                   s.switches[hop.from.node - s.topology.hosts].routing.dateline;
             return relabels || fabric_.LinkOf(hop).spec.reorder.probability > 0;
           });
  }

  /// The time from a frame's first bit on a link until it may begin on the next.
  Time TimeOf(const PathHop& hop, Bytes wire) const {
    const Scenario& s = fabric_.scenario();
    const LinkSpec& link = fabric_.LinkOf(hop).spec;
    const Time across = SerializationTime(wire, link.rate) + link.delay + link.phy;
    if (fabric_.node(hop.to.node).is_host) return across;
    return across + s.switches[hop.to.node - s.topology.hosts].latency;
  }

  const Fabric& fabric_;
  std::vector<std::pair<Flow, ReplayFlow>> flows_;
};

std::optional<Overrun> FirstOverrun(const Fabric& fabric, const SwitchClass& c) {
  if (c.buffer == nullptr || c.parameters->chassis || !c.parameters->pfc.enabled) return std::nullopt;
  int64_t steps = kMostSteps;
  for (const auto& [node, flows] : KnownFlows(fabric).At(c)) {
    if (auto overrun = ReplayBursts(fabric, node, flows, steps)) return overrun;
  }
  return std::nullopt;
}

/// For example "Workloads a, b and c bring".
std::string NamesText(const std::vector<uint32_t>& workloads, const Scenario& s) {
  std::string names;
  for (size_t i = 0; i < workloads.size(); ++i) {
    const char* before = i == 0 ? "" : i + 1 == workloads.size() ? " and " : ", ";
    names += before + s.workloads[workloads[i]].name;
  }
  return workloads.size() == 1 ? "Workload " + names + " brings" : "Workloads " + names + " bring";
}

}  // namespace

std::string OverrunText(const Fabric& fabric, const SwitchClass& c, DropReason reason,
                        std::optional<uint8_t> priority) {
  // The replay does not know which frames belong to a first window.
  if (c.parameters->buffer.policy.type == BufferPolicyParameters::Type::abm) return "";
  const std::optional<Overrun> overrun = FirstOverrun(fabric, c);
  if (!overrun || overrun->reason != reason || (priority && overrun->priority != *priority)) return "";
  return fmt::format(
      "{} {} into {} by {} at once, before anything but pauses slows the senders down: {} µs into the run, "
      "lossless frames to {} are dropped",
      NamesText(overrun->workloads, fabric.scenario()), FormatBytes(overrun->held),
      fabric.node(overrun->node).name,
      overrun->ports == 1 ? "1 port" : fmt::format("{} ports", overrun->ports),
      FormatReadable(InMicroseconds(overrun->at)), fabric.node(overrun->target).name);
}

}  // namespace headroom
