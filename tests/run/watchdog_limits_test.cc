// The acceptance test W3 of SONiC's PFC watchdog: times outside its limits are refused. Source: sonic-mgmt,
// tests/pfcwd/test_pfc_config.py.
#include <gtest/gtest.h>

#include "scenario/read/load.h"

namespace headroom::watchdog_limits_test {
namespace {

TEST(Watchdog, W3_limits) {
  const auto message = [](const std::string& watchdog) -> std::string {
    const std::string text =
        "topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 3m}}\n"
        "switches: [{match: \"*\", pfc: {watchdog: {" +
        watchdog +
        "}}}]\n"
        "workloads: [{name: perm, type: permutation, size: 2MB}]\n";
    try {
      LoadScenarioText(text, "x", ".");
    } catch (const ScenarioError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message("detection: 40ms"), "");
  EXPECT_NE(message("detection: 6s"), "");
  EXPECT_NE(message("detection: 200ms, restoration: 50ms"), "");
  EXPECT_NE(message("detection: 200ms, restoration: 60001ms"), "");
  EXPECT_NE(message("detection: 200ms, poll: 99ms"), "");
  EXPECT_NE(message("detection: 5s, poll: 1001ms"), "");
  EXPECT_NE(message("detection: 200ms, restoration: 400ms, poll: 300ms").find("poll 300ms is longer"),
            std::string::npos);
  EXPECT_EQ(message("detection: 100ms"), "");
  EXPECT_EQ(message("detection: 5s, restoration: 60s, poll: 1s"), "");
  EXPECT_EQ(message("detection: 1ms, restoration: 2ms, poll: 500us, limits: false"), "");
}

}  // namespace
}  // namespace headroom::watchdog_limits_test
