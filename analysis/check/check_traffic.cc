#include "analysis/check/check_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "analysis/bounds/services/operation_traffic.h"
#include "analysis/bounds/tcp_cost.h"
#include "analysis/bounds/traffic_shares.h"
#include "analysis/check/check_topology.h"
#include "protocol/storage/storage_parameters.h"
#include "report/text/text_table.h"
#include "scenario/memory/memory.h"
#include "scenario/yaml/quantity.h"
#include "workload/generator.h"
#include "workload/io_arrivals.h"
#include "workload/types/incast.h"
#include "workload/types/stream.h"

namespace headroom {
namespace {

using Severity = Finding::Severity;

class Offered {
 public:
  explicit Offered(const Fabric& fabric)
      : fabric_(fabric),
        rules_(RulesOf(fabric.scenario())),
        headers_(ControlHeadersOf(fabric.scenario())),
        bps_(2 * fabric.topology().links.size()),
        steady_(bps_.size()),
        waiting_(bps_.size()),
        bursts_(bps_.size()) {}

  WorkloadCheck Add(const WorkloadParameters& workload, const FlowsChecks& flows) {
    const Scenario& s = fabric_.scenario();
    WorkloadCheck check;
    check.name = workload.name;
    check.type = workload.type;
    check.traffic_class = s.classes[workload.priority].name;
    check.each = CostOfMessages(workload, s.mtu, rules_.ack_every, rules_.frames);
    check.messages = workload.arrivals->Count(workload, s).expected;
    if (const StreamArrivals* const stream = workload.arrivals->AsLoop())
      check.messages = std::min(check.messages, StreamMessages(*stream, workload.name, flows));
    const LinkTraffic traffic = OffersOperations(workload) ? TrafficOf(workload, check.hops)
                                                           : TrafficOf(workload, check.each, check.hops);
    check.packet_hops = check.messages * traffic.FrameHops();

    const IncastArrivals* const incast = workload.arrivals->AsBursts();
    for (size_t link = 0; incast != nullptr && link < bursts_.size(); ++link) {
      if (traffic.frames[link] > 0 && incast->size > bursts_[link].size)
        bursts_[link] = {workload.name, incast->size};
    }
    if (std::optional<double> rate = workload.arrivals->PerSecond(fabric_.hosts())) {
      const auto* const disks = workload.arrivals.Find<IoArrivals>();
      const bool waits = disks != nullptr && disks->job;
      if (waits) rate = std::min(*rate, MostOf(traffic));
      check.offered_bps = *rate * check.each.payload * 8;
      AddBytes(traffic.wire, *rate, incast == nullptr);
      for (size_t link = 0; waits && link < waiting_.size(); ++link)
        waiting_[link] += *rate * 8 * traffic.wire[link];
    }
    return check;
  }

  /// Returns packet-hops while arrivals last.
  double AddBackground(uint32_t service) {
    const auto* const storage = fabric_.scenario().services[service].Find<StorageParameters>();
    if (storage == nullptr || !storage->background) return 0;
    OperationTraffic traffic(fabric_);
    traffic.AddBackground(service, 1);
    const LinkTraffic links = traffic.OnLinks();
    AddBytes(links.wire, 1, true);
    return InSeconds(fabric_.scenario().duration) * links.FrameHops();
  }

  /// Infinite if the fair rate is unknown.
  double StreamMessages(const StreamArrivals& stream, const std::string& name,
                        const FlowsChecks& flows) const {
    const auto at = std::ranges::find(flows.workloads, name, &FlowsCheck::workload);
    if (at == flows.workloads.end()) return HUGE_VAL;
    return static_cast<double>(at->flows) + at->total_bps / 8 * InSeconds(SpanOf(stream.start, stream.stop)) /
                                                static_cast<double>(stream.message.v);
  }

  /// Operations per second that fill the first of their links.
  double MostOf(const LinkTraffic& traffic) const {
    constexpr double kFull = 8 * (1 + 1e-12);
    double most = HUGE_VAL;
    for (size_t link = 0; link < traffic.wire.size(); ++link) {
      if (traffic.wire[link] <= 0) continue;
      const Rate rate = fabric_.topology().links[link / 2].spec.rate;
      most = std::min(most, static_cast<double>(rate.v) / (kFull * traffic.wire[link]));
    }
    return most;
  }

