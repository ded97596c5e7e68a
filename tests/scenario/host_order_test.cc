// The order of lists of hosts. It is kept where it has a meaning, and no item of a list is dropped in
// silence.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scenario/read/load.h"
#include "support/dice.h"
#include "workload/operations/send_receive.h"

namespace headroom::host_order_test {
namespace {

const std::string kStart =
    "duration: 1ms\ntopology: {type: star, hosts: [a0, a1, a2, b0, b1, b2], link: {rate: 80Gbps, length: "
    "3m}}\n";

Scenario Load(const std::string& text) { return LoadScenarioText(kStart + text, "s.yaml", "."); }

std::string MessageOf(const std::string& text) {
  try {
    Load(text);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "";
}

std::string Ring(const std::string& ranks) {
  return "services: [{name: ring, type: nccl, ranks: " + ranks +
         "}]\nworkloads: [{name: w, type: send_receive, service: ring, size: 1MB}]\n";
}

/// Any order of any ranks is the order of the ring.
TEST(HostOrder, ranks_follow_each_other_as_listed) {
  const std::vector<std::string> names = {"a0", "a1", "a2", "b0", "b1", "b2"};
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Dice d(seed);
    std::vector<NodeId> ring = {0, 1, 2, 3, 4, 5};
    for (size_t i = ring.size(); i-- > 1;)
      std::swap(ring[i], ring[static_cast<size_t>(d.Between(0, static_cast<int64_t>(i)))]);
    ring.resize(static_cast<size_t>(d.Between(2, 6)));
    std::string list;
    for (const NodeId host : ring) list += (list.empty() ? "" : ", ") + names[host];
    const Scenario s = Load(Ring("[" + list + "]"));
    EXPECT_EQ(s.services[0]->clients, ring) << list;
    const auto& workload = s.workloads[0].arrivals.As<SendReceiveArrivals>();
    for (size_t i = 0; i < ring.size(); ++i)
      EXPECT_EQ(workload.To(ring[i]), ring[(i + 1) % ring.size()]) << list;
  }
}

/// A pattern stands for its hosts in the order of their ids, without those listed before it.
TEST(HostOrder, patterns_add_the_hosts_that_are_not_listed_yet) {
  EXPECT_EQ(Load(Ring(R"(["b*", a2, "a*"])")).services[0]->clients, (std::vector<NodeId>{3, 4, 5, 2, 0, 1}));
}

TEST(HostOrder, items_that_add_no_host_are_refused) {
  EXPECT_EQ(MessageOf(Ring("[a0, b0, a0]")),
            "s.yaml:3:53: \"a0\" is already in the list; name each host once");
  EXPECT_EQ(MessageOf(Ring(R"(["a*", "a[01]"])")),
            "s.yaml:3:51: all hosts that match \"a[01]\" are already in the list; leave this item out");
}

/// Tensors go to parameter servers in the order of the list, keys to servers.
TEST(HostOrder, servers_are_kept_as_listed) {
  const Scenario s = Load(
      "services: [{name: train, type: tensorflow, workers: a0, parameter_servers: [b2, b0, b1]}]\n"
      "workloads: [{name: w, type: tensors, service: train, tensors: [{size: 4MB}]}]\n");
  EXPECT_EQ(s.services[0]->servers, (std::vector<NodeId>{5, 3, 4}));
}

/// The senders of messages are a set.
TEST(HostOrder, of_senders_has_no_meaning) {
  const Scenario one = Load("workloads: [{name: w, type: stream, message: 1KB, from: [b1, a1], to: a0}]\n");
  const Scenario other = Load("workloads: [{name: w, type: stream, message: 1KB, from: [a1, b1], to: a0}]\n");
  EXPECT_EQ(one.workloads[0].arrivals, other.workloads[0].arrivals);
}

}  // namespace
}  // namespace headroom::host_order_test
