// Types of services that a program registers: their keys are like all others.
#include "scenario/keys/services/service_types.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/keys/services/service_keys.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/in_child.h"

namespace headroom::service_types_test {
namespace {

/// Registrations are permanent, so each test has its own process.
const keys::OwnKey<Time>& Registered() {
  static const keys::OwnKey<Time> after =
      keys::AddKey<Time>(keys::AddServiceType("late", "answers late"), "after",
                         keys::Times(Time(1), Milliseconds(1)), Microseconds(10), "it answers so late");
  return after;
}

ScenarioFile With(const std::string& more) {
  Registered();
  return LoadScenarioFileText(
      "topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 3m}}\n"
      "services: [{name: cache, type: herd, servers: h0, clients: h1},\n"
      "           {name: mine, type: late, servers: h0, clients: \"h[2-3]\"" +
          more + "}]\nworkloads: [{name: w, type: permutation, size: 1MB}]\n",
      "x.yaml", ".");
}

std::string RefusalOf(const std::string& more) {
  try {
    With(more);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

TEST(ServiceTypes, are_read_and_counted_as_others) {
  InChild([] {
    const ScenarioFile file = With(", after: 20us");
    const Scenario& s = file.scenario;
    ASSERT_EQ(s.services.size(), 2u);
    EXPECT_EQ(s.services[0]->type, "herd");
    const ServiceParameters& mine = *s.services[1];
    EXPECT_EQ(mine.name, "mine");
    EXPECT_EQ(mine.type, "late");
    EXPECT_EQ(mine.clients, (std::vector<NodeId>{2, 3}));
    EXPECT_EQ(Registered().Of(mine), Microseconds(20));
    EXPECT_EQ(Registered().Of(*With("").scenario.services[1]), Microseconds(10));
  });
}

TEST(ServiceTypes, are_refused_as_others) {
  InChild([] {
    EXPECT_EQ(RefusalOf(", after: 2ms"), "x.yaml:3:76: \"2ms\" is out of range; allowed: 1ps to 1ms");
    EXPECT_NE(RefusalOf(", aftre: 2us").find("did you mean \"after\"?"), std::string::npos);
    EXPECT_THROW(keys::AddServiceType("late", "again"), std::invalid_argument);
    EXPECT_THROW(keys::AddServiceType("herd", "taken"), std::invalid_argument);
  });
}

TEST(ServiceTypes, are_written_and_read_back) {
  InChild([] {
    const ScenarioFile file = With(", after: 20us");
    const std::string text = WriteResolved(file).yaml;
    EXPECT_NE(text.find("after: 20us"), std::string::npos) << text;
    const ScenarioFile again = LoadScenarioFileText(text, "resolved.yaml", ".");
    EXPECT_EQ(WriteResolved(again).yaml, text);
    EXPECT_EQ(again.scenario.services, file.scenario.services);
    // A part of the schema, which consists of these.
    const keys::Shape services = keys::Services().shape;
    const auto found = std::ranges::find(services.inside, "service_late",
                                         [](const keys::Keys* keys) { return keys->section().name; });
    ASSERT_NE(found, services.inside.end());
    EXPECT_EQ((*found)->keys().back().name, "after");
  });
}

}  // namespace
}  // namespace headroom::service_types_test