  /// By port, as LinkLoad::fullest: the part of its load by jobs of fio, whose depth limits the queue.
  std::map<std::string, double> Waiting() const {
    std::map<std::string, double> waiting;
    for (DirectedLink d = 0; d < waiting_.size(); ++d) {
      const TopologyLink& link = fabric_.topology().links[d / 2];
      const LinkEnd& from = d % 2 == 0 ? link.a : link.b;
      if (waiting_[d] > 0) waiting[fabric_.node(from.node).name + ":" + from.port] = waiting_[d];
    }
    return waiting;
  }

  std::vector<LinkLoad> Loads() const {
    std::vector<LinkLoad> loads;
    if (!any_) return loads;
    const std::vector<TopologyLink>& links = fabric_.topology().links;
    for (DirectedLink d = 0; d < bps_.size(); ++d) {
      const TopologyLink& link = links[d / 2];
      const LinkEnd& from = d % 2 == 0 ? link.a : link.b;
      const LinkEnd& to = d % 2 == 0 ? link.b : link.a;
      const std::string &lower = fabric_.node(from.node).tier, &upper = fabric_.node(to.node).tier;
      auto at = std::ranges::find_if(loads, [&](const LinkLoad& l) {
        return l.from == lower && l.to == upper && l.rate == link.spec.rate;
      });
      if (at == loads.end()) {
        at = loads.emplace(loads.end());
        at->from = lower;
        at->to = upper;
        at->rate = link.spec.rate;
      }
      ++at->links;
      at->mean_bps += bps_[d];
      if (at->fullest.empty() || bps_[d] > at->most_bps) {
        at->most_bps = bps_[d];
        at->fullest = fabric_.node(from.node).name + ":" + from.port;
      }
      if (!bursts_[d].workload.empty() && steady_[d] > at->under_burst_bps) {
        at->under_burst_bps = steady_[d];
        at->burst = bursts_[d].workload;
        at->burst_at = fabric_.node(from.node).name + ":" + from.port;
      }
    }
    for (LinkLoad& load : loads) load.mean_bps /= load.links;
    std::erase_if(loads, [](const LinkLoad& load) { return load.most_bps <= 0; });
    return loads;
  }

 private:
  /// Adds `rate` transfers per second, each with these bytes by link.
  void AddBytes(const std::vector<double>& bytes, double rate, bool steady) {
    any_ = true;
    for (size_t link = 0; link < bps_.size(); ++link) {
      bps_[link] += rate * 8 * bytes[link];
      if (steady) steady_[link] += rate * 8 * bytes[link];
    }
  }

  /// Traffic of an average message. `each` gets the average additions by congestion controls.
  LinkTraffic TrafficOf(const WorkloadParameters& workload, MessageCost& each, double& hops) const {
    const TrafficShares shares = SharesOf(workload, fabric_);
    const std::vector<double> data = ExpectedCrossings(shares, fabric_);
    const std::vector<double> acks = ExpectedCrossings(shares.Reversed(fabric_.racks().size()), fabric_);
    hops = std::accumulate(data.begin(), data.end(), 0.0);
    LinkTraffic traffic;
    for (size_t link = 0; link < data.size(); ++link) {
      traffic.wire.push_back(data[link] * each.data_wire + acks[link] * each.ack_wire);
      traffic.frames.push_back(data[link] * each.packets + acks[link] * each.acks);
    }
    AddControls(workload, each, traffic);
    return traffic;
  }

  /// Headers that senders' controls add to data and ACKs, and ACKs of READ responses.
  void AddControls(const WorkloadParameters& workload, MessageCost& each, LinkTraffic& traffic) const {
    const bool reads = workload.verb == Operation::read_request;
    const double step = static_cast<double>(fabric_.scenario().mtu) * rules_.ack_every;
    const MessageCost bare = each;
    for (const ControlHeaders& of : std::set(headers_.begin(), headers_.end())) {
      if (of == ControlHeaders{}) continue;
      const double responses = reads && of.responses ? workload.arrivals->MeanPieces(step) : 0;
      const auto header = static_cast<double>(of.bytes);
      const double on_data = bare.packets * header,
                   on_acks = (reads ? 0 : bare.acks * header) +
                             responses *
                                 (static_cast<double>(rules_.frames.OnWire(rules_.frames.Ack()).v) + header);
      const TrafficShares shares =
          SharesOf(workload, fabric_, [&](NodeId host) { return headers_[host] == of; });
      const std::vector<double> data = ExpectedCrossings(shares, fabric_);
      const std::vector<double> acks = ExpectedCrossings(shares.Reversed(fabric_.racks().size()), fabric_);
      for (size_t link = 0; link < data.size(); ++link) {
        traffic.wire[link] += data[link] * on_data + acks[link] * on_acks;
        traffic.frames[link] += acks[link] * responses;
      }
      const double share = std::accumulate(shares.out.begin(), shares.out.end(), 0.0);
      each.data_wire += share * on_data;
      each.ack_wire += share * on_acks;
      each.acks += share * responses;
    }
  }

