// Bytes that are changed behind the NIC's checks: their packets, and how long memory stays damaged.
#include "nic/verbs/damage.h"

#include <gtest/gtest.h>

#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::damage_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};
constexpr uint32_t kBytes = 2500;  // three packets
constexpr unsigned kAll = kLocalWrite | kRemoteWrite | kRemoteRead;

/// Hosts in a row, each with one region of kBytes at address 0x1000, with contents or without.
struct Row {
  explicit Row(const std::vector<bool>& content)
      : lab(StarScenario(static_cast<int>(content.size()), kLink)), bytes(content.size()) {
    for (int h = 0; h < static_cast<int>(content.size()); ++h) {
      if (content[h]) bytes[h].resize(kBytes);
      regions.push_back(lab.verbs(h).RegMr(0x1000, kBytes, kAll, bytes[h]));
      if (h > 0) pairs.push_back(lab.Connect(h - 1, h));
    }
  }
  /// Transfers the whole region between a host and the next, to whose end it arrives. The host that receives
  /// posts a READ.
  void Bring(int from, WrOpcode opcode) {
    const bool read = opcode == WrOpcode::rdma_read;
    const int at = read ? from + 1 : from, other = read ? from : from + 1;
    if (opcode == WrOpcode::send)
      lab.verbs(other).PostRecv(pairs[from].b, {1, {0x1000, kBytes, regions[other]->lkey}});
    SendWr wr = Signaled(opcode, 1, kBytes);
    wr.sge = {0x1000, kBytes, regions[at]->lkey};
    wr.remote_addr = 0x1000;
    wr.rkey = regions[other]->rkey;
    EXPECT_EQ(lab.verbs(at).PostSend(read ? pairs[from].b : pairs[from].a, wr), 0);
    RunUntil(EventQueue::Get().now() + Milliseconds(1));
    for (CompletionQueue* cq : {pairs[from].cq_a, pairs[from].cq_b}) VerbsLab::PollAll(cq);
  }
  /// The bytes of a host's region that are not zero, or are damaged.
  std::vector<uint32_t> Broken(int h) {
    std::vector<uint32_t> broken;
    for (uint32_t i = 0; i < kBytes; ++i) {
      const bool is =
          bytes[h].empty() ? lab.verbs(h).Damaged(regions[h]->rkey, 0x1000 + i, 1) : bytes[h][i] != 0;
      if (is) broken.push_back(i);
    }
    return broken;
  }

  VerbsLab lab;
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<MemoryRegion*> regions;
  std::vector<VerbsLab::Pair> pairs;
};

