// Scenarios drawn at random: whatever they are, the accounts balance, and the driver does not matter.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "run/record_text.h"
#include "run/run.h"
#include "support/in_child.h"
#include "support/scenarios.h"

namespace headroom::random_test {
namespace {

class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}
  int64_t Between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
  }
  bool OneIn(int64_t n) { return Between(1, n) == 1; }
  template <class T>
  T OneOf(std::initializer_list<T> values) {
    return *(values.begin() + Between(0, static_cast<int64_t>(values.size()) - 1));
  }

 private:
  std::mt19937_64 random_;
};

LinkSpec RandomLink(Dice& d) {
  return {GigabitsPerSecond(d.OneOf<int64_t>({10, 25, 40, 100, 400})), Nanoseconds(d.Between(0, 3000)),
          Nanoseconds(d.Between(0, 100)), d.OneIn(4) ? 0.0005 : 0.0};
}

Topology RandomTopology(Dice& d) {
  switch (d.Between(0, 4)) {
    case 0:
      return StarScenario(static_cast<int>(d.Between(2, 20)), RandomLink(d)).topology;
    case 1:
      return BuildDumbbell(static_cast<int>(d.Between(1, 6)), static_cast<int>(d.Between(1, 6)),
                           RandomLink(d), RandomLink(d));
    case 2:
      return BuildLeafSpine(static_cast<int>(d.Between(2, 4)), static_cast<int>(d.Between(1, 3)),
                            static_cast<int>(d.Between(1, 5)), RandomLink(d), RandomLink(d));
    case 3:
      return BuildFatTree(4, RandomLink(d), RandomLink(d), RandomLink(d));
    default:
      return BuildTorus({static_cast<int>(d.Between(2, 4)), static_cast<int>(d.Between(2, 4))},
                        RandomLink(d));
  }
}

