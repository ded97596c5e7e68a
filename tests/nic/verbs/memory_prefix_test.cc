// Regions whose buffers carry only their first bytes.
#include <gtest/gtest.h>

#include <numeric>

#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::memory_prefix_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};
constexpr uint64_t kHeader = 60;

std::vector<uint8_t> Bytes(size_t n, uint8_t from) {
  std::vector<uint8_t> bytes(n);
  std::iota(bytes.begin(), bytes.end(), from);
  return bytes;
}

TEST(MemoryPrefix, ASendBringsTheBeginningOfItsBufferAndCountsTheRest) {
  // 3000 B of the second of two buffers of 4000 B each: frames of 1024, 1024 and 952 B, of which the first
  // carries 60.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    std::vector<uint8_t> from = Bytes(2 * kHeader, 7), to(2 * kHeader, 0);
    const MemoryRegion* local = lab.verbs(0).RegMr(0x1000, 8000, 0, from, {4000, kHeader});
    const MemoryRegion* remote = lab.verbs(1).RegMr(0x9000, 8000, kLocalWrite, to, {4000, kHeader});
    std::vector<size_t> carried;
    std::vector<bool> extended;
    lab.lose = [&](NodeId, const Frame& f) {
      const FrameExtension* e = lab.network->pool().ExtensionOf(f);
      if (f.kind == FrameKind::data) carried.push_back(e == nullptr ? 0 : e->payload.size());
      if (f.kind == FrameKind::data) extended.push_back(e != nullptr);
      return false;
    };
    lab.verbs(1).PostRecv(pair.b, {1, {0x9000 + 4000, 4000, remote->lkey}});
    SendWr wr = Signaled(WrOpcode::send, 1, 3000);
    wr.sge.addr = 0x1000 + 4000;
    wr.sge.lkey = local->lkey;
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(1));
    const auto wcs = VerbsLab::PollAll(pair.cq_b);
    ASSERT_EQ(wcs.size(), 1u);
    EXPECT_EQ(wcs[0].byte_len, 3000u);
    EXPECT_EQ(carried, (std::vector<size_t>{kHeader, 0, 0}));
    EXPECT_EQ(extended, (std::vector<bool>{true, false, true}));
    EXPECT_EQ(std::vector<uint8_t>(to.begin(), to.begin() + kHeader), std::vector<uint8_t>(kHeader, 0));
    EXPECT_TRUE(std::equal(to.begin() + kHeader, to.end(), from.begin() + kHeader));
  });
}

TEST(MemoryPrefix, WritesAndReadsBehindItLeaveContentAlone) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    std::vector<uint8_t> data = Bytes(1000, 3), to(2 * kHeader, 0), read(1000, 0);
    const MemoryRegion* local = lab.verbs(0).RegMr(0, 1000, kLocalWrite, data);
    const MemoryRegion* into = lab.verbs(0).RegMr(0x5000, 1000, kLocalWrite, read);
    const MemoryRegion* remote =
        lab.verbs(1).RegMr(0x9000, 4000, kLocalWrite | kRemoteWrite | kRemoteRead, to, {2000, kHeader});
    SendWr wr = Signaled(WrOpcode::rdma_write, 1, 1000);
    wr.sge.lkey = local->lkey;
    wr.rkey = remote->rkey;
    wr.remote_addr = 0x9000 + kHeader;  // after the first prefix
    lab.verbs(0).PostSend(pair.a, wr);
    wr.remote_addr = 0x9000 + 2000 + 50;  // the last ten bytes of the second prefix
    lab.verbs(0).PostSend(pair.a, wr);
    wr.opcode = WrOpcode::rdma_read;
    wr.sge = {0x5000, 1000, into->lkey};
    lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(VerbsLab::PollAll(pair.cq_a).size(), 3u);
    std::vector<uint8_t> expected(2 * kHeader, 0);
    std::copy_n(data.begin(), 10, expected.begin() + kHeader + 50);
    EXPECT_EQ(to, expected);
    std::vector<uint8_t> expected_read(1000, 0);
    std::copy_n(data.begin(), 10, expected_read.begin());
    EXPECT_EQ(read, expected_read);
  });
}

TEST(MemoryPrefix, ItsContentIsAsLongAsItsPrefixesTogether) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    Verbs& verbs = lab.verbs(0);
    std::vector<uint8_t> content(120);
    EXPECT_NE(verbs.RegMr(0, 2000, kLocalWrite, content, {1000, 60}), nullptr);
    EXPECT_EQ(verbs.RegMr(0, 3000, kLocalWrite, content, {1000, 60}), nullptr);
    EXPECT_EQ(verbs.RegMr(0, 2500, kLocalWrite, content, {1000, 60}), nullptr);
    EXPECT_EQ(verbs.RegMr(0, 60, kLocalWrite, content, {30, 60}), nullptr);
  });
}

}  // namespace
}  // namespace headroom::memory_prefix_test
