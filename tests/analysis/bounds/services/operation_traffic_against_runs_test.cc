// The computed traffic of messages and operations equals that of runs, in bytes by tier and direction, for
// every shipped scenario without losses, failures or repetitions.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <ns3/rng-seed-manager.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "analysis/bounds/services/operation_traffic.h"
#include "analysis/check/check.h"
#include "protocol/keyvalue/key_value_parameters.h"
#include "protocol/storage/storage_parameters.h"
#include "run/run.h"
#include "scenario/expected_traffic.h"
#include "scenario/read/load.h"
#include "support/in_child.h"
#include "support/short_runs.h"
#include "workload/io_arrivals.h"
#include "workload/key_value_arrivals.h"

namespace headroom::operation_traffic_against_runs_test {
namespace {

namespace fs = std::filesystem;

/// Bytes with preamble and gap.
using ByTiers = std::map<std::string, double>;

std::string TiersOf(const Fabric& fabric, const LinkEnd& from, const LinkEnd& to) {
  return fabric.node(from.node).tier + " → " + fabric.node(to.node).tier;
}

ByTiers Expected(const Fabric& fabric, const LinkTraffic& traffic) {
  ByTiers bytes;
  for (size_t d = 0; d < traffic.wire.size(); ++d) {
    const TopologyLink& link = fabric.topology().links[d / 2];
    bytes[d % 2 == 0 ? TiersOf(fabric, link.a, link.b) : TiersOf(fabric, link.b, link.a)] += traffic.wire[d];
  }
  return bytes;
}

/// CNPs are left out: they have their own class.
ByTiers Measured(const Fabric& fabric, const RunRecord& r) {
  std::map<std::pair<NodeId, uint32_t>, std::string> tiers;
  for (const TopologyLink& link : fabric.topology().links) {
    tiers[{link.a.node, link.a.port_index}] = TiersOf(fabric, link.a, link.b);
    tiers[{link.b.node, link.b.port_index}] = TiersOf(fabric, link.b, link.a);
  }
  ByTiers bytes;
  for (const PortRecord& port : r.ports) {
    for (int p = 0; p < kPriorities; ++p)
      if (p != fabric.scenario().cnp_priority)
        bytes[tiers.at({port.node, port.port})] += static_cast<double>(port.priority[p].tx_wire_bytes);
  }
  return bytes;
}

/// Adds the traffic of a workload's average operation this many times.
class Times final : public TrafficSink {
 public:
  Times(OperationTraffic& traffic, double times) : traffic_(traffic), times_(times) {}
  void AddWrites(NodeId from, NodeId to, int64_t bytes, double times) override {
    traffic_.AddWrites(from, to, bytes, times * times_);
  }

