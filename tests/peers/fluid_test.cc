// Packets compared with DCQCN's fluid model: N flows to one receiver at 40 Gb/s.
//
// The model describes averages. Packets mark 1.3 to 1.4 times as much for any number of flows: the test
// compares the laws, not the numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "analysis/check/check_fluid.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/scenarios.h"
#include "workload/types/stream.h"

namespace headroom::fluid_test {
namespace {

/// `flows` hosts send without end to one more, over links with this delay.
Scenario Senders(int flows, Time delay, const EcnParameters& ecn, Time duration) {
  Scenario s = StarScenario(flows + 1, {GigabitsPerSecond(40), delay, Time{}, 0.0});
  s.duration = s.deadline = duration;
  s.warmup = duration / 2;
  s.switches[0].ecn[3] = ecn;
  const auto to = static_cast<NodeId>(flows);
  StreamArrivals stream;
  stream.from = Hosts(0, to);
  stream.to = {to};
  stream.message = Bytes(1'000'000'000);
  s.workloads = {WorkloadOf("stream", stream)};
  s.observe.queues = Observation{Microseconds(20), {"s0:p" + std::to_string(flows)}};
  return s;
}

struct Measured {
  double marked = 0;               ///< fraction of packets
  double mean = 0, deviation = 0;  ///< of the queue in bytes
  uint64_t pauses = 0;
};

/// Measures after the warm-up.
Measured Measure(const Scenario& s) {
  const std::string text = TextFromChild([&] {
    const RunRecord r = headroom::Run(s, {});
    uint64_t marked = 0, sent = 0, pauses = 0;
    for (const PortRecord& port : r.ports) {
      pauses += port.priority[3].pauses_tx;
      marked += port.priority[3].marked_packets;
      if (port.node == s.topology.hosts && port.port == s.topology.hosts - 1)
        sent = port.priority[3].tx_packets;
    }
    double count = 0, sum = 0, squares = 0;
    for (const QueueSample& q : r.queues) {
      if (q.queue != 3 || q.time < s.warmup) continue;
      const auto bytes = static_cast<double>(q.bytes.v);
      ++count;
      sum += bytes;
      squares += bytes * bytes;
    }
    std::ostringstream out;
    out << static_cast<double>(marked) / static_cast<double>(sent) << ' ' << sum / count << ' '
        << std::sqrt(squares / count - sum / count * sum / count) << ' ' << pauses;
    return out.str();
  });
  Measured m;
  std::istringstream(text) >> m.marked >> m.mean >> m.deviation >> m.pauses;
  return m;
}

FluidCheck Model(const Scenario& s) {
  Findings findings;
  return CheckFluid(Fabric(s), findings).bottlenecks.at(0);
}

TEST(FluidAgainstPackets, MarkingAndQueueFollowTheLaws) {
  // RED's published slope, 1 % over 195 KB, continued ten times as far, so that the equilibrium of 16 flows
  // is on it. From 4 to 16 flows p* rises by a factor of 6 in the model, and so does q* − Kmin.
  constexpr int64_t kKmin = 5'000;
  const EcnParameters ecn = Ecn(kKmin, 1'955'000, 0.10);
  std::vector<double> marked, queue;
  for (const int flows : {4, 8, 16}) {
    const Scenario s = Senders(flows, Nanoseconds(500), ecn, Milliseconds(160));
    const Measured packets = Measure(s);
    const FluidCheck model = Model(s);
    EXPECT_TRUE(model.stability.stable);
    EXPECT_EQ(packets.pauses, 0u);
    marked.push_back(packets.marked / model.stability.at.p);
    queue.push_back((packets.mean - kKmin) / (model.QueueBytes() - kKmin));
  }
  for (const std::vector<double>& ratios : {marked, queue}) {
    const auto [least, most] = std::ranges::minmax_element(ratios);
    // The factor is the same for any number of flows.
    EXPECT_LT(*most / *least, 1.25) << *least << ' ' << *most;
    EXPECT_GT(*least, 1.0);
    EXPECT_LT(*most, 1.75);
  }
}

TEST(FluidAgainstPackets, ALoopThatOscillatesInTheModelOscillatesInPackets) {
  // Ten flows with the published thresholds. With 0.5 us of cable the margin is 9°, with 24 us −5°; with a
  // step of 2.5 Mb/s instead of 40 it is 7° there.
  const EcnParameters ecn = Ecn(5'000, 200'000, 0.01);
  const Scenario near = Senders(10, Nanoseconds(500), ecn, Milliseconds(120));
  const Scenario far = Senders(10, Microseconds(24), ecn, Milliseconds(120));
  Scenario calmed = Senders(10, Microseconds(24), ecn, Milliseconds(240));
  for (NicParameters& nic : calmed.nics) nic.dcqcn.rp.rate_ai = Rate(2'500'000);
  EXPECT_GT(Model(near).stability.Margin().value(), 8);
  EXPECT_GT(Model(calmed).stability.Margin().value(), 5);
  EXPECT_LT(Model(far).stability.Margin().value(), -4);
  EXPECT_FALSE(Model(far).stability.stable);
  const auto swing = [](const Scenario& s) {
    const Measured packets = Measure(s);
    EXPECT_EQ(packets.pauses, 0u);
    return packets.deviation / packets.mean;
  };
  EXPECT_LT(swing(near), 0.4);
  EXPECT_LT(swing(calmed), 0.7);
  EXPECT_GT(swing(far), 1.0);
}

}  // namespace
}  // namespace headroom::fluid_test