/// Expects one byte in each packet: [0, 1024), [1024, 2048), [2048, 2500).
void ExpectOneOfEach(const std::vector<uint32_t>& broken) {
  ASSERT_EQ(broken.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(broken[i] / 1024, i);
}

TEST(Damage, one_byte_of_each_packet_at_the_receiver) {
  for (const WrOpcode opcode : {WrOpcode::send, WrOpcode::rdma_write, WrOpcode::rdma_read}) {
    for (const bool content : {true, false}) {
      InChild([&] {
        Row row({content, content});
        row.lab.verbs(1).SetCorruption(row.lab.verbs(1).AddCorruption(1, "h1/corrupt"), true);
        row.Bring(0, opcode);
        EXPECT_EQ(row.lab.counters(1).corrupted_packets, 3u);
        EXPECT_EQ(row.lab.counters(0).corrupted_packets, 0u);
        EXPECT_TRUE(row.Broken(0).empty());
        ExpectOneOfEach(row.Broken(1));
      });
    }
  }
}

TEST(Damage, the_same_bytes_with_content_and_without) {
  InChild([] {
    Row row({true, true, false, false});
    for (const int to :
         {1, 3}) {  // one after the other, from streams with one name: they draw the same numbers
      Verbs& verbs = row.lab.verbs(to);
      verbs.SetCorruption(verbs.AddCorruption(0.8, "host/corrupt"), true);
      for (int i = 0; i < 4; ++i) row.Bring(to - 1, WrOpcode::rdma_write);
    }
    EXPECT_FALSE(row.Broken(1).empty());
    EXPECT_EQ(row.Broken(1), row.Broken(3));
    EXPECT_EQ(row.lab.counters(1).corrupted_packets, row.lab.counters(3).corrupted_packets);
  });
}

TEST(Damage, as_often_as_its_probability_says_and_only_while_it_is_on) {
  InChild([] {
    Row row({false, false});
    Verbs& verbs = row.lab.verbs(1);
    const size_t number = verbs.AddCorruption(0.1, "h1/corrupt");
    row.Bring(0, WrOpcode::rdma_write);
    EXPECT_EQ(row.lab.counters(1).corrupted_packets, 0u);
    verbs.SetCorruption(number, true);
    for (int i = 0; i < 1000; ++i) row.Bring(0, WrOpcode::rdma_write);
    // Of 3000 packets 300 are damaged, with a tolerance of four deviations of sqrt(3000 * 0.1 * 0.9) = 16.4.
    EXPECT_NEAR(static_cast<double>(row.lab.counters(1).corrupted_packets), 300, 66);
    verbs.SetCorruption(number, false);
    const uint64_t before = row.lab.counters(1).corrupted_packets;
    row.Bring(0, WrOpcode::rdma_write);
    EXPECT_EQ(row.lab.counters(1).corrupted_packets, before);
    EXPECT_TRUE(row.Broken(1).empty());  // new data overwrote it
  });
}

TEST(Damage, what_is_broken_is_sent_on_broken) {
  for (const WrOpcode opcode : {WrOpcode::send, WrOpcode::rdma_write, WrOpcode::rdma_read}) {
    for (const bool content : {true, false}) {
      InChild([&] {
        Row row({content, content, content});
        Verbs& verbs = row.lab.verbs(1);
        const size_t number = verbs.AddCorruption(1, "h1/corrupt");
        verbs.SetCorruption(number, true);
        row.Bring(0, WrOpcode::rdma_write);
        verbs.SetCorruption(number, false);
        row.Bring(1, opcode);
        ExpectOneOfEach(row.Broken(1));
        EXPECT_EQ(row.Broken(2), row.Broken(1));
      });
    }
  }
}

TEST(Damage, what_a_program_writes_and_what_is_registered_anew_is_sound) {
  InChild([] {
    Row row({false, false});
    Verbs& verbs = row.lab.verbs(1);
    const size_t number = verbs.AddCorruption(1, "h1/corrupt");
    verbs.SetCorruption(number, true);
    row.Bring(0, WrOpcode::rdma_write);
    verbs.SetCorruption(number, false);
    const auto broken = row.Broken(1);
    ExpectOneOfEach(broken);
    verbs.Overwrite(row.regions[1]->rkey, 0x1000 + broken[1], 1);
    EXPECT_EQ(row.Broken(1), (std::vector<uint32_t>{broken[0], broken[2]}));
    // A key that is no longer valid still shows the damage; another region at the same addresses has none.
    SendWr wr = Signaled(WrOpcode::local_inv, 2, 0);
    wr.rkey = row.regions[1]->rkey;
    verbs.PostSend(row.pairs[0].b, wr);
    RunUntil(EventQueue::Get().now() + Milliseconds(1));
    EXPECT_EQ(row.Broken(1).size(), 2u);
    const MemoryRegion* other = verbs.RegMr(0x1000, kBytes, kAll);
    EXPECT_FALSE(verbs.Damaged(other->rkey, 0x1000, kBytes));
    wr = Signaled(WrOpcode::reg_mr, 3, kBytes);
    wr.mr = row.regions[1];
    wr.key = row.regions[1]->rkey + 1;
    wr.sge.addr = 0x1000;
    wr.access = kAll;
    verbs.PostSend(row.pairs[0].b, wr);
    RunUntil(EventQueue::Get().now() + Milliseconds(1));
    EXPECT_EQ(row.regions[1]->rkey, wr.key);
    EXPECT_TRUE(row.Broken(1).empty());
  });
}

}  // namespace
}  // namespace headroom::damage_test
