// Results of `check` for services of keys: bounds computed by hand, which no run beats.
#include "analysis/check/services/check_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/check/services/check_services.h"
#include "analysis/scenario_of.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::check_keys_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using enum KeysCheck::Limit;

/// A server and four clients on a switch.
Scenario Keys(const std::string& workload, const std::string& service = "",
              const std::string& link = "rate: 56Gbps, length: 2m") {
  return ScenarioOf("duration: 100us\ntopology: {type: star, hosts: [s, c0, c1, c2, c3], link: {" + link +
                    "}}\nservices: [{name: cache, type: herd, servers: s, clients: \"c*\", processes: 2, "
                    "client_processes: 3, window: 4" +
                    service + "}]\nworkloads: [{name: w, type: kv, service: cache, keys: 1000" + workload +
                    "}]\n");
}

struct Checked {
  KeysChecks keys;
  Findings findings;
  const KeysCheck& w() const { return keys.workloads.at(0); }
};
Checked Check(const Scenario& s) {
  const Fabric fabric(s);
  Checked out;
  out.keys = CheckServices(fabric, ClassifySwitches(fabric), out.findings).keys;
  return out;
}

TEST(CheckKeys, bounds_are_the_parameters_own) {
  const KeysCheck w = Check(Keys("")).w();
  EXPECT_NEAR(w.Find(processes)->a_second, 2 / 158.7e-9, 1);
  EXPECT_NEAR(w.Find(posts)->a_second, 12 / 150e-9, 1);
  EXPECT_EQ(w.open, 48);
  // A lone no-op is answered after 158.7 ns, 100 looks of 2 ns, and 150 ns; the process also looks at 47
  // other slots, at half of them on average. With others two more requests take 158.7 ns each. `alone` is a
  // whole number of ps.
  EXPECT_NEAR(w.Find(windows)->a_second, 48 / (InSeconds(w.alone) - 47e-9 - 508.7e-9 + 3 * 158.7e-9), 10);
  // There is one GET and one PUT in twenty, as frames with 74 and 90 B around 16 and 50 B.
  const auto bits = [](double get, double put) { return 8 * (0.95 * get + 0.05 * put); };
  const FrameFormat f;
  const double request = static_cast<double>(f.header + f.reth + f.gap),
               answer = static_cast<double>(f.header + f.immdt + f.deth + f.gap);
  EXPECT_NEAR(w.Find(server_in)->a_second, 56e9 / bits(request + 16, request + 50), 1);
  EXPECT_NEAR(w.Find(server_out)->a_second, 56e9 / bits(answer + 32, answer + 1), 1);
  EXPECT_NEAR(w.Find(client_out)->a_second, 4 * w.Find(server_in)->a_second, 1);
  EXPECT_EQ(w.Least().limit, processes);
}

TEST(CheckKeys, says_whom_no_control_but_dcqcn_slows_down) {
  const auto said = [](const std::string& control) {
    Scenario s = ScenarioOf(
        "duration: 100us\ntopology: {type: star, hosts: [s, c0, c1], link: {rate: 56Gbps, length: "
        "2m}}\nservices: "
        "[{name: cache, type: herd, servers: s, clients: \"c*\"}]\nworkloads: [{name: w, type: kv, service: "
        "cache, keys: 1000}]\nnics: [{match: c1, congestion_control: " +
        control + "}]\n");
    std::string what;
    for (const Finding& f : Check(s).findings) what += f.where + ": " + f.what + "\n";
    return what;
  };
  EXPECT_THAT(
      said("hpcc"),
      HasSubstr(
          "service cache: congestion control hpcc of c1 needs ACKs, but messages of UC and UD have no ACKs"));
  EXPECT_THAT(said("receiver_credit"),
              HasSubstr("receiver_credit of c1 needs credits, but messages of UC and UD take no credits"));
  EXPECT_THAT(said("none"), Not(HasSubstr("UC and UD")));
}

TEST(CheckKeys, each_limit_is_that_which_holds) {
  EXPECT_EQ(Check(Keys("", "", "rate: 56Gbps, delay: 1ms")).w().Least().limit, windows);
  EXPECT_EQ(Check(Keys("", "", "rate: 1Gbps, length: 2m")).w().Least().limit, server_out);
  EXPECT_EQ(Check(Keys(", target: 1000")).w().Least().limit, target);
  EXPECT_EQ(Check(Keys(", threads: 3")).w().open, 3);
}

TEST(CheckKeys, a_read_modify_write_is_two_turns) {
  const KeysCheck once = Check(Keys(", puts: 0")).w(),
                  both = Check(Keys(", puts: 0, read_modify_writes: 100%")).w();
  EXPECT_NEAR(both.Find(processes)->a_second, once.Find(processes)->a_second / 2, 1);
  EXPECT_GT(both.alone, once.alone * 2);
}

TEST(CheckKeys, what_is_asked_for_in_vain_is_said) {
  const Checked rate = Check(Keys(", rate: 2000000"));
  ASSERT_EQ(rate.findings.size(), 1u);
  EXPECT_EQ(rate.findings[0].severity, Finding::Severity::warning);
  EXPECT_THAT(rate.findings[0].what,
              HasSubstr("the rate is 24,000,000 operations a second, but at most 12,602,"));
  EXPECT_THAT(rate.findings[0].what, HasSubstr("the servers' processes answer"));
  EXPECT_THAT(Check(Keys(", target: 20000000")).findings.at(0).what, HasSubstr("the target is 20,000,000"));
  EXPECT_TRUE(Check(Keys(", rate: 1000000")).findings.empty());
}

