// Credits: which senders a receiver lets send, and when; and what senders do with them, whatever is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "scenario/packet_headers.h"
#include "scenario/read/load.h"
#include "support/in_child.h"
#include "support/lab.h"

namespace headroom::nic_credits_test {
namespace {

constexpr int64_t kMtu = 1024, kFull = 1024 + 62 + 20, kControl = 78 + 20;

/// Host 0 and senders on one switch, each with its own distance.
Scenario StarOf(int hosts, int gigabits, const std::vector<Time>& delays, const std::string& keys = "") {
  const std::string text = "topology: {type: star, hosts: " + std::to_string(hosts) +
                           ", link: {rate: " + std::to_string(gigabits) +
                           "Gbps, length: 3m}}\n"
                           "switches: [{match: \"*\", buffer: {profile: hpcc, size: 400MiB}}]\n"
                           "nics: [{match: \"*\", congestion_control: {type: receiver_credit" +
                           keys +
                           "}}]\n"
                           "workloads: [{name: w, type: incast, size: 1KB, from: h1, to: h0}]\n"
                           "duration: 1ms\nmtu: 1024\n";
  Scenario s = LoadScenarioText(text, "star.yaml", ".");
  for (size_t host = 0; host < delays.size(); ++host) s.topology.links[host].spec.delay = delays[host];
  return s;
}

Time On(int64_t bytes, int gigabits, double share = 1) {
  return SerializationTime(Bytes(bytes),
                           Rate(std::llround(share * static_cast<double>(GigabitsPerSecond(gigabits).v))));
}

class Random {
 public:
  explicit Random(uint64_t seed) : bits_(seed) {}
  int64_t Between(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(bits_);
  }
  std::vector<Time> Delays(int hosts, int64_t most_ns) {
    std::vector<Time> delays;
    for (int i = 0; i < hosts; ++i) delays.push_back(Time(Between(10, most_ns) * 1000));
    return delays;
  }

 private:
  std::mt19937_64 bits_;
};

struct Given {
  Time at;
  NodeId host = 0;
  uint32_t qp = 0;
  uint64_t total = 0;
  bool operator==(const Given&) const = default;
};
void PrintTo(const Given& g, std::ostream* out) {
  *out << g.at.v << " ps: " << g.total << " to " << g.host << "/" << g.qp;
}

/// Requests of queue pairs in the order of their times.
struct Asked {
  Time at;
  NodeId host = 0;
  uint32_t qp = 0;
  uint64_t total = 0, has = 0;
  bool again = false;
};

/// Gives credits one by one, from lists.
std::vector<Given> NaiveCredits(std::deque<Asked> asks, int gigabits) {
  struct QueuePair {
    uint64_t asked = 0, given = 0;
  };
  std::map<std::pair<NodeId, uint32_t>, QueuePair> all;
  std::deque<std::pair<NodeId, std::deque<uint32_t>>> round;
  std::vector<Given> given;
  Time next, woken;
  while (!asks.empty() || !round.empty()) {
    if (round.empty() || (!asks.empty() && asks.front().at < std::max(next, woken))) {
      const Asked a = asks.front();
      asks.pop_front();
      next = std::max(next, a.at) + On(kControl, gigabits, 0.98);
      QueuePair& q = all[{a.host, a.qp}];
      const bool waited = q.given < q.asked;
      if (a.again && !waited) q.given = std::min(q.given, a.has);
      q.asked = std::max(q.asked, a.total);
      if (waited || q.given == q.asked) continue;
      if (round.empty()) woken = a.at;
      const auto host = std::ranges::find(round, a.host, [](const auto& h) { return h.first; });
      if (host == round.end()) {
        round.push_back({a.host, {a.qp}});
      } else {
        host->second.push_back(a.qp);
      }
      continue;
    }
    auto [host, waiting] = round.front();
    round.pop_front();
    const uint32_t qp = waiting.front();
    waiting.pop_front();
    QueuePair& q = all[{host, qp}];
    const Time at = std::max(next, woken);
    given.push_back({at, host, qp, ++q.given});
    next = at + On(kFull, gigabits, 0.98);
    if (q.given < q.asked) waiting.push_back(qp);
    if (!waiting.empty()) round.push_back({host, waiting});
  }
  return given;
}

TEST(NicCredits, GoOutInRoundRobinOrderAtTheirShareAsInANaiveList) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    InChild([&] {
      Random random(seed);
      const int hosts = static_cast<int>(random.Between(2, 6)), gigabits = seed % 2 == 0 ? 100 : 25;
      Lab lab(StarOf(hosts, gigabits, {}));
      std::map<std::pair<NodeId, uint32_t>, uint64_t> totals;
      for (NodeId host = 1; host < static_cast<NodeId>(hosts); ++host) {
        for (auto qps = random.Between(1, 3); qps > 0; --qps) totals[{host, lab.Connect(host, 0)}] = 0;
      }
      std::deque<Asked> asks;
      for (int i = 0; i < 60; ++i) {
        auto of = totals.begin();
        std::advance(of, random.Between(0, static_cast<int64_t>(totals.size()) - 1));
        const bool again = random.Between(0, 3) == 0;
        const uint64_t has = of->second - std::min<uint64_t>(of->second, random.Between(0, 5));
        if (!again) of->second += static_cast<uint64_t>(random.Between(1, 30));
        const Time at = (asks.empty() ? Time{} : asks.back().at) + Time(random.Between(1, 3'000'000));
        asks.push_back({at, of->first.first, of->first.second, of->second, has, again});
      }
      for (const Asked& a : asks) {
        At(a.at, [&lab, a] {
          FramePool& pool = lab.nic(0).pool();
          Frame* const f = pool.Take();
          f->kind = FrameKind::ask;
          f->about.credits = true;
          f->bytes = 78;
          f->priority = 6;
          f->src = a.host;
          f->qp = a.qp;
          f->named_by_sender = true;
          FrameExtension& e = pool.Attach(*f);
          e.psn = a.total;
          e.address = a.has;
          e.key = 3;
          e.length = a.again ? 1 : 0;
          lab.nic(0).Receive(lab.nic(0).port(), f);
        });
      }
      RunUntil(Milliseconds(2));
      std::vector<Given> given;
      for (const Lab::Sent& f : lab.Of(0, FrameKind::grant)) {
        EXPECT_EQ(f.priority, 6);
        EXPECT_EQ(f.bytes, 78u);
        given.push_back({f.at, f.dst, f.qp, f.psn});
      }
      EXPECT_EQ(given, NaiveCredits(asks, gigabits)) << seed;
    });
  }
}

