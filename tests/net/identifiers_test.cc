#include "net/identifiers.h"

#include <gtest/gtest.h>

#include <random>

namespace headroom::identifiers_test {
namespace {

TEST(NumbersOfVerbs, name_the_host_and_the_last_bits_of_its_count) {
  std::mt19937_64 random(1);
  for (const size_t hosts : {1, 2, 3, 64, 10'240, 100'000}) {
    for (const size_t programs : {size_t{1}, (hosts + 1) / 2, hosts}) {
      const NumbersOfVerbs numbers(hosts, programs);
      EXPECT_LT(numbers.remembered(), numbers.different());
      EXPECT_GT(numbers.remembered(), 0u);
      for (int i = 0; i < 100; ++i) {
        const auto host = static_cast<NodeId>(random() % hosts);
        const auto count = static_cast<uint32_t>(random());
        const uint32_t number = numbers.Of(host, count);
        EXPECT_FALSE(IsBulk(number));
        EXPECT_NE(number, kNoMessage);
        EXPECT_EQ(numbers.HostOf(number), host);
        EXPECT_EQ(numbers.CountOf(number), count % numbers.different());
      }
    }
  }
}

TEST(NumbersOfVerbs, remember_fewer_of_each_of_many_hosts) {
  EXPECT_EQ(NumbersOfVerbs(100, 2).remembered(), 7u << 13);  // seven eighths of half of 2^17
  EXPECT_EQ(NumbersOfVerbs(100'000, 100'000).remembered(), 28u);
}

}  // namespace
}  // namespace headroom::identifiers_test
