// Windows: how much a queue pair may have in flight, the throughput that this permits, and the parts of the
// time.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "analysis/bounds/ideal_path.h"
#include "run/run.h"
#include "scenario/send_windows.h"
#include "support/in_child.h"
#include "support/lab.h"
#include "support/path_of.h"
#include "support/run_accounts.h"

namespace headroom::window_test {
namespace {

using Kind = SendWindow::Kind;

struct Draft {
  std::mt19937_64 engine;
  int64_t Between(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(engine);
  }
  bool OneIn(int64_t n) { return Between(1, n) == 1; }
};

/// A star or two racks, with random windows, latencies, frames and NICs.
Scenario Drawn(Draft& d) {
  const LinkSpec link{GigabitsPerSecond(d.OneIn(2) ? 100 : 25), Nanoseconds(d.Between(0, 9000)), Time{}, 0.0};
  Scenario s = StarScenario(4, link);
  s.mtu = d.OneIn(2) ? 1024 : 4096;
  const int every = static_cast<int>(d.OneIn(2) ? 1 : d.Between(2, 5));
  for (NicParameters& nic : s.nics) {
    nic.transport.ack_every = every;
    nic.transport.rto = Microseconds(100);
    nic.transport.window.kind = d.OneIn(3) ? Kind::bdp : Kind::bytes;
    nic.transport.window.bytes = Bytes(s.mtu * d.Between(every, 40) + d.Between(0, 1000));
    nic.tx_latency = Nanoseconds(d.Between(0, 500));
    nic.rx_latency = Nanoseconds(d.Between(0, 500));
    if (d.OneIn(3)) nic.dcqcn.limiter.granularity = LimiterParameters::Granularity::burst;
  }
  return s;
}

/// The window between two hosts, computed from the network's paths.
uint64_t PacketsOf(const Scenario& s, NodeId from, NodeId to) {
  const auto routes = ComputeRoutes(s.topology);
  return WindowPackets(s, from, to, IdealHops(s, PathOf(s, routes, from, to, 49152)),
                       IdealHops(s, PathOf(s, routes, to, from, 49152)));
}

TEST(Window, NeverHasMoreOnItsWayWhateverIsLost) {
  int full = 0, repeated = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const std::string counts = TextFromChild([seed] {
      Draft d{std::mt19937_64(seed)};
      Lab lab(Drawn(d));
      std::map<std::pair<NodeId, uint32_t>, uint64_t> windows;
      for (NodeId from = 0; from < 4; ++from) {
        for (NodeId to = 0; to < 4; ++to) {
          if (from == to) continue;
          const uint32_t qp = lab.Connect(from, to);
          windows[{from, qp}] = PacketsOf(lab.scenario, from, to);
          const SendWindow& window = lab.scenario.nics[from].transport.window;
          if (window.kind == Kind::bytes) {
            EXPECT_LE(static_cast<int64_t>(windows[{from, qp}]) * lab.scenario.mtu, window.bytes.v);
          }
          for (int64_t i = d.Between(1, 3); i > 0; --i) lab.Post(from, qp, d.Between(0, 150'000));
        }
      }
      int at_most = 0;
      lab.lose = [&](NodeId host, const Frame& f) {
        if (f.kind != FrameKind::data) return d.OneIn(300);
        const Requester& r = lab.nic(host).requester(f.qp);
        EXPECT_LE(r.next_psn - r.una_psn, windows.at({host, f.qp}));
        at_most += r.next_psn - r.una_psn == windows.at({host, f.qp});
        return d.OneIn(300);
      };
      RunUntil(Milliseconds(50));
      EXPECT_EQ(lab.completed.size(), lab.messages.size());
      uint64_t repeats = 0;
      for (NodeId h = 0; h < 4; ++h) repeats += lab.nic(h).counters().retransmitted_packets;
      return std::to_string(at_most) + " " + std::to_string(repeats);
    });
    full += std::stoi(counts) > 0;
    repeated += std::stoi(counts.substr(counts.find(' '))) > 0;
  }
  EXPECT_GT(full, 8);
  EXPECT_GT(repeated, 6);
}

RunRecord RunOf(Scenario s, const std::vector<ListArrivals::Message>& messages) {
  ListArrivals list;
  list.messages = messages;
  s.workloads = {WorkloadOf("w", list)};
  s.observe.parts = true;
  RunRecord r = headroom::Run(s, {});
  EXPECT_EQ(r.status, RunStatus::complete);
  ExpectAccounts(s, r);
  return r;
}

TEST(Window, LetsThroughOneWindowEachRoundTrip) {
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Microseconds(5), Time{}, 0.0});
    constexpr int64_t kPackets = 16;
    for (NicParameters& nic : s.nics) {
      nic.transport.window = {Kind::bytes, Bytes(kPackets * s.mtu)};
      nic.tx_latency = Nanoseconds(300);
      nic.rx_latency = Nanoseconds(200);
    }
    const RunRecord r = RunOf(s, {{Time{}, 0, 1, Bytes(40 * kPackets * s.mtu), {}}});
    const auto routes = ComputeRoutes(s.topology);
    const Time rtt = BaseRoundTrip(s, 0, 1, IdealHops(s, PathOf(s, routes, 0, 1, 49152)),
                                   IdealHops(s, PathOf(s, routes, 1, 0, 49152)));
    // 39 windows wait for the ACK of the first packet of the previous one; the last one waits for its last.
    const Time last_window =
        SerializationTime(s.frames.OnWire(s.frames.Data(s.mtu, false)), GigabitsPerSecond(100)) *
        (kPackets - 1);
    const Time packet = rtt / kPackets;
    EXPECT_LT((r.messages[0].completed - rtt * 40 - last_window).v, packet.v);
    EXPECT_GT((r.messages[0].completed - rtt * 40 - last_window).v, -packet.v);
    // In each round trip all except the transmission of a window is the window's part.
    const MessageParts& parts = r.message_parts[0];
    EXPECT_EQ(parts[MessagePart::limiter], Time{});
    EXPECT_EQ(parts[MessagePart::nic].v, (Nanoseconds(300) * 41 + Nanoseconds(200) * 2).v);
    EXPECT_GT(parts[MessagePart::window], (rtt - last_window - packet - Nanoseconds(300)) * 39);
    EXPECT_LT(parts[MessagePart::window], rtt * 39);
  });
}