 private:
  void DoAddMessages(NodeId from, NodeId to, Operation verb, int64_t bytes, double times,
                     Transport transport) override {
    traffic_.AddMessages(from, to, verb, bytes, times * times_, transport);
  }
  OperationTraffic& traffic_;
  double times_;
};

/// The traffic of the operations that the run drew.
LinkTraffic Drawn(const Fabric& fabric, const RunRecord& r) {
  const Scenario& s = fabric.scenario();
  ns3::RngSeedManager::SetRun(s.seed);
  OperationTraffic traffic(fabric);
  for (const MessageRecord& m : r.messages)
    traffic.AddMessages(m.src, m.dst, s.workloads[m.workload].verb, m.size.v, 1);
  std::map<uint32_t, double> operations;  // operations by workload
  for (const OperationRecord& o : r.operations) {
    const WorkloadParameters& w = s.workloads[o.workload];
    ++operations[o.workload];
    if (const auto* io = w.arrivals.Find<IoArrivals>())
      traffic.AddIos(io->service, o.client, o.kind, o.bytes, 1);
    if (const auto* kv = w.arrivals.Find<KeyValueArrivals>())
      s.services[kv->service].As<KeyValueParameters>().AddTraffic(o.client, o.kind, kv->key, kv->value, 1,
                                                                  traffic);
  }
  for (const auto& [workload, count] : operations) {
    if (s.workloads[workload].arrivals.Find<KeyValueArrivals>()) continue;  // as drawn
    Times all(traffic, count);
    s.workloads[workload].arrivals->AddTraffic(s, all);
  }
  for (uint32_t i = 0; i < s.services.size(); ++i) {
    if (s.services[i].Find<StorageParameters>() == nullptr) continue;
    traffic.AddConnections(i);
    traffic.AddBackground(i, InSeconds(s.duration));
  }
  return traffic.OnLinks();
}

bool Undisturbed(const RunRecord& r) {
  if (r.status != RunStatus::complete || r.retransmitted_packets > 0 || r.timeouts > 0) return false;
  for (const OperationRecord& o : r.operations)
    if (o.retries > 0 || o.status != OperationStatus::ok) return false;
  for (const PortRecord& port : r.ports)
    for (int p = 0; p < kPriorities; ++p)
      for (const uint64_t drops : port.priority[p].drops)
        if (drops > 0) return false;
  return true;
}

bool IsKnown(const Scenario& s) {
  const bool acks_apart = std::ranges::any_of(s.nics, [](const NicParameters& nic) {
    return nic.transport.ack_priority == TransportParameters::AckPriority::cnp;
  });
  // Costs of applications on connections over TCP are not known.
  const bool on_tcp = std::ranges::any_of(
      s.services, [](const AnyService& p) { return p->IsApplication() && p->TcpClass(); });
  const bool posts = std::ranges::any_of(s.workloads, [](const auto& w) { return w.arrivals->OnVerbs(); });
  return s.faults.empty() && !acks_apart && !posts && !on_tcp;
}

bool HasTcp(const Scenario& s) {
  return std::ranges::any_of(s.services, [](const AnyService& any) {
    const auto* p = any.Find<StorageParameters>();
    return p != nullptr && (p->front.OnTcp() || (p->back && p->back->OnTcp()));
  });
}

/// A scenario short enough for about this many packet-hops, with enough I/Os that those to other racks have
/// their average frequency.
Scenario Shortened(const fs::path& path) {
  std::vector<std::string> sets = {"warmup=0s", "observe.operations=all"};
  const Scenario whole = LoadScenario(path, sets);
  const bool places = std::ranges::any_of(whole.services, [](const AnyService& any) {
    const auto* p = any.Find<StorageParameters>();
    return p != nullptr && p->back.has_value();
  });
  const double most = places ? 3e5 : 1e4;
  double hops = 0;
  if (whole.services.size() > 0) {
    hops = CheckScenario(Fabric(whole)).traffic.packet_hops;
  } else {
    constexpr double kHops = 6;  // hops of a packet and its ACK
    for (const WorkloadParameters& w : whole.workloads) hops += kHops * ExpectedPackets(w, whole);
  }
  if (hops <= most) return whole;
  const double duration = static_cast<double>(whole.duration.v) * most / hops;
  sets.push_back(fmt::format("duration={}ns", std::llround(duration / 1e3)));
  return LoadScenario(path, sets);
}

/// The bound is wider between tiers that few I/Os cross, where each counts.
void ExpectEqual(const Scenario& s, const ByTiers& expected, const ByTiers& measured) {
  double most = 0;
  for (const auto& [tiers, bytes] : measured) most = std::max(most, bytes);
  for (const auto& [tiers, bytes] : measured) {
    const double of = expected.at(tiers);
    if (std::max(bytes, of) < 0.01 * most) continue;
    EXPECT_LE(bytes, 1.05 * of) << tiers;
    // TCP puts several waiting messages into one segment: it sends less.
    if (!HasTcp(s)) {
      EXPECT_GE(bytes, 0.95 * of) << tiers;
    }
  }
}

TEST(OperationTraffic, IsWhatRunsOfShippedScenariosPutOnLinks) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "what is compared does not depend on the build, and these runs are many";
#endif
  int compared = 0;
  for (const std::string& file : ShippedScenarios()) {
    SCOPED_TRACE(file);
    std::optional<Scenario> s;
    try {
      s = Shortened(fs::path(HEADROOM_SOURCE_DIR) / file);
    } catch (const ScenarioError&) {
      continue;  // part of other traffic
    }
    if (!IsKnown(*s) || s->results == Results::stream) continue;
    compared += TextFromChild([&] {
                  const Fabric fabric(*s);
                  const RunRecord r = headroom::Run(*s, {});
                  if (!Undisturbed(r)) return std::string();
                  ExpectEqual(*s, Expected(fabric, Drawn(fabric, r)), Measured(fabric, r));
                  return std::string("compared");
                }) == "compared";
  }
  EXPECT_GE(compared, 40);
}

}  // namespace
}  // namespace headroom::operation_traffic_against_runs_test
