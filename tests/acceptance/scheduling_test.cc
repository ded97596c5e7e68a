// Tests S1 to S3 of the acceptance suite: scheduling and maps (sonic-mgmt, sai_qos_tests: WRRtest,
// DscpMappingPB, DscpToPgMapping, TunnelDscpToPgMapping).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "acceptance/switch_under_test.h"

namespace headroom::scheduling_test {
namespace {

class Scheduling : public Acceptance {};
INSTANTIATE_TEST_SUITE_P(On, Scheduling, testing::Values(Tomahawk2(), Spectrum3()), DutName);

/// The backlogs of queues 0, 1 (lossy) and 3, 4 (lossless) are in proportion to these weights. Returns for
/// each queue the position of its last frame in the order of departure.
std::map<int, size_t> LastOf(const Dut& dut, int lossy, int lossless, size_t* frames) {
  std::map<int, size_t> last;
  SwitchConfig config = SwitchUnderTest::Config();
  PortQos qos = QosOfClasses(SwitchUnderTest::Classes(), {});
  for (const int q : {0, 1}) qos.scheduling[q].weight = static_cast<uint32_t>(lossy);
  for (const int q : {3, 4}) qos.scheduling[q].weight = static_cast<uint32_t>(lossless);
  config.qos.assign(SwitchUnderTest::kPorts, qos);
  SwitchUnderTest b(dut, config);
  b.Close(15);
  for (const int q : {0, 1, 3, 4}) b.Send(static_cast<uint32_t>(q), 15, q, 10 * (q < 3 ? lossy : lossless));
  b.Close(15, false);
  b.Wait(Milliseconds(2));
  const auto& arrivals = b->listeners[15].arrivals;
  for (size_t i = 0; i < arrivals.size(); ++i) last[arrivals[i].priority] = i;
  *frames = arrivals.size();
  EXPECT_EQ(b.AllDrops(), 0u);
  return last;
}

// Every queue has a backlog in proportion to its weight: 140 frames of each lossy one, 150 of each lossless
// one. So all queues end in the last round, and none a round earlier. A round is 14 + 14 + 15 + 15 frames of
// the quantum's 2048 bytes. Upstream allows 80 packets.
TEST_P(Scheduling, S1_DwrrByWeight) {
  InChild([&] {
    size_t frames = 0;
    const auto last = LastOf(dut(), 14, 15, &frames);
    ASSERT_EQ(frames, 2u * 140 + 2 * 150);
    for (const auto& [queue, place] : last) EXPECT_GE(place + 80, frames) << queue;
  });
}

// With other weights the shares differ: here two queues of 80 and two of 30 instead of equal ones.
TEST_P(Scheduling, S2_WeightsChanged) {
  InChild([&] {
    size_t frames = 0;
    const auto last = LastOf(dut(), 8, 30, &frames);
    ASSERT_EQ(frames, 2u * 80 + 2 * 300);
    for (const auto& [queue, place] : last) EXPECT_GE(place + 80, frames) << queue;
  });
}

// Each code point reaches exactly the queue and the group that the maps give it. The maps are SONiC's
// default, and those of a T1 with tunnel remapping, where DSCP 2 and 6 are lossless in groups and queues 2
// and 6.
TEST_P(Scheduling, S3_DscpToQueueAndGroup) {
  struct Map {
    std::map<int, int> dscp_to_tc;  ///< other code points: 1
    uint8_t pfc_enable;
  };
  const Map azure{{{3, 3}, {4, 4}, {5, 2}, {8, 0}, {46, 5}, {48, 6}}, 0x18};
  const Map remapped{{{2, 2}, {3, 3}, {4, 4}, {6, 6}, {5, 2}, {8, 0}, {46, 5}, {48, 7}}, 0x5c};
  for (const Map& map : {azure, remapped}) {
    for (int first = 0; first < kDscps; first += kPriorities) {
      InChild([&] {
        SwitchConfig config = SwitchUnderTest::Config();
        PortQos qos;
        qos.pfc_enable = map.pfc_enable;
        for (int i = 0; i < kPriorities; ++i) {
          const auto n = static_cast<uint8_t>(i);
          const bool lossless = ((map.pfc_enable >> i) & 1) != 0;
          qos.tc_to_queue[i] = qos.pfc_to_queue[i] = qos.pfc_to_group[i] = n;
          qos.tc_to_group[i] =
              lossless || i == 7 ? n : 0;  // SONiC: every lossy queue is in group 0, except 7
        }
        for (int d = 0; d < kDscps; ++d) {
          qos.dscp_to_tc[d] = static_cast<uint8_t>(map.dscp_to_tc.count(d) ? map.dscp_to_tc.at(d) : 1);
        }
        config.qos.assign(SwitchUnderTest::kPorts, qos);
        TrafficClasses classes;
        for (int i = 0; i < kPriorities; ++i) {
          const bool lossless = ((map.pfc_enable >> qos.dscp_to_tc[first + i]) & 1) != 0;
          classes[i] = {"dscp" + std::to_string(first + i),
                        static_cast<uint8_t>(i),
                        static_cast<uint8_t>(first + i),
                        lossless,
                        1,
                        false};
        }
        SwitchUnderTest b(dut(), config, classes);
        b.Close(15);
        for (int i = 0; i < kPriorities; ++i) {
          b.Send(0, 15, i, 3);
          const int tc = qos.dscp_to_tc[first + i];
          for (int q = 0; q < kPriorities; ++q) {
            EXPECT_EQ(b->node->port(15).queue(q).bytes, q == tc ? 3 * int64_t{dut().frame} : 0)
                << "DSCP " << first + i << ", queue " << q;
            EXPECT_EQ(b->buffer().group_used(0, q), q == qos.tc_to_group[tc] ? 3 * int64_t{dut().frame} : 0)
                << "DSCP " << first + i << ", group " << q;
          }
          b.Close(15, false);
          b.Wait(Microseconds(20));
          b.Close(15);
        }
        EXPECT_EQ(b.AllDrops(), 0u);
      });
    }
  }
}

}  // namespace
}  // namespace headroom::scheduling_test
