// A pool grows when all its buffers are taken, up to its limit, and returns slabs.
#include "protocol/storage/wire/registered_pool.h"

#include <gtest/gtest.h>

#include "protocol/storage/wire/su_lab.h"
#include "support/in_child.h"

namespace headroom::registered_pool_test {
namespace {

class Waiter final : public Endpoint {
 public:
  void OnCompletion(const Wc&) override {}
  void OnTurn() override { ++turns; }
  int64_t BytesOf(const Wc&) const override { return 0; }
  int64_t BytesOfTurn() const override { return 0; }
  int turns = 0;
};

TEST(RegisteredPool, grows_by_slabs_waits_at_its_limit_and_shrinks) {
  InChild([] {
    SuLab lab(StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0}));
    RegisteredPool pool(lab.verbs(0), {1000, 4000, 2, true}, uint64_t{9} << 40);
    Waiter waiter;
    std::vector<RegisteredBuffer> taken;
    for (int i = 0; i < 8; ++i) taken.push_back(pool.Take(*lab.hosts[0].process, waiter));
    EXPECT_EQ(pool.slabs(), 2u);
    EXPECT_TRUE(taken.back().valid());
    EXPECT_FALSE(pool.Take(*lab.hosts[0].process, waiter).valid());
    EXPECT_EQ(waiter.turns, 0);
    pool.Give(taken[7]);
    EXPECT_EQ(waiter.turns, 1);
    for (int i = 0; i < 7; ++i) pool.Give(taken[i]);
    EXPECT_EQ(pool.taken(), 0u);
    EXPECT_EQ(pool.slabs(), 1u);
    EXPECT_EQ(pool.most_slabs(), 2u);
  });
}

}  // namespace
}  // namespace headroom::registered_pool_test
