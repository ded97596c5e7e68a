// Individual records add up to the counters.
#include <gtest/gtest.h>

#include <map>

#include "run/busy.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::recordings_test {
namespace {

TEST(Recordings, EveryNotificationOfEveryHost) {
  InChild([] {
    Scenario s = Busy();
    s.observe.cnps = std::vector<std::string>{"*"};
    // Stock Gen2 sends a CNP for each marked packet, and cuts at most every 50 µs.
    for (NicParameters& nic : s.nics) nic.dcqcn = FindGeneration("gen2")->dcqcn;
    const RunRecord r = headroom::Run(s, {});
    uint64_t cut = 0;
    for (const CnpRecord& c : r.cnps) cut += c.cut;
    EXPECT_EQ(r.cnps.size(), r.cnp_handled + r.cnp_ignored);
    EXPECT_GT(cut, 0u);
    EXPECT_LE(cut, r.cnp_handled);  // the others only changed alpha
    EXPECT_LT(cut, r.cnps.size()) << "none fell into a reduction window";
  });
}

TEST(Recordings, ThePatternChoosesHosts) {
  InChild([] {
    Scenario s = Busy();
    s.observe.cnps = std::vector<std::string>{"h[01]"};
    const RunRecord r = headroom::Run(s, {});
    EXPECT_GT(r.cnps.size(), 0u);
    for (const CnpRecord& c : r.cnps) EXPECT_LE(c.host, 1u);
  });
}

TEST(Recordings, EveryDropWithItsReason) {
  InChild([] {
    Scenario s = Busy();
    s.observe.drops = std::vector<std::string>{"*"};
    const RunRecord r = headroom::Run(s, {});
    std::map<DropReason, uint64_t> counted, recorded;
    uint64_t bytes = 0;
    for (const PortRecord& port : r.ports) {
      for (const PortPriorityCounters& c : port.priority) {
        for (int k = 0; k < kDropReasons; ++k) {
          if (c.drops[k] > 0) counted[static_cast<DropReason>(k)] += c.drops[k];
        }
      }
    }
    for (const DropRecord& d : r.drops) {
      ++recorded[d.reason];
      bytes += d.bytes;
      EXPECT_EQ(d.message == kNoMessage, d.kind != FrameKind::data);
      if (d.kind == FrameKind::data) {
        const MessageRecord& m = r.messages.at(d.message);
        EXPECT_EQ(std::pair(d.src, d.dst), std::pair(m.src, m.dst));
        EXPECT_LE(m.start, d.time);
        EXPECT_TRUE(d.psn.has_value());
      }
      const bool had_a_limit = d.reason != DropReason::link_loss && d.reason != DropReason::watchdog;
      EXPECT_EQ(d.limit.v >= 0, had_a_limit);
      constexpr int64_t kCell = 254;
      if (had_a_limit) {
        EXPECT_GT(d.fill.v + d.bytes + kCell, d.limit.v);
      }
    }
    EXPECT_GT(r.drops.size(), 0u);
    EXPECT_EQ(recorded, counted);
    EXPECT_EQ(bytes, r.conservation.dropped);
  });
}

}  // namespace
}  // namespace headroom::recordings_test
