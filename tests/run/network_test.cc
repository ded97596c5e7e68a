// Inputs that a network refuses.
#include "run/network.h"

#include <gtest/gtest.h>

#include "sim/simulator.h"
#include "support/in_child.h"
#include "support/scenarios.h"

namespace headroom::network_test {
namespace {

/// The error's text, or "" without an error.
std::string ErrorOf(const Scenario& scenario) {
  try {
    StartSimulator(1);
    const Network network(scenario);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(Network, congestion_control_needs_a_class_for_its_cnps) {
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
    s.classes[6] = {};
    EXPECT_EQ(ErrorOf(s),
              "host h0: DCQCN needs a traffic class for its CNPs: give classes[cnp_priority] a name");
  });
}

TEST(Network, without_congestion_control_nothing_needs_that_class) {
  InChild([] {
    Scenario s = StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
    s.classes[6] = {};
    for (NicParameters& nic : s.nics) nic.congestion_control = NicParameters::CongestionControl::none;
    EXPECT_EQ(ErrorOf(s), "");
  });
}

}  // namespace
}  // namespace headroom::network_test
