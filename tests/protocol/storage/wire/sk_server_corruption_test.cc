// One byte of an I/O changes behind all checks, at any position, with contents and without. A changed byte of
// data is reported with the I/O; one of a message only costs time.
#include <gtest/gtest.h>

#include "protocol/storage/wire/hit_once.h"
#include "protocol/storage/wire/sk_server.h"
#include "support/in_child.h"

namespace headroom::sk_server_corruption_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0};

void RunFor(Time t) {
  ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
  ns3::Simulator::Run();
}

/// Stores one block, which a read returns.
class OneBlock final : public SkDisk {
 public:
  void Execute(const SkMessage& request, uint8_t* data, Done done) override {
    const auto [kind, length] = std::pair(request.kind, request.length);
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
  size_t differing = 0;  ///< bytes of the data that differ where they arrived
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
  SkClient client(*lab.hosts[0].process, *lab.hosts[0].cm, p,
                  EventQueue::Get().AddEntity(lab.network->context(0)), "disk");
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

TEST(SkServerCorruption, a_byte_of_an_io_is_told_and_one_of_its_messages_only_costs_time) {
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
            if (of.losses > 0) {  // the byte was in a message
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

TEST(SkServerCorruption, without_crc_an_io_ends_well_and_its_data_are_damaged) {
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
}  // namespace headroom::sk_server_corruption_test
