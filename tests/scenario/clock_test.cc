// The clock of a NIC: accepted values, refused values, and what is written.
#include "scenario/keys/hosts/nic_keys.h"

#include <gtest/gtest.h>

#include "scenario/read/load.h"

namespace headroom::clock_test {
namespace {

constexpr const char* kStar =
    "topology: {type: star, hosts: 2, link: {rate: 100Gbps, length: 3m}}\n"
    "workloads: [{name: perm, type: permutation, size: 2MB}]\n"
    "nics: [{match: \"*\", clock: ";

ClockParameters Clock(const std::string& text) {
  return LoadScenarioText(kStar + text + "}]\n", "x.yaml", ".").nics[1].clock;
}

std::string Refusal(const std::string& text) {
  try {
    Clock(text);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

TEST(Clock, HasASignedOffsetAndDriftAndAnIntervalOrNone) {
  EXPECT_EQ(Clock("{}"), ClockParameters{});
  EXPECT_EQ(Clock("{offset: -5us, drift: 20ppm, sync: 10ms}"),
            (ClockParameters{Microseconds(-5), 20'000, Milliseconds(10)}));
  EXPECT_EQ(Clock("{offset: 1.5ns, drift: -0.125ppm, sync: never}"),
            (ClockParameters{Picoseconds(1500), -125, kNever}));
}

TEST(Clock, IsWrittenAsItIsRead) {
  for (const char* text :
       {"{offset: 0ns, drift: 0ppm, sync: never}", "{offset: -5us, drift: 0.001ppm, sync: 10ms}",
        "{offset: 1500ps, drift: -20.5ppm, sync: 1us}"}) {
    EXPECT_EQ(keys::Mapping(keys::ClockKeys()).write(Clock(text), {}), text);
  }
}

TEST(Clock, RefusesWhatIsNoClock) {
  EXPECT_EQ(Refusal("{drift: 20}"),
            "x.yaml:3:36: \"20\" is not a drift; write a drift as 20ppm or -0.5ppm, with at most three "
            "decimals");
  EXPECT_NE(Refusal("{drift: 0.0001ppm}").find("\"0.0001ppm\" is not a drift"), std::string::npos);
  EXPECT_NE(Refusal("{drift: -2000ppm}").find("\"-2000ppm\" is more than 1000ppm"), std::string::npos);
  EXPECT_NE(Refusal("{offset: -2s}").find("\"-2s\" is out of range; allowed: -1s to 1s"), std::string::npos);
  EXPECT_NE(Refusal("{sync: 1ns}").find("out of range"), std::string::npos);
  EXPECT_NE(Refusal("{sync: always}").find("is not a time"), std::string::npos);
}

}  // namespace
}  // namespace headroom::clock_test
