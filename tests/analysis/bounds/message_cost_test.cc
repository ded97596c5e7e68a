#include "analysis/bounds/message_cost.h"

#include <gtest/gtest.h>

#include "workload/types/permutation.h"

namespace headroom::message_cost_test {
namespace {

TEST(CostOfMessages, CountsHeadersGapsAndAcks) {
  WorkloadParameters workload;
  PermutationArrivals permutation;
  permutation.size = Bytes(10'000);
  workload.arrivals = permutation;
  const MessageCost cost = CostOfMessages(workload, 1'024, 4, FrameFormat());
  EXPECT_DOUBLE_EQ(cost.packets, 10);
  EXPECT_DOUBLE_EQ(cost.acks, 3);  // ACKs for the 4th, the 8th and the last packet
  EXPECT_DOUBLE_EQ(cost.data_wire, 10'000 + 10 * (62 + 20) + 16);
  EXPECT_DOUBLE_EQ(cost.ack_wire, 3 * (66 + 20));

  // Every packet carries what a congestion control asks for, and its ACKs return it.
  const MessageCost asked = CostOfMessages(workload, 1'024, 4, {.feedback = 42});
  EXPECT_DOUBLE_EQ(asked.data_wire, cost.data_wire + 10 * 42);
  EXPECT_DOUBLE_EQ(asked.ack_wire, cost.ack_wire + 3 * 42);
}

}  // namespace
}  // namespace headroom::message_cost_test
