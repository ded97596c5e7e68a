// The shipped scenario of a switch with a SONiC configuration, as the README describes it.
#include <gtest/gtest.h>

#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::own_switch_test {
namespace {

uint64_t LosslessDrops(const std::vector<std::string>& sets) {
  return std::stoull(TextFromChild([&] {
    const RunRecord record =
        headroom::Run(LoadScenario(HEADROOM_SOURCE_DIR "/scenarios/own-switch.yaml", sets), {});
    uint64_t drops = 0;
    for (const PortRecord& port : record.ports)
      for (const uint64_t n : port.priority[3].drops) drops += n;
    return std::to_string(drops);
  }));
}

TEST(OwnSwitch, HeadroomForFortyMetresLosesFramesOverEightHundred) {
  EXPECT_GT(LosslessDrops({}), 100u);
  EXPECT_EQ(
      LosslessDrops({"switches.t0.buffer.tables.BUFFER_PROFILE.pg_lossless_100000_40m_profile.xoff=252928"}),
      0u);
}

}  // namespace
}  // namespace headroom::own_switch_test
