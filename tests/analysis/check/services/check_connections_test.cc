// The earliest time when a daemon's connections exist, compared with runs.
#include "analysis/check/services/check_connections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/scenario_of.h"
#include "protocol/connections/connection_parameters.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::check_connections_test {
namespace {

using ::testing::HasSubstr;

Scenario Connecting(int connections, const std::string& more, const std::string& duration = "1ms") {
  return ScenarioOf("duration: " + duration +
                    "\ntopology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 5m}}"
                    "\nservices: [{name: c, type: rdmavisor, clients: h0, connections: " +
                    std::to_string(connections) + more +
                    "}]\nworkloads: [{name: w, type: transfers, service: c, size: 1KiB}]\n");
}

TEST(CheckConnections, no_client_is_connected_earlier) {
  for (const int connections : {1, 100, 1500}) {
    for (const char* more :
         {", servers: h1", ", servers: \"h[1-3]\", workers: 2", ", servers: h1, depth: 8, batch: 1",
          ", servers: \"h[1-3]\", workers: 3, depth: 2, costs: {completion: 0ns, post: 10ns}"}) {
      InChild([&] {
        const Scenario s = Connecting(connections, more);
        const RunRecord r = headroom::Run(s, {});
        const Time least = s.services[0].As<ConnectionParameters>().Connected();
        ASSERT_FALSE(r.operations.empty());
        EXPECT_GE(r.operations[0].start, least) << connections << more;
        if (connections == 1500) {
          EXPECT_LT(r.operations[0].start, least * 20) << more;
        }
        Findings findings;
        CheckConnections(s, findings);
        EXPECT_TRUE(findings.empty());
      });
    }
  }
}

// 3000 connections take a completion and an answer each, except for the 128 that may be open: 5872 of 50 ns.
TEST(CheckConnections, a_workload_that_asks_for_nothing_is_a_warning) {
  const Scenario s = Connecting(3000, ", servers: h1", "200us");
  Findings findings;
  CheckConnections(s, findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].where, "workload w");
  EXPECT_THAT(findings[0].what, HasSubstr("it sends no requests: a client's daemon takes at least 293us "
                                          "to open the client's 3,000 connections, but arrivals end at "
                                          "200us"));
  InChild([&] { EXPECT_TRUE(headroom::Run(s, {}).operations.empty()); });
}

}  // namespace
}  // namespace headroom::check_connections_test
