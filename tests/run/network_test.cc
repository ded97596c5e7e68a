// Inputs that a network refuses, and the nodes that each rank builds.
#include "run/network.h"

#include <gtest/gtest.h>

#include "sim/simulator.h"
#include "support/in_child.h"
#include "support/rank_processes.h"
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

/// By node: whether each of two ranks has built the node. One rank runs the nodes with even numbers.
std::vector<std::array<bool, 2>> BuiltByTwoRanks(const Scenario& scenario) {
  const size_t nodes = scenario.topology.nodes.size();
  const std::string text = TextFromRanks(2, [&](Exchange& exchange) {
    StartSimulator(1);
    std::vector<int> parts;
    for (size_t n = 0; n < nodes; ++n) parts.push_back(static_cast<int>(n % 2));
    Network network(scenario, {}, {}, parts, &exchange);
    std::string own;
    for (NodeId n = 0; n < nodes; ++n) {
      const bool host = n < scenario.topology.hosts;
      EXPECT_EQ(network.IsHere(n), static_cast<int>(n % 2) == exchange.rank());
      EXPECT_EQ(network.IsBuilt(n), !network.ports()[n].empty());
      if (host) {
        EXPECT_EQ(network.IsBuilt(n), network.nics()[n] != nullptr);
      }
      own += network.IsBuilt(n) ? '1' : '0';
    }
    Packet packet;
    Packer{packet}(own);
    const std::vector<Packet> all = Parts::Get().Swap({packet, packet});
    if (exchange.rank() > 0) return std::string();
    std::string other;
    Unpacker{all[1]}(other);
    return own + other;
  });
  std::vector<std::array<bool, 2>> built;
  for (size_t n = 0; n < nodes; ++n) built.push_back({text.at(n) == '1', text.at(nodes + n) == '1'});
  return built;
}

TEST(Network, a_rank_builds_its_own_nodes) {
  const std::vector<std::array<bool, 2>> built =
      BuiltByTwoRanks(StarScenario(4, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0}));
  for (size_t n = 0; n < built.size(); ++n)
    EXPECT_EQ(built[n], (std::array{n % 2 == 0, n % 2 == 1})) << "node " << n;
}

TEST(Network, a_rank_builds_all_hosts_if_programs_join_their_queue_pairs) {
  Scenario s = StarScenario(4, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0});
  PostingArrivals loops;
  loops.from = {0};
  loops.to = {1};
  s.workloads = {WorkloadOf("posting", loops)};
  const std::vector<std::array<bool, 2>> built = BuiltByTwoRanks(s);
  for (NodeId h = 0; h < 4; ++h) EXPECT_EQ(built[h], (std::array{true, true})) << "host " << h;
  EXPECT_EQ(built[4], (std::array{true, false}));  // the switch
}

}  // namespace
}  // namespace headroom::network_test