TEST(CheckKeys, caches_are_told_and_logs_that_are_too_small) {
  const Checked small = Check(Keys("", ", log: 1MiB, index_keys: 65536"));
  EXPECT_EQ(small.keys.services.at(0).cache.v, 2 * ((1 << 20) + 65'536 * 8));
  EXPECT_TRUE(small.findings.empty());
  const Checked full =
      Check(ScenarioOf("duration: 100us\ntopology: {type: star, hosts: [s, c0], link: {rate: 56Gbps, length: "
                       "2m}}\nservices: [{name: "
                       "cache, type: herd, servers: s, clients: c0, processes: 2, log: 1MiB}]\nworkloads: "
                       "[{name: w, type: kv, service: "
                       "cache, keys: 100000}]\n"));
  // 50 000 values of 18 + 32 B, which take 56 B.
  ASSERT_EQ(full.findings.size(), 1u);
  EXPECT_THAT(full.findings[0].what,
              HasSubstr("each of its 2 processes gets 50,000 records of 32 B, about 2.80 MB"));
}

TEST(CheckKeys, a_service_that_nobody_asks_is_said) {
  const Checked c = Check(
      ScenarioOf("duration: 100us\ntopology: {type: star, hosts: [s, c0], link: {rate: 56Gbps, length: "
                 "2m}}\nservices: [{name: "
                 "cache, type: herd, servers: s, clients: c0}]\nworkloads: [{name: m, type: list, messages: "
                 "[{from: c0, to: s, size: 1KB}]}]\n"));
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_THAT(c.findings[0].what, HasSubstr("no workload of type kv or ycsb uses it"));
}

/// Operations a second of all its clients, and the shortest latency.
std::pair<double, Time> Ran(const Scenario& s) {
  const RunRecord r = headroom::Run(s, {});
  double ended = 0;
  Time least = kNever;
  for (const OperationRecord& o : r.operations) {
    ended += o.completed <= s.duration;
    if (o.Finished()) least = std::min(least, o.completed - o.start);
  }
  EXPECT_GT(ended, 0);
  return {ended / InSeconds(s.duration), least};
}

TEST(CheckKeys, no_run_beats_the_bounds) {
  const Scenario all[] = {Keys(""),
                          Keys("", "", "rate: 56Gbps, delay: 10us"),
                          Keys("", "", "rate: 2Gbps, length: 2m"),
                          Keys(", value: 500B, puts: 100%"),
                          Keys(", threads: 2"),
                          Keys(", read_modify_writes: 50%, puts: 0"),
                          Keys(", target: 400000")};
  for (const Scenario& s : all) {
    InChild([&] {
      const KeysCheck w = Check(s).w();
      const auto [a_second, least] = Ran(s);
      EXPECT_LE(a_second * InSeconds(s.duration), w.Least().a_second * InSeconds(s.duration) + 12)
          << LimitName(w.Least().limit);
      EXPECT_GT(a_second, w.Least().a_second / 3) << LimitName(w.Least().limit);
    });
  }
}

/// The slot at which the server's process looks when the request arrives is unknown: it is any of 48.
TEST(CheckKeys, one_at_a_time_takes_what_alone_says_but_for_the_slots) {
  InChild([] {
    const Scenario s = Keys(", threads: 1, puts: 0");
    const auto [a_second, least] = Ran(s);
    const KeysCheck w = Check(s).w();
    const Time looks = Nanoseconds(2) * 47 / 2;
    EXPECT_TRUE(w.exact);
    EXPECT_GE(least, w.alone - looks);
    EXPECT_NEAR(1e12 / a_second, static_cast<double>(w.alone.v), static_cast<double>(looks.v));
    EXPECT_LE(a_second, w.Find(windows)->a_second);
  });
}

/// One rack has both servers; the READs of other racks cross two more switches.
TEST(CheckKeys, clients_far_away_fall_behind_before_the_near_ones) {
  const auto keys = [](const char* rate) {
    return Check(ScenarioOf(
        std::string(
            "duration: 1ms\ntopology: {type: custom, hosts: 7, switches: [l0, l1, s0], links: [{ends: "
            "[\"h[0-2]\", l0], rate: 100Gbps, length: 5m}, {ends: [\"h[3-6]\", l1], rate: 100Gbps, "
            "length: 5m}, {ends: [\"l*\", s0], rate: 100Gbps, length: 30m}]}\n"
            "services: [{name: k, type: pilaf, servers: \"h[0-1]\", clients: \"h[2-6]\"}]\n"
            "workloads: [{name: w, type: kv, service: k, keys: 1000, value: 900B, puts: 0%, rate: ") +
        rate + "}]\n"));
  };
  const Checked fast = keys("500000"), slow = keys("300000");
  // Near clients reach all of 0.5 M/s, the other four about 0.4 M/s each.
  EXPECT_GT(fast.w().Find(windows)->a_second, fast.w().rate);
  ASSERT_FALSE(fast.findings.empty());
  EXPECT_THAT(fast.findings[0].what, HasSubstr("the rate is 2,500,000 operations a second, but at most 2,"));
  EXPECT_THAT(fast.findings[0].what, HasSubstr("its windows limit the open operations"));
  EXPECT_TRUE(slow.findings.empty());
  EXPECT_GT(fast.w().farthest, fast.w().alone * 3);
}

}  // namespace
}  // namespace headroom::check_keys_test