  /// Traffic of an average operation.
  LinkTraffic TrafficOf(const WorkloadParameters& workload, double& hops) const {
    OperationTraffic traffic(fabric_);
    if (const auto* const io = workload.arrivals.Find<IoArrivals>()) AddAverage(*io, traffic);
    workload.arrivals->AddTraffic(fabric_.scenario(), traffic);
    LinkTraffic links = traffic.OnLinks();
    hops = links.sent > 0 ? links.FrameHops() / links.sent : 0;
    return links;
  }

  static void AddAverage(const IoArrivals& io, OperationTraffic& traffic) {
    for (const NodeId host : io.from) {
      ForEachBlock(io, [&](bool writes, Bytes size, double share) {
        traffic.AddIos(io.service, host, writes ? OperationKind::write : OperationKind::read, size,
                       share / static_cast<double>(io.from.size()));
      });
    }
  }

  Time SpanOf(Time start, const std::optional<Time>& stop) const {
    const Time duration = fabric_.scenario().duration;
    return std::max(Time(), std::min(stop.value_or(duration), duration) - start);
  }

  struct OfBursts {
    std::string workload;
    Bytes size;
  };

  const Fabric& fabric_;
  const WireRules rules_;
  const std::vector<ControlHeaders> headers_;  ///< indexed by host
  /// Bit/s on the wire, indexed by directed link: of all, without bursts, and of workloads that have a rate
  /// but wait for answers.
  std::vector<double> bps_, steady_, waiting_;
  std::vector<OfBursts> bursts_;  ///< the largest bursts that cross it, indexed by directed link
  bool any_ = false;
};

Burst BurstOf(const WorkloadParameters& workload, const MessageCost& each, const Fabric& fabric) {
  const IncastArrivals& a = *workload.arrivals->AsBursts();
  const Neighbourhoods senders(fabric.topology(), a.from, a.scope);
  Burst burst{.workload = workload.name,
              .fan_in = 0,
              .targets = a.to.size(),
              .bytes = {},
              .rate = {},
              .drain = {},
              .every = a.count > 1 ? a.every : Time()};
  for (const NodeId to : a.to) {
    const auto& from = senders.Of(to);
    size_t n = from.size() - static_cast<size_t>(std::ranges::count(from, to));
    if (a.fan_in > 0) n = std::min(n, static_cast<size_t>(a.fan_in));
    const Rate rate = fabric.Capacity(to);
    const Time drain = SerializationTime(Bytes(std::llround(each.data_wire)) * static_cast<int64_t>(n), rate);
    if (drain < burst.drain) continue;
    burst.fan_in = n;
    burst.bytes = a.size * static_cast<int64_t>(n);
    burst.rate = rate;
    burst.drain = drain;
  }
  return burst;
}

void JudgeLoads(const std::vector<LinkLoad>& loads, const std::map<std::string, double>& waiting,
                Findings& findings) {
  for (const LinkLoad& load : loads) {
    const std::string where = fmt::format("{} → {}, {}", load.from, load.to, FormatRate(load.rate));
    const auto offered = [&](double bps, const std::string& at) {
      return fmt::format(
          "{} offered {:.3g} Gb/s on the wire, {:.0f} % of its rate (as {})",
          load.links == 1 ? "the link is" : fmt::format("the fullest of {} links is", load.links), bps / 1e9,
          100 * bps / static_cast<double>(load.rate.v), at);
    };
    if (load.Most() >= 0.9) {
      const auto waits = waiting.find(load.fullest);
      const double open = load.most_bps - (waits == waiting.end() ? 0 : waits->second);
      const bool over = open > static_cast<double>(load.rate.v);
      findings.push_back({over ? Severity::warning : Severity::note, where,
                          offered(load.most_bps, load.fullest) + "; " +
                              (over ? "the queue grows while the load lasts" : "queues will be long")});
    }
    // Above this load, a burst's remaining bytes delay other traffic for long.
    constexpr double kLittleRoom = 0.7;
    const double left = 1 - load.UnderBurst();
    if (load.UnderBurst() < kLittleRoom || left < 0.01) continue;
    constexpr double kBits = 8e6;  // bits of a MB
    const double us = kBits / (static_cast<double>(load.rate.v) * left) * 1e6;
    findings.push_back({Severity::note, where,
                        fmt::format("{}, and bursts of {} add to it: each MB of a burst there takes {} µs to "
                                    "drain, at {:.0f} % of the rate",
                                    offered(load.under_burst_bps, load.burst_at), load.burst,
                                    FormatReadable(us), 100 * left)});
  }
}

/// If ACKs use the class of their queue pair, they wait in its pauses, and delivered messages complete late.
/// The ACKs of a single burst do not meet it: they leave its queue.
void JudgeAcks(const Scenario& s, Findings& findings) {
  const auto shares = std::ranges::count_if(s.nics, [](const NicParameters& nic) {
    return nic.transport.ack_priority == TransportParameters::AckPriority::same;
  });
  if (shares == 0) return;
  for (const WorkloadParameters& burst : s.workloads) {
    const TrafficClass& of = s.classes[burst.priority];
    const IncastArrivals* const incast = burst.arrivals->AsBursts();
    if (!of.lossless || incast == nullptr) continue;
    const auto in_class = std::ranges::count(s.workloads, burst.priority, &WorkloadParameters::priority);
    if (in_class == 1 && incast->to.size() == 1) continue;
    findings.push_back({Severity::note,
                        "class " + of.name,
                        fmt::format("bursts of {} fill its queues, which also hold ACKs (ack_priority: "
                                    "same, at {} of {} hosts); while the class is paused, delivered "
                                    "messages complete late",
                                    burst.name, shares, s.nics.size()),
                        {Remedy{"nics.*.transport.ack_priority=cnp"}}});
  }
}

void JudgeBurst(const Burst& burst, const Scenario& s, const IncastArrivals& a, Findings& findings) {
  const auto text = [&](Time t) { return FormatReadable(InMicroseconds(t)) + " µs"; };
  if (burst.targets == 1 && burst.every.v > 0 && burst.drain > burst.every) {
    findings.push_back(
        {Severity::warning,
         "workload " + burst.workload,
         fmt::format("bursts overlap: a burst takes {} on the target's link, but the next starts after {}",
                     text(burst.drain), text(burst.every)),
         {Remedy{fmt::format("workloads.{}.repeat.every={}", burst.workload,
                             FormatTime(Microseconds(burst.drain / Microseconds(1) + 1)))}}});
  }
  if (a.at + burst.drain > s.deadline) {
    findings.push_back(
        {Severity::note,
         "workload " + burst.workload,
         fmt::format("a burst takes {} on the target's link and cannot end before the deadline, {}",
                     text(burst.drain), text(s.deadline)),
         {Remedy{"deadline=" + FormatTime(Microseconds((a.at + burst.drain) * 2 / Microseconds(1) + 1))}}});
  }
}

}  // namespace

TrafficCheck CheckTraffic(const Fabric& fabric, const FlowsChecks& flows, Findings& findings) {
  const Scenario& s = fabric.scenario();
  TrafficCheck check;
  Offered offered(fabric);
  for (const WorkloadParameters& workload : s.workloads) {
    check.workloads.push_back(offered.Add(workload, flows));
    const WorkloadCheck& added = check.workloads.back();
    check.packet_hops += added.packet_hops;
    if (added.hops > 0 && IsOverTcp(s, workload)) check.tcp_packets += added.packet_hops / added.hops;
    if (const IncastArrivals* const incast = workload.arrivals->AsBursts()) {
      check.bursts.push_back(BurstOf(workload, check.workloads.back().each, fabric));
      JudgeBurst(check.bursts.back(), s, *incast, findings);
    }
  }
  for (uint32_t i = 0; i < s.services.size(); ++i) check.packet_hops += offered.AddBackground(i);
  check.loads = offered.Loads();
  JudgeLoads(check.loads, offered.Waiting(), findings);
  JudgeAcks(s, findings);
  check.memory = EstimateMemory(s);
  check.memory_parts = MemoryParts(s);
  check.run_seconds = check.packet_hops / kUsualSpeed + check.tcp_packets / kUsualTcpSpeed;
  return check;
}

}  // namespace headroom