void RandomSwitch(Dice& d, SwitchParameters& sw) {
  sw.latency = Nanoseconds(d.Between(0, 1000));
  sw.pfc.enabled = !d.OneIn(6);
  sw.pfc.response = Nanoseconds(d.OneIn(2) ? 0 : d.Between(0, 500));
  sw.pfc.quanta = static_cast<uint16_t>(d.OneOf<int64_t>({65535, 2000, 100}));
  for (const int p : {0, 3}) {
    if (!d.OneIn(4))
      sw.ecn[p] = Ecn(d.Between(1, 50'000), d.Between(50'000, 300'000),
                      0.01 * static_cast<double>(d.Between(1, 100)));
  }
  BufferParameters& b = sw.buffer;
  if (d.OneIn(3)) return;
  b.headroom.clear();
  b.cell = Bytes(d.OneOf<int64_t>({1, 80, 208, 256}));
  b.pools[0].size = Bytes(d.Between(300'000, 3'000'000));
  b.pools[0].xoff = Bytes(d.OneIn(2) ? 0 : d.Between(20'000, 2'000'000));
  b.pools[1].size = Bytes(d.Between(100'000, 2'000'000));
  b.profiles[0].xoff = Bytes(d.Between(5'000, 200'000));
  b.profiles[0].dynamic_th = static_cast<int>(d.Between(-6, 2));
  b.profiles[3].dynamic_th = static_cast<int>(d.Between(-6, 2));
}

void RandomNic(Dice& d, NicParameters& nic) {
  nic.dcqcn = FindGeneration(d.OneOf({"dcqcn-paper", "gen1", "gen2", "gen2-interop", "hpcc-sim"}))->dcqcn;
  nic.tx_latency = Nanoseconds(d.OneIn(2) ? 0 : d.Between(0, 1000));
  nic.rx_latency = Nanoseconds(d.OneIn(2) ? 0 : d.Between(0, 1000));
  nic.dcqcn.np.cnp_delay = Nanoseconds(d.OneIn(2) ? 0 : d.Between(0, 5000));
  if (d.OneIn(8)) nic.congestion_control = NicParameters::CongestionControl::none;
  nic.transport.ack_every = static_cast<int>(d.OneOf<int64_t>({1, 1, 4, 16}));
  if (d.OneIn(3)) nic.transport.ack_priority = TransportParameters::AckPriority::cnp;
  nic.transport.rto = Microseconds(d.Between(100, 2000));
  nic.transport.recovery_delay = Microseconds(d.OneIn(2) ? 0 : d.Between(0, 100));
}

Scenario RandomScenario(uint32_t seed) {
  Dice d(seed);
  Scenario s = ScenarioOf(RandomTopology(d));
  s.seed = seed;
  s.mtu = d.OneOf<int64_t>({256, 1024, 4096});
  s.duration = Microseconds(d.Between(20, 100));
  s.deadline = Milliseconds(20);
  s.warmup = Microseconds(d.OneIn(2) ? 0 : d.Between(0, 50));
  s.classes[0].weight = static_cast<uint32_t>(d.Between(1, 4));
  for (SwitchParameters& sw : s.switches) RandomSwitch(d, sw);
  for (NicParameters& nic : s.nics) RandomNic(d, nic);
  PoissonArrivals poisson;
  poisson.size = Bytes(d.Between(1, 100'000));
  poisson.load = 0.1 * static_cast<double>(d.Between(1, 9));
  poisson.from = poisson.to = Hosts(0, s.topology.hosts);
  IncastArrivals incast;
  incast.size = Bytes(d.Between(0, 100'000));
  incast.from = Hosts(0, s.topology.hosts);
  incast.to = {static_cast<NodeId>(d.Between(0, s.topology.hosts - 1))};
  incast.at = Microseconds(d.Between(0, 19));
  incast.every = Microseconds(30);
  incast.count = 2;
  StreamArrivals stream;
  stream.from = {0};
  stream.to = {1};
  stream.message = Bytes(d.Between(1, 50'000));
  stream.in_flight = static_cast<int>(d.Between(1, 8));
  s.workloads = {WorkloadOf("poisson", poisson), WorkloadOf("lossy", poisson, 0),
                 WorkloadOf("incast", incast), WorkloadOf("stream", stream)};
  for (WorkloadParameters& w : s.workloads) {
    w.qp_per_message = d.OneIn(3);
    w.qps_per_pair = static_cast<int>(d.Between(1, 3));
  }
  s.observe.queues = Observation{Microseconds(5), {"*"}};
  s.observe.rates = Observation{Microseconds(5), {"*"}};
  return s;
}

std::string CheckedRun(const Scenario& s, Driver driver, bool lanes) {
  return TextFromChild([&] {
    RunOptions options;
    options.driver = driver;
    options.lanes = lanes;
    options.check = true;
    const RunRecord r = headroom::Run(s, options);
    const Conservation& c = r.conservation;
    EXPECT_TRUE(c.Ok()) << c.sent << " " << c.delivered << " " << c.dropped << " " << c.in_flight;
    EXPECT_EQ(r.status == RunStatus::complete, c.in_flight == 0 && r.end < s.deadline);
    // On one queue pair messages complete in the order in which they were posted.
    std::map<std::tuple<uint32_t, NodeId, NodeId, uint16_t>, Time> last;
    for (const MessageRecord& m : r.messages) {
      if (r.status == RunStatus::complete) {
        EXPECT_TRUE(m.Finished());
      }
      if (m.Finished()) {
        EXPECT_LE(m.delivered, m.completed);
        const MessageParts& parts = r.message_parts[static_cast<size_t>(&m - r.messages.data())];
        EXPECT_EQ(parts.Sum(), m.completed - m.start);
        EXPECT_EQ(parts[MessagePart::other], Time{});
        for (const Time part : parts.of) EXPECT_GE(part, Time{});
      }
      if (s.workloads[m.workload].qp_per_message) continue;
      Time& before = last[{m.workload, m.src, m.dst, m.source_port}];
      EXPECT_LE(before, m.completed);
      before = m.completed;
    }
    for (const PortRecord& p : r.ports) {
      for (int q = 0; q < kPriorities; ++q) EXPECT_LE(p.priority[q].paused_rx, r.end);
    }
    return RecordText(r);
  });
}

TEST(RandomScenarios, BalanceTheirAccountsUnderEveryDriver) {
  std::map<std::string, int> seen;
  for (uint32_t seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Scenario s = RandomScenario(seed);
    const std::string fast = CheckedRun(s, Driver::fast, true);
    ASSERT_FALSE(fast.empty());
    ExpectSameText(CheckedRun(s, Driver::ns3_default, seed % 2 == 0), fast);
    for (const char* word : {"complete at", "pause rx", "first_mark", "link_loss", "egress_limit"}) {
      seen[word] += fast.find(word) != std::string::npos;
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(seen["complete at"], 8);
  for (const char* word : {"pause rx", "first_mark", "link_loss", "egress_limit"})
    EXPECT_GT(seen[word], 3) << word;
}

}  // namespace
}  // namespace headroom::random_test
