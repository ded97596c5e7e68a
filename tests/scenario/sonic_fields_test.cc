#include "scenario/sonic_fields.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/load.h"

namespace headroom {
namespace {

const std::string kRack = std::string(HEADROOM_SOURCE_DIR) + "/tests/scenario/good/sonic.yaml";

TEST(SonicFields, AFieldOfTheScenarioStandsInThePlaceOfTheFiles) {
  const std::string key = "switches.t3.buffer.tables.";
  const Scenario s = LoadScenario(kRack, {key + "BUFFER_PROFILE.pg_lossless_40000_5m_profile.xoff=81120",
                                          key + "BUFFER_POOL={ingress_lossless_pool: {size: 9000000}}"});
  const auto& buffer = s.switches[3].buffer;
  const auto profile =
      std::ranges::find(buffer.profiles, "pg_lossless_40000_5m_profile", &BufferProfile::name);
  ASSERT_NE(profile, buffer.profiles.end());
  EXPECT_EQ(profile->xoff, Bytes(81'120));
  EXPECT_EQ(profile->xon, Bytes(2288));  // the file's
  const auto pool = std::ranges::find(buffer.pools, "ingress_lossless_pool", &BufferPool::name);
  ASSERT_NE(pool, buffer.pools.end());
  EXPECT_EQ(pool->size, Bytes(9'000'000));
}

TEST(SonicFields, TextThatIsNoJsonIsLeftToItsReader) {
  EXPECT_EQ(WithSonicFields("{,", "f", {{"A", "b", "c", "1"}}, {}), "{,");
  EXPECT_EQ(WithSonicFields(R"({"A|b": {"c": "0", "d": 2}})", "f",
                            {{"A", "b", "c", "1"}, {"A", "b", "d", "x"}}, {}),
            R"({"A|b": {"c": "1", "d": "x"}})");
  EXPECT_EQ(WriteSonicFields({{"A", "b", "c", "1"}, {"A", "b", "d", "-1"}, {"A", "e|3", "f", ""}}),
            R"({A: {b: {c: 1, d: -1}, "e|3": {f: ""}}})");
}

}  // namespace
}  // namespace headroom
