// A connection of NCCL's net_ib. The frames on the wire, in order; each chunk arrives once.
#include "protocol/nccl/nccl_connection.h"

#include <gtest/gtest.h>
#include <ns3/simulator.h>

#include <algorithm>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/ideal_path.h"
#include "net/opcode.h"
#include "support/dice.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::nccl_connection_test {
namespace {

struct Setting {
  Time delay = Microseconds(2);  ///< delay of each of two links
  double loss = 0;
  NcclParameters p;
};

NcclParameters Free() {
  NcclParameters p;
  p.channels = 1;
  p.costs.post = p.costs.completion = Time(0);
  p.timeout = 6;  // 262 us
  return p;
}

class Lab : public VerbsLab {
 public:
  explicit Lab(const Setting& setting)
      : VerbsLab(StarScenario(2, {GigabitsPerSecond(100), setting.delay, Time{}, setting.loss})),
        p(setting.p),
        a(verbs(0), network->context(0), p.costs.OfCores()),
        b(verbs(1), network->context(1), p.costs.OfCores()),
        sender(
            a, p, 3, 0, [this] { ++failures; }, [this](uint32_t operation) { ++groups[operation]; }),
        receiver(b, p, 3, 0, [this] { ++failures; }) {
    NcclSender::Join(sender, receiver, 49152);
  }

  /// The sender posts it at `at`, the receiver posts its buffer `late` later. REQUIRES: the two orders are
  /// equal.
  void MessageAt(Time at, Time late, uint64_t bytes) {
    const auto operation = static_cast<uint32_t>(groups.size());
    groups.push_back(0);
    const MessageCut cut(bytes, p, 0);
    steps.push_back(cut.Steps());
    all += bytes;
    const auto schedule = [](Time then, auto call) {
      ns3::Simulator::Schedule(ns3::PicoSeconds(then.v), call);
    };
    schedule(at, [this, operation, cut] { sender.Send(operation, cut); });
    schedule(at + late, [this, cut] { receiver.Receive(cut); });
  }
  void Run() { ns3::Simulator::Run(); }
  /// Times of data frames, one for each message: its last frame, or its first.
  std::vector<Time> Lasts(NodeId host) const {
    return Times(host, [](uint8_t opcode) { return HasImmediate(opcode); });
  }
  std::vector<Time> Firsts(NodeId host) const {
    return Times(host, [](uint8_t opcode) { return HasReth(opcode); });
  }

  const NcclParameters p;
  Process a, b;
  std::vector<uint64_t> groups, steps;  ///< by operation of this connection
  uint64_t all = 0;                     ///< all bytes
  int failures = 0;
  NcclSender sender;
  NcclReceiver receiver;