/// The first product F needs no credit. Credit k arrives a round trip of control frames after the first
/// request, and k intervals later. Packet n leaves at line rate as soon as it may.
TEST(NicCredits, ALoneMessageTakesWhatIsComputed) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    InChild([&] {
      Random random(seed);
      const int gigabits = seed % 2 == 0 ? 100 : 25;
      const auto delays = random.Delays(2, seed % 3 == 0 ? 60'000 : 2000);
      const Scenario s = StarOf(2, gigabits, delays);
      Lab lab(s);
      const int64_t packets = random.Between(1, 4000);
      const uint32_t message = lab.Post(1, lab.Connect(1, 0), packets * kMtu);
      RunUntil(Milliseconds(20));

      const Time way = delays[0] + delays[1] + s.switches[0].transit();
      const Time round_trip = way * 2 + (On(kFull + 16, gigabits) + On(86, gigabits)) * 2;
      const int64_t free = (BytesIn(round_trip, GigabitsPerSecond(gigabits)).v + kFull - 1) / kFull;
      const Time first = (way + On(kControl, gigabits) * 2) * 2, each = On(kFull, gigabits, 0.98);
      Time sent;
      for (int64_t n = 0; n < packets; ++n) {
        const Time may = n < free ? Time{} : first + each * (n - free);
        sent = std::max(sent, may) + On(kFull, gigabits);
      }
      const Time expected = sent + way + On(kFull, gigabits);
      ASSERT_EQ(lab.messages[message].deliveries, 1);
      const auto asks = static_cast<int64_t>(lab.Of(1, FrameKind::ask).size());
      const Time off = lab.messages[message].delivered - expected;
      EXPECT_GE(off, Time{} - On(kFull, gigabits)) << seed << ", " << packets << " packets, free: " << free;
      // A request takes time on the receiver's line; the first waits for the first packet.
      EXPECT_LE(off, On(kFull, gigabits) * 3 + On(kControl, gigabits, 0.98) * asks) << seed;
      EXPECT_EQ(asks == 0, packets <= free);
      EXPECT_LE(asks, 2 + std::max<int64_t>(0, packets - free) / std::max<int64_t>(1, free / 2));
    });
  }
}

