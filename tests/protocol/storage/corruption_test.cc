// One byte that is changed behind all checks, wherever it falls: of data it is found by their CRC, of a
// message by its check, with content and without. Found data are never handed over, and nothing is lost.
#include <gtest/gtest.h>

#include "protocol/storage/sk_server.h"
#include "protocol/storage/su_lab.h"
#include "support/in_child.h"

namespace headroom::corruption_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};

void RunFor(Time t) {
  ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
  ns3::Simulator::Run();
}

/// Changes a byte of the first packet that comes to lie in this host's memory from now on, if one does within
/// 30 us. Steps of 20 ns: a packet of 1 KiB takes 85 ns.
bool HitOnce(SuLab& lab, NodeId host) {
  Verbs& verbs = lab.verbs(host);
  const size_t number = verbs.AddCorruption(1, "h" + std::to_string(host) + "/corrupt");
  verbs.SetCorruption(number, true);
  for (int i = 0; i < 1500 && lab.counters(host).corrupted_packets == 0; ++i) RunFor(Nanoseconds(20));
  verbs.SetCorruption(number, false);
  return lab.counters(host).corrupted_packets == 1;
}

size_t Differing(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  size_t n = a.size() == b.size() ? 0 : SIZE_MAX;
  for (size_t i = 0; n != SIZE_MAX && i < a.size(); ++i) n += a[i] != b[i];
  return n;
}

/// A stream of one Write, and a byte changed at one end, `after` its beginning. What came of it, for sums.
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
  // More, so that messages which stand alone behind it are answered for too.
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

TEST(Corruption, a_byte_of_a_stream_is_found_once_and_none_is_handed_over) {
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

TEST(Corruption, without_crc_data_are_handed_over_as_they_are_and_messages_are_not) {
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

TEST(Corruption, without_crc_counted_data_are_handed_over_too) {
  for (const uint32_t bytes : {30'000u, 90'000u}) {
    InChild([bytes] {
      const OfStream of = Stream(bytes, 1, Nanoseconds(bytes == 30'000 ? 1000 : 4000), false, false);
      EXPECT_EQ(of.hits, 1);
      EXPECT_EQ(of.reports, 0);
    });
  }
}

TEST(Corruption, a_connection_is_made_though_what_makes_it_is_damaged) {
  // Every other datagram of 256 bytes at either end, for 50 ms.
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

/// Stores one block, which a read finds.
class OneBlock final : public SkDisk {
 public:
  void Execute(SkKind kind, uint64_t, uint32_t length, uint8_t* data, Done done) override {
    ++executed;
    if (data != nullptr && kind == SkKind::write) stored.assign(data, data + length);
    if (data != nullptr && kind == SkKind::read) std::copy_n(stored.begin(), length, data);
    done(SkStatus::ok);
  }
  std::vector<uint8_t> stored;
  int executed = 0;
};

/// An I/O, and a byte changed at one end.
struct OfIo {
  int hits = 0;
  SkStatus status = SkStatus::failed;
  uint64_t found = 0, losses = 0;
  size_t differing = 0;  ///< of the data where they arrived
  int executed = 0;
};
OfIo Io(SkKind kind, NodeId at, Time after, bool crc, bool content) {
  constexpr uint32_t kLength = 20'000;
  SkParameters p;
  p.crc = crc;
  p.content = content;
  SuLab lab(StarScenario(2, kLink));
  OneBlock disk;
  if (content) disk.stored.assign(kLength, kind == SkKind::read ? 7 : 0);
  RegisteredPool pool(lab.verbs(1), {1 << 20, 1 << 20, 64, content}, uint64_t{5} << 40);
  SkClient client(*lab.hosts[0].process, *lab.hosts[0].cm, p, lab.network->context(0), "disk");
  SkServer server(*lab.hosts[1].process, *lab.hosts[1].cm, pool, p, disk, "server");
  client.Open(1, lab.Listen(1, server));
  RunFor(Milliseconds(1));
  OfIo of;
  std::vector<uint8_t> read;
  const bool writes = kind == SkKind::write;
  client.Submit({kind, 1, kLength, std::vector<uint8_t>(writes && content ? kLength : 0, 7)},
                [&](const SkEnd& e) { of.status = e.status, read = e.bytes; });
  RunFor(after);
  of.hits = HitOnce(lab, at);
  RunFor(Milliseconds(40));
  of.found = client.counters().corrupt + server.counters().corrupt;
  of.losses = client.counters().losses + server.counters().losses;
  if (content) of.differing = Differing(writes ? disk.stored : read, std::vector<uint8_t>(kLength, 7));
  of.executed = disk.executed;
  return of;
}

TEST(Corruption, a_byte_of_an_io_is_told_and_one_of_its_messages_only_costs_time) {
  int messages = 0, data = 0;
  for (const SkKind kind : {SkKind::read, SkKind::write}) {
    for (const NodeId at : {0u, 1u}) {
      for (const int after : {0, 2000, 4000, 5500}) {
        for (const bool content : {true, false}) {
          SCOPED_TRACE(std::to_string(at) + " after " + std::to_string(after));
          const std::string text = TextFromChild([&] {
            const OfIo of = Io(kind, at, Nanoseconds(after), true, content);
            EXPECT_EQ(of.found, static_cast<uint64_t>(of.hits));
            if (of.hits == 0) {
              EXPECT_EQ(of.status, SkStatus::ok);
              return "none";
            }
            if (of.losses > 0) {  // a message
              EXPECT_EQ(of.status, SkStatus::ok);
              EXPECT_EQ(of.differing, 0u);
              EXPECT_EQ(of.executed, kind == SkKind::write ? 1 : of.executed);
              return "message";
            }
            EXPECT_EQ(of.status, SkStatus::corrupt);
            EXPECT_EQ(of.executed, kind == SkKind::write ? 0 : 1);
            return "data";
          });
          messages += text == "message";
          data += text == "data";
        }
      }
    }
  }
  EXPECT_GE(messages, 4);
  EXPECT_GE(data, 8);
}

TEST(Corruption, without_crc_an_io_ends_well_and_its_data_are_damaged) {
  for (const SkKind kind : {SkKind::read, SkKind::write}) {
    InChild([kind] {
      const NodeId at = kind == SkKind::read ? 0 : 1;
      const OfIo of = Io(kind, at, Nanoseconds(4000), false, true);
      EXPECT_EQ(of.hits, 1);
      EXPECT_EQ(of.status, SkStatus::ok);
      EXPECT_EQ(of.differing, 1u);
      EXPECT_EQ(of.found, 0u);
    });
  }
}

}  // namespace
}  // namespace headroom::corruption_test
