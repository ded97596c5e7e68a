// Contexts that messages request at their receiver: the receiver's window, and the counter with contexts.
#include "nic/transport/recovery/context_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/in_child.h"
#include "support/lab.h"
#include "support/recovery.h"

namespace headroom::context_requests_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

void WindowInContexts(Scenario& s, int contexts) {
  for (NicParameters& nic : s.nics) nic.transport.recovery.contexts = contexts;
  UseReceiverWindow(s);
}
constexpr void (*kSchemes[])(Scenario&, int) = {WindowInContexts, CountInContexts};

TEST(ContextRequests, AreGrantedAsManyAsThereAreContextsAndToAll) {
  // Six senders share two contexts: all messages arrive, and at most two arrive at the same time.
  for (const auto use : kSchemes) {
    InChild([use] {
      Scenario s = StarScenario(7, kLink);
      use(s, 2);
      Lab lab(s);
      for (NodeId src = 1; src < 7; ++src) {
        const uint32_t qp = lab.Connect(src, 0);
        for (int i = 0; i < 5; ++i) lab.Post(src, qp, 20'000);
      }
      RunUntil(Milliseconds(10));
      EXPECT_EQ(lab.completed.size(), 30u);
      EXPECT_EQ(lab.nic(0).contexts()->most(), 2u);
      EXPECT_GT(lab.nic(0).contexts()->refused(), 0u);
      EXPECT_EQ(lab.network->pool().in_use(), 0u);
    });
  }
}

TEST(ContextRequests, OfADeadSenderDoNotKeepAContext) {
  // There is one context. Host 1 becomes silent within its message; host 2 gets the context when go-back-N
  // would have given up: after 8 timeouts of 1 ms.
  for (const auto use : kSchemes) {
    InChild([use] {
      Scenario s = StarScenario(3, kLink);
      use(s, 1);
      for (NicParameters& nic : s.nics) nic.transport.rto = Milliseconds(1);
      Lab lab(s);
      bool dead = false;
      lab.lose = [&](NodeId host, const Frame& f) {
        dead |= host == 1 && f.kind == FrameKind::data && f.psn >= 10;
        return host == 1 && dead;
      };
      lab.Post(1, lab.Connect(1, 0), 100'000);
      const uint32_t other = lab.Connect(2, 0);
      At(Microseconds(50), [&] { lab.Post(2, other, 100'000); });
      RunUntil(Milliseconds(50));
      EXPECT_EQ(lab.messages[0].completions, 0);
      EXPECT_THAT(lab.errors, testing::ElementsAre("1/0: retries exhausted"));
      EXPECT_EQ(lab.messages[1].completions, 1);
      EXPECT_GT(lab.messages[1].completed, Milliseconds(8));
      EXPECT_LT(lab.messages[1].completed, Milliseconds(9));
    });
  }
}

}  // namespace
}  // namespace headroom::context_requests_test
