// Congestion controls in a scenario: accepted keys, written form and refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/read/load.h"
#include "scenario/write/write.h"

namespace headroom::control_keys_test {
namespace {

using testing::HasSubstr;

std::string With(const std::string& control, const std::string& more = "",
                 const std::string& verb = "write") {
  return "topology: {type: leaf_spine, leaves: 2, spines: 1, hosts_per_leaf: 2, host_link: {rate: 100Gbps, "
         "length: 3m}, fabric_link: {rate: 100Gbps, length: 3m}}\nduration: 1ms\n"
         "nics: [{match: \"*\", congestion_control: " +
         control + more +
         "}]\nworkloads: [{name: w, type: incast, size: 1MB, from: \"*\", to: h0, verb: " + verb + "}]\n";
}

std::string VerbsWith(const std::string& control, const std::string& transport) {
  std::string text = With(control);
  text.resize(text.find("workloads:"));
  return text + "workloads: [{name: w, type: verbs, message: 64B, from: h1, to: h0, verb: " +
         (transport == "ud" ? "send" : "write") + ", transport: " + transport + "}]\n";
}

std::string RefusalOf(const std::string& text) {
  try {
    LoadScenarioText(text, "a.yaml", ".");
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

TEST(ControlKeys, ATypeAloneAndAMappingWithItAreTheSame) {
  for (const char* type : {"hpcc", "dctcp", "timely", "swift", "receiver_credit"}) {
    const Scenario alone = LoadScenarioText(With(type), "a.yaml", ".");
    const Scenario mapped = LoadScenarioText(With(std::string("{type: ") + type + "}"), "a.yaml", ".");
    EXPECT_EQ(alone.nics[0].control->name(), type);
    EXPECT_EQ(alone.nics[0], mapped.nics[0]);
  }
  EXPECT_NE(LoadScenarioText(With("{type: hpcc, eta: 90%}"), "a.yaml", ".").nics[0],
            LoadScenarioText(With("hpcc"), "a.yaml", ".").nics[0]);
}

TEST(ControlKeys, HeadersArePartOfDataAndOfTheirAcks) {
  const FrameFormat plain = LoadScenarioText(With("dctcp"), "a.yaml", ".").frames,
                    hpcc = LoadScenarioText(With("hpcc"), "a.yaml", ".").frames;
  EXPECT_EQ(hpcc.Data(1000, false) - plain.Data(1000, false), Bytes(42));
  EXPECT_EQ(hpcc.Ack() - plain.Ack(), Bytes(42));
  EXPECT_EQ(hpcc.Cnp(), plain.Cnp());
}

TEST(ControlKeys, WhatIsWrongIsSaidWithWhatIsAllowed) {
  const std::pair<std::string, std::string> refused[] = {
      {With("hpc"), "did you mean \"hpcc\""},
      {With("{type: hpcc, eta: 120%}"), "\"120%\" is out of range; allowed: above 0 to 100%"},
      {With("{type: hpcc, g: 1/16}"), "\"g\""},
      {With("{eta: 90%}"), "missing key \"type\""},
      {With("{type: dcqcn, g: 1/16}"), "dcqcn"},
      {With("{type: timely, low: 1ms}"), "low 1ms is above high 500us"},
      {With("{type: receiver_credit, share: 0}"), "above 0 to 100%"},
      {"priorities: {storage: {priority: 3, lossless: true}}\n" + With("receiver_credit"),
       "credits of receiver_credit need a traffic class \"cnp\""},
      {With("{type: swift, scaling_least: 200}"), "scaling_least is not below scaling_most"},
      // The longest path has three switches.
      {With("{type: hpcc, hops: 2}"), "paths have up to 3 switches"},
      {VerbsWith("hpcc", "uc"), "messages of uc have no ACKs"},
      {VerbsWith("dctcp", "ud"), "datagrams (ud) have no ACKs"},
      {VerbsWith("receiver_credit", "uc"), "messages of uc take no credits"},
      {With("dctcp", ", transport: {recovery: counter}"), "this recovery has none for single packets"}};
  for (const auto& [text, words] : refused) EXPECT_THAT(RefusalOf(text), HasSubstr(words)) << text;
  EXPECT_EQ(RefusalOf(With("{type: hpcc, hops: 3}")), "");
  EXPECT_EQ(RefusalOf(With("hpcc", "", "read")), "");
  EXPECT_EQ(RefusalOf(VerbsWith("hpcc", "rc")), "");
}

}  // namespace
}  // namespace headroom::control_keys_test
