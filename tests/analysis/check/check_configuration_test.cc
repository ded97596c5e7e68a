// Ports of a configuration that the scenario does not link.
#include "analysis/check/check_configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/read/load.h"

namespace headroom::check_configuration_test {
namespace {

using ::testing::IsEmpty;

struct Checked {
  std::vector<ConfigurationCheck> checks;
  Findings findings;
};

Checked Check(const std::vector<std::string>& sets) {
  const Scenario s = LoadScenario(std::string(HEADROOM_SOURCE_DIR) + "/tests/scenario/good/sonic.yaml", sets);
  const Fabric fabric(s);
  Checked out;
  out.checks = CheckConfigurations(ClassifySwitches(fabric), out.findings);
  return out;
}

TEST(CheckConfiguration, counts_the_ports_that_are_linked_and_all_there_are) {
  const Checked c = Check({});
  ASSERT_EQ(c.checks.size(), 4u);
  EXPECT_EQ(c.checks[3].at, "switch#4");
  EXPECT_EQ(c.checks[3].linked, 2u);
  EXPECT_EQ(c.checks[3].ports, 5u);
}

TEST(CheckConfiguration, says_where_all_groups_paused_at_once_exceed_the_headroom) {
  // Two ports of 40 Gb/s and two of 100 Gb/s with two lossless groups each, of 70 kB and 180 kB: 1 MB. The
  // fifth port has no lossless group.
  const std::string xoff = "switches.t3.buffer.tables.BUFFER_POOL.ingress_lossless_pool.xoff=";
  Checked c = Check({xoff + "1000000"});
  ASSERT_EQ(c.checks[3].pools.size(), 1u);
  EXPECT_EQ(c.checks[3].pools[0].pool, "ingress_lossless_pool");
  EXPECT_EQ(c.checks[3].pools[0].groups, 8u);
  EXPECT_EQ(c.checks[3].pools[0].sum_xoff, Bytes(1'000'000));
  EXPECT_THAT(c.findings, IsEmpty());
  c = Check({xoff + "800000"});
  ASSERT_EQ(c.findings.size(), 1u);
  EXPECT_EQ(c.findings[0].severity, Finding::Severity::note);
  EXPECT_EQ(c.findings[0].where, "switch#4, headroom of ingress_lossless_pool");
  EXPECT_EQ(
      c.findings[0].what,
      "if all 5 ports of the configuration were in use and their peers paused at once, 8 lossless groups "
      "would take 1.00 MB of headroom, 1.2 times the available 800.0 kB; the scenario links 2 of the "
      "ports");
}

}  // namespace
}  // namespace headroom::check_configuration_test
