#include "report/summary/summary.h"

#include <gtest/gtest.h>

#include "report/small_run.h"

namespace headroom::summary_test {
namespace {

using nlohmann::ordered_json;

TEST(Summarise, Heading) {
  const ordered_json s = Summarise(SmallScenario(), SmallRecord(), {1.5, 2, 30});
  EXPECT_EQ(s["scenario"], "small");
  EXPECT_EQ(s["seed"], 7);
  EXPECT_EQ(s["status"], "deadline");
  EXPECT_EQ(s["sim_time_us"], 100.0);
  EXPECT_TRUE(s["version"].is_string());
}

TEST(Summarise, RunHoldsTheCost) {
  const ordered_json run = Summarise(SmallScenario(), SmallRecord(), {1.5, 2, 30})["run"];
  EXPECT_EQ(run.dump(), R"({"wall_s":1.5,"cpu_s":2.0,"peak_rss_mb":30.0,"events":50,"packet_hops":20,)"
                        R"("data_packet_hops":10,"packet_hops_per_cpu_s":10.0,"ranks":1})");
}

TEST(Summarise, MessagesCountTheUnfinished) {
  const ordered_json m = Summarise(SmallScenario(), SmallRecord(), {})["messages"]["pair"];
  EXPECT_EQ(m["offered"], 3);
  EXPECT_EQ(m["finished"], 2);
  EXPECT_EQ(m["unfinished"], 1);
  EXPECT_EQ(m["bytes"], 3000);
  // 2000 B from 10 to 14 µs: 16000 bits in 4000 ns.
  EXPECT_DOUBLE_EQ(m["goodput_gbps"], 4.0);
  // Messages took 2, 4 and so far 80 µs: p50 is the second, p90 the third and censored.
  EXPECT_EQ(m["completion_us"]["p50"], 4.0);
  EXPECT_EQ(m["completion_us"]["p90"], 80.0);
  EXPECT_EQ(m["completion_us"]["censored"]["p90"], true);
  EXPECT_FALSE(m["completion_us"]["censored"].contains("p50"));
  EXPECT_EQ(m["slowdown"]["max"], 80.0);
  // The last byte arrived 0.1 µs before the last ACK; bytes that have not arrived by the end have waited 80
  // µs so far.
  EXPECT_EQ(m["delivery_us"]["p50"], 3.9);
  EXPECT_EQ(m["delivery_us"]["max"], 80.0);
  EXPECT_EQ(m["delivery_us"]["censored"]["p90"], true);
  EXPECT_FALSE(m["delivery_us"]["censored"].contains("p50"));
  // a to b delivered 1000 B in 2 + 80 µs, b to a 1000 B in 4 µs.
  const double x = 1000.0 / 82, y = 1000.0 / 4;
  EXPECT_NEAR(m["jain"], (x + y) * (x + y) / (2 * (x * x + y * y)), 1e-12);
}

TEST(Summarise, WhatIsDeliveredButNotAcknowledgedIsDelivered) {
  RunRecord r = SmallRecord();
  r.messages[0].delivered = Microseconds(23);
  const ordered_json m = Summarise(SmallScenario(), r, {})["messages"]["pair"];
  EXPECT_EQ(m["unfinished"], 1);
  // 1.9, 3 and 3.9 µs.
  EXPECT_EQ(m["delivery_us"]["p50"], 3.0);
  EXPECT_EQ(m["delivery_us"]["max"], 3.9);
  EXPECT_TRUE(m["delivery_us"]["censored"].empty());
}

TEST(Summarise, MessagesBeforeTheEndOfTheWarmUpStandApart) {
  Scenario s = SmallScenario();
  s.warmup = Microseconds(15);
  const ordered_json m = Summarise(s, SmallRecord(), {})["messages"]["pair"];
  EXPECT_EQ(m["warmup_offered"], 2);
  EXPECT_EQ(m["warmup_unfinished"], 0);
  EXPECT_EQ(m["offered"], 1);
  EXPECT_EQ(m["completion_us"]["p50"], 80.0);
}

TEST(Summarise, LostMessagesHaveNoDeliveryTimeAndNoGoodput) {
  RunRecord r = SmallRecord();
  // b to a completes at the sender after 4 µs and is never delivered; a to b is delivered after its
  // completion.
  r.messages[1].delivered = kNever;
  r.messages[2].delivered = Microseconds(18);
  const ordered_json m = Summarise(SmallScenario(), r, {})["messages"]["pair"];
  EXPECT_EQ(m["finished"], 2);
  EXPECT_EQ(m["unfinished"], 1);
  EXPECT_EQ(m["lost"], 1);
  // 1000 B from 10 to 18 µs.
  EXPECT_DOUBLE_EQ(m["goodput_gbps"], 1.0);
  // Delivered after 8 µs; the unfinished one has waited 80 µs.
  EXPECT_EQ(m["delivery_us"]["p50"], 8.0);
  EXPECT_EQ(m["delivery_us"]["max"], 80.0);
  // a to b delivered 1000 B, b to a nothing.
  EXPECT_DOUBLE_EQ(m["jain"], 0.5);
}

TEST(Summarise, LostMessagesOfTheWarmUpStandApart) {
  Scenario s = SmallScenario();
  s.warmup = Microseconds(15);
  RunRecord r = SmallRecord();
  r.messages[1].delivered = kNever;
  const ordered_json m = Summarise(s, r, {})["messages"]["pair"];
  EXPECT_EQ(m["lost"], 0);
  EXPECT_EQ(m["warmup_lost"], 1);
}

TEST(Summarise, ASenderStarvedSinceTheWarmUpIsInTheIndex) {
  // b to a begins in the warm-up and never ends; a to b goes on after it.
  Scenario s = SmallScenario();
  s.warmup = Microseconds(15);
  RunRecord r = SmallRecord();
  r.messages = {SmallMessage(0, 1, 0, Microseconds(20), Microseconds(22)),
                SmallMessage(1, 0, 0, Microseconds(10), kNever)};
  EXPECT_DOUBLE_EQ(Summarise(s, r, {})["messages"]["pair"]["jain"].get<double>(), 0.5);
  // Ends in the warm-up: b to a offers nothing after it.
  r.messages[1] = SmallMessage(1, 0, 0, Microseconds(10), Microseconds(14));
  EXPECT_DOUBLE_EQ(Summarise(s, r, {})["messages"]["pair"]["jain"].get<double>(), 1.0);
  // Ends after it, at the same rate as the other.
  r.messages[1] = SmallMessage(1, 0, 0, Microseconds(14), Microseconds(16));
  EXPECT_DOUBLE_EQ(Summarise(s, r, {})["messages"]["pair"]["jain"].get<double>(), 1.0);
}

TEST(Summarise, WhatHappenedInTheWarmUpStandsApart) {
  RunRecord r = SmallRecord();
  r.warmup.drops[3][static_cast<size_t>(DropReason::headroom_full)] = 2;
  r.warmup.drops[0][static_cast<size_t>(DropReason::egress_limit)] = 5;
  r.warmup.pause_frames = 7;
  EXPECT_FALSE(Summarise(SmallScenario(), r, {}).contains("warmup")) << "there is none";
  Scenario s = SmallScenario();
  s.warmup = Microseconds(15);
  const ordered_json warmup = Summarise(s, r, {})["warmup"];
  EXPECT_EQ(warmup["drops"]["lossless"], 2);
  EXPECT_EQ(warmup["drops"]["lossy"], 5);
  EXPECT_EQ(warmup["drops"]["by_reason"]["egress_limit"], 5);
  EXPECT_EQ(warmup["pause_frames"], 7);
}

TEST(Summarise, FailedQueuePairsAreNamed) {
  RunRecord r = SmallRecord();
  EXPECT_EQ(Summarise(SmallScenario(), r, {})["transport"]["failed_queue_pairs"], 0);
  const auto failed = [](int64_t us, NodeId node, const char* detail) {
    return EventRecord{Microseconds(us), "qp_error", node, EventRecord::kNone, EventRecord::kNone, detail};
  };
  r.events_log.push_back(failed(12, 0, "queue pair 3: retries exhausted"));
  r.events_log.push_back(failed(14, 1, "queue pair 0: restart of the other: end"));
  const ordered_json all = Summarise(SmallScenario(), r, {});
  EXPECT_EQ(all["transport"]["failed_queue_pairs"], 2);
  EXPECT_EQ(all["failed_queue_pairs"].dump(), R"({"a/3":12.0,"b/0":14.0})");
}

TEST(Summarise, AWorkloadWithoutMessagesIsNullNotZero) {
  RunRecord r = SmallRecord();
  r.messages.clear();
  const ordered_json m = Summarise(SmallScenario(), r, {})["messages"]["pair"];
  EXPECT_EQ(m["offered"], 0);
  EXPECT_TRUE(m["goodput_gbps"].is_null());
  EXPECT_TRUE(m["jain"].is_null());
  EXPECT_TRUE(m["completion_us"]["mean"].is_null());
  EXPECT_TRUE(m["delivery_us"]["mean"].is_null());
}

TEST(Summarise, PfcByTierOfThePausingNodeAndByPriority) {
  const ordered_json pfc = Summarise(SmallScenario(), SmallRecord(), {})["pfc"];
  const char* one = R"({"pauses":1,"pause_frames":2,"resume_frames":1,"paused_us":3.0})";
  const char* none = R"({"pauses":0,"pause_frames":0,"resume_frames":0,"paused_us":0.0})";
  EXPECT_EQ(pfc["pauses"], 1);
  EXPECT_EQ(pfc["by_tier"]["t0"].dump(), one);
  EXPECT_EQ(pfc["by_tier"]["host"].dump(), none);
  EXPECT_EQ(pfc["by_priority"]["3"].dump(), one);
  EXPECT_EQ(pfc["by_priority"].size(), 1u) << "of priorities without pauses only the lossless are listed";
  EXPECT_EQ(pfc["watchdog_storms"], 0);
}

TEST(Summarise, TheFirstPauseIsWhereAPauseFirstTookEffect) {
  RunRecord r = SmallRecord();  // sent at 11 µs, received 20 ns later
  EXPECT_EQ(Summarise(SmallScenario(), r, {})["pfc"]["first_us"], 11.02);

  Scenario late = SmallScenario();
  late.warmup = Microseconds(12);
  EXPECT_TRUE(Summarise(late, r, {})["pfc"]["first_us"].is_null()) << "it began before the warm-up ended";

  r.pauses.clear();
  EXPECT_TRUE(Summarise(SmallScenario(), r, {})["pfc"]["first_us"].is_null());
}

TEST(Summarise, RootsHaveTheirPartOfThePausedTimeAfterTheWarmUp) {
  // t0 meant to pause for 3 µs, but its peer stopped from 11.02 µs until the end, at 100 µs: 88 µs after
  // the warm-up.
  Scenario s = SmallScenario();
  s.warmup = Microseconds(12);
  RunRecord r = SmallRecord();
  r.pause_causes = SmallCauses();
  const auto pfc = Summarise(s, r, {})["pfc"];
  ASSERT_EQ(pfc["roots"].size(), 3u);
  EXPECT_EQ(
      pfc["roots"][0].dump(),
      R"({"node":"t0","port":"p1","queue":3,"kind":"queue","workload":"pair","paused_us":66.0,"share":0.75})");
  EXPECT_EQ(pfc["roots"][1]["kind"], "receiver");
  EXPECT_EQ(pfc["roots"][1]["node"], "a");
  EXPECT_EQ(pfc["roots"][2]["workload"], "");
  EXPECT_NEAR(pfc["other_roots"]["share"].get<double>(), 4e-7, 1e-12);
}

TEST(Summarise, OfManyRootsTwentyAreNamed) {
  Scenario s = SmallScenario();
  RunRecord r = SmallRecord();
  r.pauses.clear();
  r.end = Milliseconds(1);
  for (int i = 0; i < 25; ++i) {
    // Each lasts half as long as its peer then stops.
    const Time start = Microseconds(30 * i);
    r.pauses.push_back(
        {start, start + Nanoseconds(500 * (i + 1)), 2, 0, 3, PauseRecord::Direction::tx, 0, Bytes(1)});
    r.pauses.push_back(
        {start, start + Microseconds(i + 1), 0, 0, 3, PauseRecord::Direction::rx, 0, Bytes(0)});
    // Each has another queue, and there are two workloads.
    r.pause_causes.push_back({static_cast<uint32_t>(2 * i),
                              {PauseRoot::Kind::queue, 2, static_cast<uint16_t>(i % 2),
                               static_cast<uint8_t>(i / 4), static_cast<uint8_t>(i / 2 % 2)},
                              1});
  }
  const auto pfc = Summarise(s, r, {})["pfc"];
  ASSERT_EQ(pfc["roots"].size(), 20u);
  EXPECT_EQ(pfc["roots"][0]["paused_us"], 25.0);
  EXPECT_EQ(pfc["roots"][19]["paused_us"], 6.0);
  EXPECT_EQ(pfc["other_roots"]["paused_us"], 15.0);  // 5 + 4 + 3 + 2 + 1
  EXPECT_NEAR(pfc["other_roots"]["share"].get<double>(), 15.0 / 325, 1e-12);
}

TEST(Summarise, AStopThatTwoPausesMakeIsDividedAtTheSecond) {
  // The first pause has no XON; the second begins 2 µs later, and its peer stops for 5 µs.
  RunRecord r = SmallRecord();
  const auto at = [](int us) { return Microseconds(us); };
  r.pauses = {{at(10), at(11), 2, 0, 3, PauseRecord::Direction::tx, 0, Bytes(1)},
              {at(12), at(30), 2, 0, 3, PauseRecord::Direction::tx, 0, Bytes(1)},
              {at(10), at(15), 0, 0, 3, PauseRecord::Direction::rx, 0, Bytes(0)}};
  r.pause_causes = {{0, {PauseRoot::Kind::queue, 2, 1, 3, 1}, 1},
                    {1, {PauseRoot::Kind::queue, 2, 0, 3, 1}, 1}};
  const auto roots = Summarise(SmallScenario(), r, {})["pfc"]["roots"];
  ASSERT_EQ(roots.size(), 2u);
  EXPECT_EQ(roots[0]["port"], "Ethernet4");
  EXPECT_EQ(roots[0]["paused_us"], 3.0);
  EXPECT_EQ(roots[1]["paused_us"], 2.0);
}

TEST(Summarise, WithoutCausesThereAreNoRoots) {
  Scenario s = SmallScenario();
  s.observe.causes = false;
  EXPECT_FALSE(Summarise(s, SmallRecord(), {})["pfc"].contains("roots"));
}

TEST(Summarise, MarksCnpsDropsBuffersConservation) {
  const ordered_json s = Summarise(SmallScenario(), SmallRecord(), {});
  EXPECT_EQ(s["ecn"].dump(), R"({"marked_packets":2,"marked_fraction":0.25})");
  EXPECT_EQ(s["cnp"].dump(), R"({"sent":2,"handled":1,"ignored":1})");
  EXPECT_EQ(s["drops"]["lossless"], 0);
  EXPECT_EQ(s["drops"]["lossy"], 1);
  for (int r = 0; r < kDropReasons; ++r) {
    const auto reason = static_cast<DropReason>(r);
    EXPECT_EQ(s["drops"]["by_reason"][DropReasonName(reason)], reason == DropReason::egress_limit ? 1 : 0);
  }
  EXPECT_EQ(
      s["buffer"].dump(),
      R"({"t0":{"size_bytes":0,"peak_bytes":5000,"peak_headroom_bytes":600,"headroom_configured_bytes":9000,)"
      R"("peak_ingress_pool_bytes":4500,"closest_to_xoff":1.0,"pools":{"in":{"peak_ingress_bytes":4000,)"
      R"("peak_headroom_bytes":500},)"
      R"("both":{"peak_ingress_bytes":1,"peak_headroom_bytes":2,"peak_egress_bytes":3}}}})");
  EXPECT_EQ(s["transport"].dump(),
            R"({"retransmitted_packets":0,"naks":0,"timeouts":0,"failed_queue_pairs":0})");
  EXPECT_EQ(
      s["conservation"].dump(),
      R"({"sent_bytes":1000,"delivered_bytes":800,"dropped_bytes":150,"in_flight_bytes":50,"ok":true})");
}

TEST(Summarise, NothingDeliveredHasNoMarkedFraction) {
  RunRecord r = SmallRecord();
  r.data_packets_delivered = 0;
  EXPECT_TRUE(Summarise(SmallScenario(), r, {})["ecn"]["marked_fraction"].is_null());
}

TEST(Summarise, EqualRunsDifferInTheirCostAlone) {
  ordered_json a = Summarise(SmallScenario(), SmallRecord(), {1, 1, 1});
  ordered_json b = Summarise(SmallScenario(), SmallRecord(), {2, 3, 4});
  EXPECT_NE(a.dump(), b.dump());
  a.erase("run");
  b.erase("run");
  EXPECT_EQ(a.dump(), b.dump());
}

TEST(Summarise, MicrosecondsAreTheNearestDouble) {
  RunRecord r = SmallRecord();
  r.end = Picoseconds(118'040'001);
  EXPECT_EQ(Summarise(SmallScenario(), r, {})["sim_time_us"].dump(), "118.040001");
}

}  // namespace
}  // namespace headroom::summary_test