TEST(NicCredits, SendersShareTheReceiverWhateverTheirDistance) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    InChild([&] {
      Random random(seed);
      const int senders = static_cast<int>(random.Between(2, 12));
      const auto delays = random.Delays(senders + 1, seed % 2 == 0 ? 20'000 : 1000);
      Lab lab(StarOf(senders + 1, 100, delays));
      int64_t free = 0, pairs = 0;
      for (NodeId h = 1; h <= static_cast<NodeId>(senders); ++h) {
        for (auto qps = random.Between(1, 3); qps > 0; --qps, ++pairs) {
          lab.Post(h, lab.Connect(h, 0), 40'000'000);
          const Time trip =
              (delays[0] + delays[h] + lab.scenario.switches[0].transit()) * 2 + Nanoseconds(400);
          free += BytesIn(trip, GigabitsPerSecond(100)).v + kFull;
        }
      }
      // In the second millisecond all senders have had credits for long.
      RunUntil(Milliseconds(2));
      std::vector<int64_t> of(static_cast<size_t>(senders) + 1);
      int64_t all = 0;
      for (const Lab::Sent& f : lab.Of(0, FrameKind::grant)) {
        if (f.at < Milliseconds(1)) continue;
        ++of[f.dst];
        ++all;
      }
      // 98 % less the share of requests: 98 B for at least half a product, which is 5 packets or more.
      const double share = static_cast<double>(all * kFull * 8) / 1e-3 / 100e9;
      EXPECT_LE(share, 0.9801) << seed;
      EXPECT_GE(share, 0.96) << seed;
      for (size_t h = 1; h < of.size(); ++h) EXPECT_NEAR(of[h], all / senders, 1) << seed << ", host " << h;
      EXPECT_LE(lab.star().peak_queue(Watermark::user, 0, 3), free + pairs * kFull) << seed;
      EXPECT_EQ(lab.nic(0).counters().naks, 0u);
    });
  }
}

TEST(NicCredits, EveryMessageCompletesWhateverIsLost) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    InChild([&] {
      Random random(seed);
      const int hosts = static_cast<int>(random.Between(2, 5));
      Scenario s = StarOf(hosts, 100, random.Delays(hosts, 3000), ", retry: 30us");
      using Type = RecoveryParameters::Type;
      constexpr Type kRecoveries[] = {Type::go_back_n, Type::selective_repeat, Type::sender_window};
      for (NicParameters& nic : s.nics) {
        nic.transport.rto = Microseconds(200);
        nic.transport.retry = 100;
        nic.transport.recovery.type = kRecoveries[seed % 3];
      }
      SetPacketHeaders(s);
      Lab lab(s);
      const int64_t odds = random.Between(20, 200), controls = random.Between(3, 20);
      lab.lose = [&](NodeId, const Frame& f) {
        return random.Between(1, f.kind == FrameKind::data ? odds : controls) == 1;
      };
      for (NodeId h = 0; h < static_cast<NodeId>(hosts); ++h) {
        const uint32_t qp = lab.Connect(h, (h + 1) % static_cast<NodeId>(hosts));
        const uint32_t reader = lab.nic(h).AddQueuePair((h + 1) % static_cast<NodeId>(hosts), 3, 49153);
        for (int i = 0; i < 6; ++i) {
          const Time at = Microseconds(random.Between(0, 300));
          const int64_t bytes = random.Between(0, 300'000);
          const bool reads = random.Between(0, 1) == 0;
          At(at, [&lab, h, qp = reads ? reader : qp, bytes, reads] {
            const auto id = static_cast<uint32_t>(lab.messages.size());
            lab.messages.emplace_back();
            lab.nic(h).Post(qp, id, bytes, reads ? Operation::read_request : Operation::write);
          });
        }
      }
      RunUntil(Milliseconds(60));
      EXPECT_EQ(lab.errors, std::vector<std::string>{});
      ASSERT_EQ(lab.messages.size(), static_cast<size_t>(6 * hosts));
      for (const Lab::Message& m : lab.messages) EXPECT_EQ(m.completions, 1) << seed;
    });
  }
}

}  // namespace
}  // namespace headroom::nic_credits_test
