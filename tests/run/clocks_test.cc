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

constexpr const char* kClock = "{ppm: 30, jitter: frame}";

/// The messages that each sender of a star delivered to its last host within 5 ms, after 1 ms.
std::vector<uint64_t> Delivered(int senders, bool lossless, const std::string& clock,
                                const std::string& transport) {
  const std::string text = fmt::format(
      "duration: 6ms\ndeadline: 6ms\nobserve: {{parts: false, causes: false}}\n"
      "topology: {{type: star, hosts: {0}, link: {{rate: 100Gbps, length: 5m}}}}\n"
      "priorities: {{rdma: {{priority: 3, dscp: 3, lossless: {1}}}}}\n"
      "switches: [{{match: \"*\", buffer: {{profile: azure-24mb}}, oscillator: {2}}}]\n"
      "nics: [{{match: \"*\", congestion_control: none, oscillator: {2}}}]\n"
      "workloads: [{{name: w, type: verbs, message: 1KiB, window: 64, cpu: 0ns, transport: {3}, priority: "
      "rdma, "
      "from: \"h[0-{4}]\", to: h{5}}}]\n",
      senders + 1, lossless, clock, transport, senders - 1, senders);
  const Scenario scenario = LoadScenarioText(text, "clocks.yaml", ".");
  const RunRecord record = headroom::Run(scenario, {});
  std::vector<uint64_t> delivered(static_cast<size_t>(senders));
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
  for (const int senders : {2, 3})
    InChild([senders] { ExpectEven(Delivered(senders, false, kClock, "uc"), 0.05); });
}

TEST(Clocks, PausedSendersShareAPort) {
  InChild([] { ExpectEven(Delivered(2, true, kClock, "rc"), 0.01); });
}

TEST(Clocks, ExactClocksLetOneSenderStarve) {
  InChild([] {
    const std::vector<uint64_t> delivered = Delivered(2, false, "exact", "uc");
    EXPECT_LT(*std::ranges::min_element(delivered) * 10, *std::ranges::max_element(delivered));
  });
}

}  // namespace
}  // namespace headroom::clocks_test
