#include "analysis/check/services/check_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/scenario_of.h"

namespace headroom::check_keys_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
  std::vector<KeyServiceCheck> keys;
  Findings findings;
};
Checked Check(const Scenario& s) {
  Checked out;
  out.keys = CheckKeys(s, out.findings);
  return out;
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

TEST(CheckKeys, caches_are_told_and_logs_that_are_too_small) {
  const Checked small = Check(Keys("", ", log: 1MiB, index_keys: 65536"));
  EXPECT_EQ(small.keys.at(0).cache.v, 2 * ((1 << 20) + 65'536 * 8));
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

}  // namespace
}  // namespace headroom::check_keys_test