 private:
  template <class Is>
  std::vector<Time> Times(NodeId host, const Is& is) const {
    std::vector<Time> times;
    for (const Sent& f : Of(host, FrameKind::data))
      if (is(f.opcode)) times.push_back(f.at);
    return times;
  }
};

/// The first frame of data leaves one one-way time of a clear-to-send after the receiver's request, however
/// late that is, behind the NIC's own ACK of the clear-to-send.
TEST(NcclConnection, data_start_one_way_of_a_clear_to_send_after_the_receiver_asked) {
  for (const Time late : {Time(0), Microseconds(333)}) {
    for (const Time delay : {Microseconds(2), Microseconds(7)}) {
      InChild([=] {
        Lab lab({.delay = delay, .p = Free()});
        const Fabric fabric(lab.scenario);
        const IdealPath path =
            IdealPathOf(lab.scenario, fabric.paths().Of(1, 0, 0xC000), fabric.paths().Of(0, 1, 0xC000));
        const Time one_way = IdealArrival(path, Bytes(ClearToSend::kBytes), Operation::write);
        lab.MessageAt(Microseconds(1), late, 3'000'000);
        lab.Run();
        EXPECT_EQ(lab.Lasts(0).size(), 6u);
        const Bytes ack(lab.Of(0, FrameKind::ack).at(0).bytes + lab.scenario.frames.gap);
        EXPECT_EQ(lab.Firsts(0).at(0),
                  Microseconds(1) + late + one_way + SerializationTime(ack, GigabitsPerSecond(100)));
      });
    }
  }
}

TEST(NcclConnection, eight_steps_are_on_their_way_at_a_time) {
  InChild([] {
    Setting setting{.delay = Microseconds(500), .p = Free()};
    setting.p.chunk = Bytes(1000);
    setting.p.timeout = 10;
    Lab lab(setting);
    lab.MessageAt(Time(0), Time(0), 20'000);
    lab.Run();
    const std::vector<Time> data = lab.Firsts(0);
    ASSERT_EQ(data.size(), 20u);
    // The ninth message waits for the round trip of a step, and for its own clear-to-send. They leave
    // together.
    EXPECT_LT(data[7] - data[0], Microseconds(1));
    EXPECT_GT(data[8] - data[0], Microseconds(2000));
    EXPECT_LT(data[8] - data[0], Microseconds(2010));
    EXPECT_GT(data[16] - data[8], Microseconds(2000));
  });
}

/// Messages with random sizes, options, delays, distances and losses.
TEST(NcclConnection, random_messages_arrive_once_each_behind_its_clear_to_send) {
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] {
      Dice d(seed);
      Setting setting{.delay = Nanoseconds(d.Between(10, 20'000)),
                      .loss = d.OneIn(2) ? 0.005 : 0.0,
                      .p = d.OneIn(2) ? Free() : NcclParameters()};
      NcclParameters& p = setting.p;
      p.timeout = 6;
      p.channels = p.group = d.OneOf<int>({1, 1, 2, 5, 8});
      p.chunk = Bytes(d.Between(1, 40'000));
      p.queue_pairs = d.OneOf<int>({1, 1, 2, 3});
      p.split = d.OneIn(2);
      p.adaptive_routing = d.OneIn(3);
      p.steps = static_cast<int>(d.OneOf<int64_t>({1, 2, 8}));
      Lab lab(setting);
      Time at, received;
      for (int64_t message = d.Between(1, 12); message > 0; --message) {
        at += Nanoseconds(d.Between(0, 20'000));
        // The receiver posts in the same order.
        const Time late = std::max(received - at, Nanoseconds(d.OneIn(2) ? 0 : d.Between(0, 100'000)));
        received = at + late;
        lab.MessageAt(at, late,
                      static_cast<uint64_t>(std::min<int64_t>(d.Between(1, 400'000), 200 * p.chunk.v)));
      }
      lab.Run();
      EXPECT_EQ(lab.failures, 0);
      EXPECT_EQ(lab.groups, lab.steps);
      NcclCounts c = lab.sender.counts();
      c += lab.receiver.counts();
      uint64_t groups = 0;
      for (const uint64_t of : lab.steps) groups += of;
      EXPECT_EQ(c.clear_to_sends, groups);
      EXPECT_EQ(c.data_messages, groups * static_cast<uint64_t>(p.split ? p.queue_pairs : 1));
      EXPECT_EQ(c.received, groups);
      EXPECT_EQ(c.sent_bytes, lab.all);
      EXPECT_EQ(c.received_bytes, lab.all);
      EXPECT_EQ(c.unexpected, 0u);
      for (NodeId host = 0; host < 2; ++host) EXPECT_EQ(lab.counters(host).rnr_naks, 0u);
      if (p.group == 1 && !p.adaptive_routing) {
        EXPECT_EQ(c.writes, 0u);
      }
      if (setting.loss > 0) return;
      // There are as many on the wire, and the first frame of a group leaves only after its clear-to-send has
      // arrived.
      EXPECT_EQ(lab.Lasts(0).size(), c.data_messages);
      EXPECT_EQ(lab.Firsts(1).size(), c.clear_to_sends);
      if (p.split || c.writes > 0) return;
      const std::vector<Time> data = lab.Firsts(0), cleared = lab.Firsts(1);
      for (size_t i = 0; i < data.size(); ++i)
        EXPECT_GE(data[i], cleared[i] + setting.delay * 2 + Nanoseconds(500)) << i;
    });
  }
}

TEST(MessageCut, channels_carry_every_byte_once) {
  Dice d(1);
  for (int i = 0; i < 200; ++i) {
    NcclParameters p;
    p.channels = static_cast<int>(d.Between(1, 9));
    p.group = static_cast<int>(d.Between(1, std::min(8, p.channels)));
    p.chunk = Bytes(d.Between(1, 5000));
    const auto bytes = static_cast<uint64_t>(d.Between(1, 50'000));
    uint64_t sum = 0;
    for (int c = 0; c < p.connections(); ++c) {
      const MessageCut cut(bytes, p, c);
      for (uint64_t step = 0; step < cut.Steps(); ++step) {
        const std::vector<uint32_t> sizes = cut.Sizes(step);
        ASSERT_FALSE(sizes.empty());
        ASSERT_LE(sizes.size(), static_cast<size_t>(p.group));
        for (const uint32_t size : sizes) {
          ASSERT_LE(size, static_cast<uint32_t>(p.chunk.v));
          sum += size;
          uint32_t parts = 0;
          for (uint32_t part = 0; part < 3; ++part) {
            EXPECT_EQ(PartOf(size, part, 3).offset, parts);
            parts += PartOf(size, part, 3).bytes;
          }
          EXPECT_EQ(parts, size);
        }
      }
    }
    EXPECT_EQ(sum, bytes);
  }
}

TEST(ClearToSend, has_the_fields_that_the_source_has) {
  const ClearToSend entry{0x1122334455667788, 0x123456789A, 0xAABBCCDD, 3, 2, 77};
  uint8_t image[ClearToSend::kBytes] = {};
  entry.Put(image);
  EXPECT_EQ(image[0], 0x88);
  EXPECT_EQ(image[8], 0x9A);
  EXPECT_EQ(image[16], 0xDD);
  EXPECT_EQ(image[48], 3);
  EXPECT_EQ(image[52], 2);
  EXPECT_EQ(image[56], 77);
  EXPECT_EQ(ClearToSend::At(image).address, entry.address);
  EXPECT_EQ(ClearToSend::At(image).rkey, entry.rkey);
}

}  // namespace
}  // namespace headroom::nccl_connection_test
