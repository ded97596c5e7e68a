// Equal senders share what they cannot all have: no clock is exact, so none of them is always first.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "run/run.h"
#include "scenario/read/load.h"
#include "support/in_child.h"

namespace headroom::clocks_test {
namespace {

struct Case {
  int senders = 2;
  std::string transport = "rc";
  bool lossless = false;
  std::string nic{};  ///< more keys of all NICs
  int window = 64;
  int end_ms = 6;
  std::string clock{};  ///< of all nodes; empty: the default
};

/// The messages that each sender of a star delivered to its last host after 1 ms.
std::vector<uint64_t> Delivered(const Case& c) {
  const std::string clock = c.clock.empty() ? "" : ", oscillator: " + c.clock;
  const std::string text = fmt::format(
      "duration: {0}ms\ndeadline: {0}ms\nobserve: {{parts: false, causes: false}}\n"
      "topology: {{type: star, hosts: {1}, link: {{rate: 100Gbps, length: 5m}}}}\n"
      "priorities: {{rdma: {{priority: 3, dscp: 3, lossless: {2}}}}}\n"
      "switches: [{{match: \"*\", buffer: {{profile: azure-24mb}}{3}}}]\n"
      "nics: [{{match: \"*\", congestion_control: none{4}{3}}}]\n"
      "workloads: [{{name: w, type: verbs, message: 1KiB, window: {5}, cpu: 0ns, transport: {6}, priority: "
      "rdma, from: \"h[0-{7}]\", to: h{8}}}]\n",
      c.end_ms, c.senders + 1, c.lossless, clock, c.nic, c.window, c.transport, c.senders - 1, c.senders);
  const Scenario scenario = LoadScenarioText(text, "clocks.yaml", ".");
  const RunRecord record = headroom::Run(scenario, {});
  std::vector<uint64_t> delivered(static_cast<size_t>(c.senders));
  for (const MessageRecord& m : record.messages)
    if (m.delivered != kNever && m.delivered > Milliseconds(1)) ++delivered[m.src];
  return delivered;
}

void ExpectEven(const std::vector<uint64_t>& delivered, double within) {
  uint64_t sum = 0;
  for (const uint64_t n : delivered) sum += n;
  const double mean = static_cast<double>(sum) / static_cast<double>(delivered.size());
  ASSERT_GT(mean, 100);
  for (const uint64_t n : delivered) EXPECT_NEAR(static_cast<double>(n), mean, within * mean);
}

TEST(Clocks, DatagramSendersShareAFullLossyPort) {
  for (const int senders : {2, 3, 8})
    InChild([senders] { ExpectEven(Delivered({.senders = senders, .transport = "uc"}), 0.05); });
}

TEST(Clocks, PausedSendersShareAPort) {
  InChild([] { ExpectEven(Delivered({.lossless = true, .window = 4096}), 0.01); });
}

TEST(Clocks, SelectiveRepeatSharesAFullLossyPort) {
  for (const int senders : {2, 3})
    InChild([senders] {
      ExpectEven(Delivered({.senders = senders,
                            .nic = ", transport: {recovery: selective_repeat, window: 4MiB}",
                            .window = 4096}),
                 0.15);
    });
}

// Whoever loses a repeated frame waits for its timeout. So shares become even over many timeouts only.
TEST(Clocks, GoBackNSharesAFullLossyPortOverManyTimeouts) {
  InChild([] { ExpectEven(Delivered({.window = 3000, .end_ms = 60}), 0.15); });
}

TEST(Clocks, ExactClocksLetOneSenderStarve) {
  InChild([] {
    const std::vector<uint64_t> delivered = Delivered({.transport = "uc", .clock = "exact"});
    EXPECT_LT(*std::ranges::min_element(delivered) * 10, *std::ranges::max_element(delivered));
  });
}

}  // namespace
}  // namespace headroom::clocks_test
