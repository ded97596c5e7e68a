// Changes that a program sees when it spins on a memory region.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nic/verbs/verbs.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::memory_watch_test {
namespace {

using testing::ElementsAre;

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

struct Seen {
  Time at;
  uint64_t addr = 0, length = 0;
};

TEST(MemoryWatch, SeesAWriteOnceWhenItsLastByteIsThere) {
  // Two WRITEs, of three frames and of one: each is seen once, with its own address and length, when its
  // content is there.
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    std::vector<uint8_t> data(3000, 7), window(8192, 0);
    const MemoryRegion* local = lab.verbs(0).RegMr(0, data.size(), 0, data);
    MemoryRegion* remote =
        lab.verbs(1).RegMr(0x1000, window.size(), kLocalWrite | kRemoteWrite | kRemoteRead, window);
    std::vector<Seen> seen;
    lab.verbs(1).WatchMr(remote, [&](const MemoryWatch::Written& written) {
      EXPECT_EQ(window[written.addr + written.length - 1 - 0x1000], 7);
      seen.push_back({EventQueue::Get().now(), written.addr, written.length});
    });
    SendWr wr = Signaled(WrOpcode::rdma_write, 1, 3000);
    wr.sge.lkey = local->lkey;
    wr.remote_addr = 0x1000 + 100;
    wr.rkey = remote->rkey;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    wr.sge.length = 1;
    wr.remote_addr = 0x1000;
    EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    RunUntil(Milliseconds(1));
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].addr, 0x1000u + 100);
    EXPECT_EQ(seen[0].length, 3000u);
    EXPECT_EQ(seen[1].length, 1u);
    // 1024 + 78 + 20, 1024 + 62 + 20 and 952 + 62 + 20 B take 80 ps a byte; at the switch the two wait behind
    // the first, which therefore counts twice; and the latencies are added.
    EXPECT_EQ(seen[0].at, Picoseconds(80) * (2 * 1122 + 1106 + 1034) + Nanoseconds(500 + 2 * 10));
  });
}

TEST(MemoryWatch, BringsTheCauseOfEachWorkRequest) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    MemoryRegion* remote = lab.verbs(1).RegMr(0, 8192, kLocalWrite | kRemoteWrite);
    std::vector<uint64_t> causes;
    lab.verbs(1).WatchMr(remote,
                         [&](const MemoryWatch::Written& written) { causes.push_back(written.cause); });
    for (const QpType type : {QpType::rc, QpType::uc}) {
      QpInitAttr attr;
      attr.type = type;
      const auto pair = lab.Connect(0, 1, attr);
      for (const uint32_t length : {1u, 1024u, 1025u, 3000u}) {
        SendWr wr = Signaled(WrOpcode::rdma_write, 1, length);
        wr.rkey = remote->rkey;
        wr.cause = 10 * length + (type == QpType::uc ? 1 : 0);
        EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
      }
    }
    RunUntil(Milliseconds(1));
    EXPECT_THAT(causes,
                ::testing::UnorderedElementsAre(10, 10'240, 10'250, 30'000, 11, 10'241, 10'251, 30'001));
  });
}

TEST(MemoryWatch, SeesNeitherReadsNorWhatIsRefused) {
  InChild([] {
    VerbsLab lab(StarScenario(2, kLink));
    const auto pair = lab.Connect(0, 1);
    MemoryRegion* remote = lab.verbs(1).RegMr(0, 4096, kRemoteRead);
    int seen = 0;
    lab.verbs(1).WatchMr(remote, [&](const MemoryWatch::Written&) { ++seen; });
    for (const WrOpcode opcode : {WrOpcode::rdma_read, WrOpcode::rdma_write}) {
      SendWr wr = Signaled(opcode, 1, 100);
      wr.rkey = remote->rkey;
      EXPECT_EQ(lab.verbs(0).PostSend(pair.a, wr), 0);
    }
    RunUntil(Milliseconds(1));
    EXPECT_THAT(VerbsLab::Statuses(VerbsLab::PollAll(pair.cq_a)),
                ElementsAre(WcStatus::success, WcStatus::rem_access_err));
    EXPECT_EQ(seen, 0);
  });
}

}  // namespace
}  // namespace headroom::memory_watch_test