TEST(Window, OfEarlierMessagesHoldsUpLaterOnes) {
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Microseconds(5), Time{}, 0.0});
    for (NicParameters& nic : s.nics) nic.transport.window = {Kind::bytes, Bytes(4 * s.mtu)};
    const RunRecord r =
        RunOf(s, {{Time{}, 0, 1, Bytes(4 * s.mtu), {}}, {Microseconds(1), 0, 1, Bytes(100), {}}});
    // The packet is posted while four packets are in flight, and leaves when the first of them is
    // acknowledged.
    EXPECT_EQ(r.message_parts[0][MessagePart::window], Time{});
    const Time opened = r.message_parts[1][MessagePart::window] + Microseconds(1);
    EXPECT_GT(opened, Microseconds(21));
    EXPECT_LT(opened, r.messages[0].completed);
    EXPECT_EQ(r.message_parts[1][MessagePart::own_queue], Time{});
  });
}

TEST(Window, OfABandwidthDelayProductHoldsNothingUp) {
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Microseconds(5), Time{}, 0.0});
    const std::vector<ListArrivals::Message> messages = {{Time{}, 0, 1, Bytes(3'000'000), {}}};
    const Time without = RunOf(s, messages).messages[0].completed;
    for (NicParameters& nic : s.nics) nic.transport.window.kind = Kind::bdp;
    const auto routes = ComputeRoutes(s.topology);
    const IdealPath path = IdealPathOf(s, PathOf(s, routes, 0, 1, 49152), PathOf(s, routes, 1, 0, 49152));
    EXPECT_EQ(IdealCompletion(path, Bytes(3'000'000)), without);
    // The base round trip is that of one packet alone.
    EXPECT_EQ(BaseRoundTrip(s, 0, 1, path.data, path.acks), IdealCompletion(path, Bytes(s.mtu)));
  });
}

}  // namespace
}  // namespace headroom::window_test
