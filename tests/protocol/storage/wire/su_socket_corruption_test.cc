// One byte of a stream that changes behind all checks, anywhere: in data their CRC finds it, in a message its
// check, with contents and without. Data with an error are never delivered, and nothing is lost.
#include <gtest/gtest.h>

#include "protocol/storage/wire/hit_once.h"
#include "support/in_child.h"

namespace headroom::su_socket_corruption_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};

void RunFor(Time t) {
  ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
  ns3::Simulator::Run();
}

/// A stream of one Write, and a byte that changes at one end, `after` its beginning. Its outcome, which can
/// be added up.
struct OfStream {
  int hits = 0, reports = 0, delivered = 0;
};
OfStream Stream(uint32_t bytes, NodeId at, Time after, bool crc, bool content) {
  SuParameters p;
  p.chunk = 100'000;
  p.crc = crc;
  p.content = content;
  SuLab lab(StarScenario(2, kLink), p);
  auto ends = lab.Join(0, 1);
  RunFor(Milliseconds(1));
  const std::vector<uint8_t> data(content ? bytes : 0, 7);
  ends.a->Write(bytes, data);
  RunFor(after);
  const bool hit = HitOnce(lab, at);
  RunFor(Milliseconds(20));
  // There are more bytes, so that lone messages after it are answered too.
  ends.a->Write(1, std::vector<uint8_t>(content ? 1 : 0, 7));
  ends.b->Write(1, std::vector<uint8_t>(content ? 1 : 0, 7));
  RunFor(Milliseconds(20));
  OfStream of{hit, ends.at_a->corrupt + ends.at_b->corrupt, 0};
  EXPECT_EQ(ends.at_b->received, bytes + 1);
  EXPECT_EQ(ends.at_a->received, 1u);
  if (content)
    of.delivered = static_cast<int>(Differing(ends.at_b->bytes, std::vector<uint8_t>(bytes + 1, 7)));
  EXPECT_EQ(ends.a->counters().losses + ends.b->counters().losses > 0, of.reports > 0);
  EXPECT_EQ(lab.RnrNaks(), 0u);
  return of;
}

TEST(SuSocketCorruption, a_byte_of_a_stream_is_found_once_and_none_is_handed_over) {
  int hits = 0;
  for (const uint32_t bytes : {3'000u, 30'000u, 90'000u}) {
    for (const NodeId at : {0u, 1u}) {
      for (const int after : {0, 2000, 4000, 6000}) {
        for (const bool content : {true, false}) {
          SCOPED_TRACE(std::to_string(bytes) + " at " + std::to_string(at) + " after " +
                       std::to_string(after));
          const std::string text = TextFromChild([&] {
            const OfStream of = Stream(bytes, at, Nanoseconds(after), true, content);
            EXPECT_EQ(of.reports, of.hits);
            EXPECT_EQ(of.delivered, 0);
            return std::to_string(of.hits);
          });
          hits += text == "1";
        }
      }
    }
  }
  EXPECT_GE(hits, 20);
}

TEST(SuSocketCorruption, without_crc_data_are_handed_over_as_they_are_and_messages_are_not) {
  int reports = 0, delivered = 0;
  for (const uint32_t bytes : {100u, 3'000u, 30'000u, 90'000u}) {
    for (const NodeId at : {0u, 1u}) {
      for (const int after : {0, 2000, 4000}) {
        const std::string text = TextFromChild([&] {
          const OfStream of = Stream(bytes, at, Nanoseconds(after), false, true);
          EXPECT_EQ(of.reports + of.delivered, of.hits);  // one of them
          return std::to_string(of.reports) + std::to_string(of.delivered);
        });
        reports += text == "10";
        delivered += text == "01";
      }
    }
  }
  EXPECT_GE(reports, 3);
  EXPECT_GE(delivered, 3);
}

TEST(SuSocketCorruption, without_crc_counted_data_are_handed_over_too) {
  for (const uint32_t bytes : {30'000u, 90'000u}) {
    InChild([bytes] {
      const OfStream of = Stream(bytes, 1, Nanoseconds(bytes == 30'000 ? 1000 : 4000), false, false);
      EXPECT_EQ(of.hits, 1);
      EXPECT_EQ(of.reports, 0);
    });
  }
}

TEST(SuSocketCorruption, a_connection_is_made_though_what_makes_it_is_damaged) {
  // Every other datagram of 256 bytes is changed at either end, for 50 ms.
  InChild([] {
    Scenario s = StarScenario(2, kLink);
    for (const NodeId host : {0u, 1u})
      s.faults.emplace_back(CorruptFault{host, 0.5, {Time{}, Milliseconds(50), Time{}, 1}});
    SuLab lab(s);
    auto ends = lab.Join(0, 1);
    ends.a->Write(3, {1, 2, 3});
    RunFor(Milliseconds(300));
    EXPECT_GT(lab.counters(0).corrupted_packets + lab.counters(1).corrupted_packets, 0u);
    EXPECT_EQ(ends.at_b->bytes, (std::vector<uint8_t>{1, 2, 3}));
  });
}

}  // namespace
}  // namespace headroom::su_socket_corruption_test
