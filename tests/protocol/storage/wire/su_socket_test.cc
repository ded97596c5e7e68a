// Streams over sU-RDMA: the messages for each size, credits, and that data arrive once, complete and in
// order.
#include "protocol/storage/wire/su_socket.h"

#include <gtest/gtest.h>

#include <random>

#include "protocol/storage/wire/any_faults.h"
#include "protocol/storage/wire/su_lab.h"
#include "support/fewer.h"
#include "support/in_child.h"

namespace headroom::su_socket_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};

std::vector<uint8_t> Bytes(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(n);
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(random());
  return bytes;
}

void RunFor(Time t) {
  ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
  ns3::Simulator::Run();
}

TEST(SuSocket, work_requests_by_mode_are_those_of_the_paper) {
  InChild([] {
    SuParameters p;
    p.chunk = 1 << 20;
    SuLab lab(StarScenario(2, kLink), p);
    auto ends = lab.Join(0, 1);
    const auto size = [&](uint32_t n) {
      ends.a->Write(n, Bytes(n, n));
      RunFor(Milliseconds(1));
    };
    size(4096);
    EXPECT_EQ(ends.a->counters().sends, 1u);
    size(65'536);
    EXPECT_EQ(ends.a->counters().sends, 2u);  // the message "write done"
    EXPECT_EQ(ends.a->counters().writes, 1u);
    size(65'537);
    EXPECT_EQ(ends.a->counters().sends, 3u);  // the descriptor
    EXPECT_EQ(ends.b->counters().reads, 1u);
    EXPECT_EQ(ends.b->counters().sends, 1u);  // the message "read done"
    EXPECT_EQ(ends.at_b->received, 4096u + 65'536 + 65'537);
    EXPECT_EQ(lab.RnrNaks(), 0u);
  });
}

TEST(SuSocket, without_credits_nothing_is_sent_and_no_receiver_is_not_ready) {
  InChild([] {
    SuParameters p;
    p.credits = 8;
    SuLab lab(StarScenario(2, kLink), p);
    auto ends = lab.Join(0, 1);
    bool refuse = true;
    ends.at_b->refuse = [&] { return refuse; };
    for (int i = 0; i < 20; ++i) ends.a->Write(1000, Bytes(1000, i));
    RunFor(Milliseconds(5));
    EXPECT_EQ(ends.a->counters().chunks[0], 8u);
    EXPECT_EQ(ends.a->credits(), 0u);
    refuse = false;
    ends.b->Resume();
    RunFor(Milliseconds(5));
    EXPECT_EQ(ends.at_b->received, 20'000u);
    EXPECT_EQ(lab.RnrNaks(), 0u);
  });
}

TEST(SuSocket, one_buffer_at_the_receiver_is_enough_both_ways) {
  InChild([] {
    SuParameters p;
    p.credits = 1;
    p.landings = 1;
    p.chunk = 100'000;
    SuLab lab(StarScenario(2, kLink), p, {}, 1);
    auto ends = lab.Join(0, 1);
    for (const uint32_t n : {100u, 5'000u, 90'000u, 7u, 200'000u, 60'000u}) {
      ends.a->Write(n, Bytes(n, n));
      ends.b->Write(n, Bytes(n, n));
    }
    RunFor(Milliseconds(20));
    EXPECT_EQ(ends.at_b->received, ends.a->written());
    EXPECT_EQ(ends.at_a->received, ends.b->written());
    EXPECT_EQ(lab.RnrNaks(), 0u);
  });
}

TEST(SuSocket, a_wrong_byte_is_found_told_and_never_handed_over) {
  for (const uint32_t n : {3'000u, 30'000u, 90'000u}) {
    InChild([n] {
      SuParameters p;
      p.chunk = 100'000;
      SuLab lab(StarScenario(2, kLink), p);
      int left = 1;
      lab.lose = [&](NodeId, const Frame& f) {
        auto* e = const_cast<FrameExtension*>(lab.network->pool().ExtensionOf(f));
        if (f.kind == FrameKind::data && e != nullptr && e->payload.size() > 500 && left-- == 1)
          e->payload[400] ^= 4;
        return false;
      };
      auto ends = lab.Join(0, 1);
      const auto bytes = Bytes(n, 7);
      ends.a->Write(n, bytes);
      RunFor(Milliseconds(20));
      EXPECT_EQ(ends.at_b->corrupt, 1);
      EXPECT_EQ(ends.at_b->bytes, bytes);
    });
  }
}

TEST(SuSocket, an_end_gives_back_the_memory_of_what_was_under_way) {
  for (const uint32_t n : {30'000u, 90'000u}) {
    for (int at_us = 1; at_us < 20; at_us += 2) {
      InChild([=] {
        SuParameters p;
        p.chunk = 100'000;
        SuLab lab(StarScenario(2, kLink), p);
        auto ends = lab.Join(0, 1);
        RunFor(Milliseconds(1));
        for (int i = 0; i < 9; ++i) ends.a->Write(n, Bytes(n, 7));
        RunFor(Microseconds(at_us));
        ends.a->End();
        RunFor(Milliseconds(20));
        EXPECT_TRUE(ends.at_a->ended && ends.at_b->ended);
        for (const SuLab::Host& host : lab.hosts) {
          EXPECT_EQ(host.outgoing->taken(), 0u);
          EXPECT_EQ(host.incoming->taken(), 0u);
        }
      });
    }
  }
}

/// Any faults of frames, queue pairs and bytes: one host has three connections, two of which share a core and
/// pools at both ends. Returns all events with their times.
std::string AnySchedule(uint32_t seed, bool content) {
  std::mt19937 random(seed);
  const auto draw = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  SuParameters p;
  p.content = content;
  p.credits = 1 + draw(8);
  p.landings = 1 + draw(4);
  p.chunk = std::vector<uint32_t>{2'000, 65'536, 200'000}[draw(3)];
  const CoreCosts costs = draw(2) == 0 ? CoreCosts{} : CoreCosts{2.5e9, {2000, 0.5}, {}, {}};
  Scenario scenario = StarScenario(3, kLink);
  if (draw(2) == 0) AddAnyFaults(scenario, random, Milliseconds(8));
  SuLab lab(scenario, p, costs, 1 + draw(3));
  const double loss = std::vector<double>{0, 0.001, 0.02}[draw(3)];
  lab.lose = [&](NodeId, const Frame&) { return static_cast<double>(random()) < loss * 4294967296.0; };
  struct Connection {
    NodeId a, b;
    SuLab::Ends ends;
  };
  std::vector<Connection> connections;
  for (const auto& [a, b] : {std::pair<NodeId, NodeId>{0, 1}, {2, 0}, {0, 1}})
    connections.push_back({a, b, lab.Join(a, b)});
  bool calm = false;
  for (Connection& c : connections) {
    for (SuReader* reader : {c.ends.at_a.get(), c.ends.at_b.get()})
      reader->refuse = [&] { return !calm && draw(4) == 0; };
  }
  std::map<SuSocket*, std::vector<uint8_t>> written;
  for (int step = 0; step < 60; ++step) {
    Connection& c = connections[draw(3)];
    const bool at_a = draw(2) == 0;
    SuSocket* const s = at_a ? c.ends.a.get() : c.ends.b.get();
    switch (draw(5)) {
      case 0:
        c.ends.a->Resume(), c.ends.b->Resume();
        break;
      case 1:
        if (draw(4) == 0 && s->qp() != nullptr) {
          QpAttr attr;
          attr.state = QpState::err;
          lab.verbs(at_a ? c.a : c.b).ModifyQp(s->qp(), attr);
        }
        break;
      default: {
        const uint32_t n = 1 + draw(std::vector<uint32_t>{100, 5'000, 70'000, 300'000}[draw(4)]);
        const auto bytes = Bytes(n, random());
        written[s].insert(written[s].end(), bytes.begin(), bytes.end());
        s->Write(n, content ? bytes : std::vector<uint8_t>{});
      }
    }
    RunFor(Microseconds(draw(200)));
  }
  calm = true;
  for (Connection& c : connections) c.ends.a->Resume(), c.ends.b->Resume();
  RunFor(Seconds(2));
  std::string text = lab.Transcript();
  for (Connection& c : connections) {
    for (const bool a_to_b : {true, false}) {
      SuSocket& from = a_to_b ? *c.ends.a : *c.ends.b;
      const SuReader& reader = a_to_b ? *c.ends.at_b : *c.ends.at_a;
      EXPECT_EQ(reader.received, written[&from].size());
      // When nothing is under way, each credit and each landing is at one end.
      const SuSocket& to = a_to_b ? *c.ends.b : *c.ends.a;
      EXPECT_TRUE(from.joined());
      EXPECT_EQ(from.credits() + to.owed_credits(), p.credits);
      EXPECT_EQ(from.free_landings() + to.owed_landings(), p.landings);
      EXPECT_TRUE(!content || reader.bytes == written[&from]);
      const SuSocket::Counters& n = from.counters();
      for (const uint64_t count :
           {n.chunks[0], n.chunks[1], n.chunks[2], n.sends, n.writes, n.reads, n.credit_messages, n.corrupt,
            n.losses, n.starved, static_cast<uint64_t>(reader.last.v), static_cast<uint64_t>(reader.corrupt)})
        text += std::to_string(count) + ' ';
    }
  }
  EXPECT_EQ(lab.RnrNaks(), 0u);
  return text;
}

TEST(SuSocket, streams_come_once_whole_and_in_order_whatever_fails_and_counted_ones_at_the_same_times) {
  for (uint32_t seed = 1; seed <= FewerIfSanitized(40); ++seed) {
    SCOPED_TRACE(seed);
    const std::string carried = TextFromChild([seed] { return AnySchedule(seed, true); });
    EXPECT_EQ(TextFromChild([seed] { return AnySchedule(seed, false); }), carried);
  }
}

}  // namespace
}  // namespace headroom::su_socket_test
