// Regions whose buffers have memory only while they hold data.
#include "nic/verbs/buffer_contents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::buffer_contents_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};
constexpr uint32_t kBuffers = 8, kBytes = 60, kStride = 1000;

TEST(BufferContents, ABufferKeepsItsDataUntilItIsReleased) {
  // Random writes and releases, compared with an array that keeps everything.
  std::mt19937 random(7);
  for (const uint32_t spare : {0u, 2u, kBuffers}) {
    BufferContents contents(kBuffers, kBytes, spare);
    std::vector<std::vector<uint8_t>> expected(kBuffers);  // empty: released
    for (int step = 0; step < 2000; ++step) {
      const uint32_t buffer = random() % kBuffers;
      if (random() % 2 == 0) {
        expected[buffer].assign(kBytes, static_cast<uint8_t>(random()));
        std::ranges::copy(expected[buffer], contents.At(buffer));
      } else {
        expected[buffer].clear();
        contents.Release(buffer);
      }
      uint32_t filled = 0;
      for (uint32_t b = 0; b < kBuffers; ++b) {
        filled += !expected[b].empty();
        if (expected[b].empty()) continue;
        ASSERT_TRUE(std::ranges::equal(expected[b], std::span(contents.At(b), kBytes)));
      }
      ASSERT_EQ(contents.filled(), filled);
    }
  }
}

TEST(BufferContents, SendsLandInBuffersThatHaveNoMemoryBefore) {
  // Four SENDs of 500 B into four of eight buffers: each carries its first 60 bytes, and the rest is counted.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    std::vector<uint8_t> from(500);
    for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<uint8_t>(i);
    const MemoryRegion* local = lab.verbs(0).RegMr(0x1000, from.size(), 0, from);
    BufferContents contents(kBuffers, kBytes, 0);
    const MemoryRegion* remote = lab.verbs(1).RegMr(0x9000, kStride, kLocalWrite, contents);
    ASSERT_NE(remote, nullptr);
    EXPECT_EQ(remote->length, uint64_t{kBuffers} * kStride);
    for (uint32_t buffer = 0; buffer < kBuffers; ++buffer)
      lab.verbs(1).PostRecv(pair.b, {buffer, {0x9000 + uint64_t{buffer} * kStride, kStride, remote->lkey}});
    EXPECT_EQ(contents.filled(), 0u);
    SendWr wr = Signaled(WrOpcode::send, 1, 500);
    wr.sge.addr = 0x1000;
    wr.sge.lkey = local->lkey;
    for (int i = 0; i < 4; ++i) lab.verbs(0).PostSend(pair.a, wr);
    RunUntil(Milliseconds(1));
    EXPECT_EQ(VerbsLab::PollAll(pair.cq_b).size(), 4u);
    EXPECT_EQ(contents.filled(), 4u);
    for (uint32_t buffer = 0; buffer < 4; ++buffer) {
      EXPECT_TRUE(std::equal(from.begin(), from.begin() + kBytes, contents.At(buffer)));
      contents.Release(buffer);
    }
    EXPECT_EQ(contents.filled(), 0u);
  });
}

TEST(BufferContents, AContentIsNotLongerThanItsBuffer) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    BufferContents contents(kBuffers, kBytes, 0);
    EXPECT_EQ(lab.verbs(0).RegMr(0, kBytes - 1, kLocalWrite, contents), nullptr);
    EXPECT_NE(lab.verbs(0).RegMr(0, kBytes, kLocalWrite, contents), nullptr);
  });
}

}  // namespace
}  // namespace headroom::buffer_contents_test
