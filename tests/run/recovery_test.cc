// Random scenarios with the recoveries that request contexts, keep buffers or count. In all of them the
// accounts balance, and the parts of times sum to the times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "run/record_text.h"
#include "run/run.h"
#include "scenario/packet_headers.h"
#include "support/in_child.h"
#include "support/random_scenario.h"
#include "support/run_accounts.h"

namespace headroom::recovery_test {
namespace {

using Type = RecoveryParameters::Type;

/// The scenario with this recovery; false: the two cannot be combined.
bool Recover(Scenario& s, Type type, uint64_t seed, bool connects) {
  std::mt19937_64 random(seed);
  if (!(s.frames.InOrder() == FrameFormat{})) return false;
  RecoveryParameters recovery;
  recovery.type = type;
  recovery.packets = static_cast<int>(1 + random() % (random() % 2 == 0 ? 8 : 128));
  recovery.connects = connects;
  recovery.contexts = static_cast<int>(1 + random() % 8);
  recovery.ahead = static_cast<int>(1 + random() % 4);
  recovery.timer = Microseconds(static_cast<int64_t>(20 + random() % 200));
  for (NicParameters& nic : s.nics) {
    if (nic.dcqcn.np.coalescing == NpParameters::Coalescing::ack_flag) return false;
    nic.transport.ack_every = 1;
    nic.transport.window.kind = SendWindow::Kind::none;
    nic.transport.recovery = recovery;
  }
  SetPacketHeaders(s);
  return true;
}

void BalancesWith(Type type, bool connects = false) {
  int ran = 0;
  bool waited = false;
  // Waits for a context are rare.
  const bool waits = type == Type::receiver_window || (type == Type::counter && connects);
  for (uint64_t seed = 100; ran < 12 || (waits && !waited && ran < 60); ++seed) {
    Scenario s = LoadRandomScenario(seed).scenario;
    if (!Recover(s, type, seed, connects)) continue;
    ++ran;
    SCOPED_TRACE(RandomScenarioText(seed));
    const std::string told = TextFromChild([&] {
      RunOptions options;
      options.check = true;
      const RunRecord r = headroom::Run(s, options);
      ExpectAccounts(s, r);
      for (const MessageRecord& m : r.messages)
        waited |= m.Finished() && s.observe.parts && r.PartsOf(m)[MessagePart::context] > Time{};
      return std::string(waited ? "waited" : "did not");
    });
    waited |= told == "waited";
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_EQ(waited, waits);
}

TEST(Recovery, ReceiverWindowsBalanceTheirAccounts) { BalancesWith(Type::receiver_window); }
TEST(Recovery, SenderWindowsBalanceTheirAccounts) { BalancesWith(Type::sender_window); }
TEST(Recovery, SenderWindowsWithSetUpBalanceTheirAccounts) { BalancesWith(Type::sender_window, true); }
TEST(Recovery, CountersBalanceTheirAccounts) { BalancesWith(Type::counter); }
TEST(Recovery, CountersInContextsBalanceTheirAccounts) { BalancesWith(Type::counter, true); }

struct Repeats {
  uint64_t lost = 0, repeated = 0;
};

/// Messages of 64 KiB to 1 MB on links that lose 1 to 5 per mille. `recovery` has a timer above the round
/// trip.
Repeats RepeatsOf(uint64_t seed, const std::string& verb, const std::string& recovery) {
  std::mt19937_64 random(seed);
  const auto draw = [&](uint64_t from, uint64_t to) { return from + random() % (to - from + 1); };
  std::string messages;
  for (int i = 0; i < 40; ++i)
    messages += fmt::format("{}{{at: {}us, from: h0, to: h1, size: {}KB}}", i == 0 ? "" : ", ", draw(0, 4000),
                            draw(64, 1024));
  const std::string delay = std::vector<std::string>{"100ns", "8us", "100us"}[seed % 3];
  const ScenarioFile file = LoadScenarioFileText(
      fmt::format("seed: {}\nduration: 50ms\ndeadline: 400ms\nmtu: 1024\n"
                  "topology: {{type: star, hosts: 2, link: {{rate: 100Gbps, delay: {}, loss: {}/10000}}}}\n"
                  "nics: [{{match: \"*\", congestion_control: none, transport: {{ack_every: 1, "
                  "window: {}, ack_priority: cnp, rto: 20ms, recovery: {{{}}}}}}}]\n"
                  "workloads: [{{name: a, type: list, verb: {}, messages: [{}]}}]\n",
                  seed + 1, delay, draw(5, 25), recovery.starts_with("type: selective") ? "bdp" : "none",
                  recovery, verb, messages),
      "repeats.yaml", ".");
  const std::string counts = TextFromChild([&] {
    const RunRecord r = headroom::Run(file.scenario, RunOptions{});
    uint64_t lost = 0;
    // Answers have another priority.
    for (const PortRecord& port : r.ports)
      lost += port.priority[3].drops[static_cast<size_t>(DropReason::link_loss)];
    for (const MessageRecord& m : r.messages) EXPECT_TRUE(m.Finished());
    return fmt::format("{} {}", lost, r.retransmitted_packets);
  });
  Repeats repeats;
  std::istringstream(counts) >> repeats.lost >> repeats.repeated;
  return repeats;
}

/// At most 1.1 packets are repeated per lost packet.
void RepeatsOnce(const std::string& verb, const std::string& recovery) {
  Repeats all;
  for (uint64_t seed = 0; seed < 9; ++seed) {
    const Repeats r = RepeatsOf(seed, verb, recovery);
    EXPECT_LE(static_cast<double>(r.repeated), 1.1 * static_cast<double>(r.lost) + 20)
        << verb << ' ' << recovery << ", seed " << seed << ", lost " << r.lost;
    all.lost += r.lost;
    all.repeated += r.repeated;
  }
  EXPECT_GT(all.lost, 300u);
  EXPECT_LE(static_cast<double>(all.repeated), 1.1 * static_cast<double>(all.lost))
      << verb << ' ' << recovery << ", lost " << all.lost;
}

TEST(Recovery, ReadsAndWritesThatFitIntoTheReceiversWindowRepeatLostPackets) {
  for (const std::string verb : {"write", "read"})
    RepeatsOnce(verb, "type: receiver_window, packets: 1024, timer: 1ms");
}

TEST(Recovery, ReadsRepeatLostPacketsOfASenderThatHoldsABuffer) {
  RepeatsOnce("read", "type: sender_window, timer: 1ms");
}

TEST(Recovery, SelectiveReadsRepeatLostPackets) {
  RepeatsOnce("read", "type: selective_repeat, rto_low: 1ms, rto_high: 2ms");
}

TEST(Recovery, ReorderedPacketsAreNoLossForAControl) {
  // Two flows of 8 MB on eight sprayed paths: packets overtake each other, and none is lost or marked. The
  // line alone takes 8 MB x (4096 + 78) / 4096 x 8 / 400 Gb/s = 163 us. A window halved for each NAK doubles
  // the time.
  for (const std::string control : {"none", "dctcp", "swift"}) {
    const ScenarioFile file = LoadScenarioFileText(
        "duration: 1ms\ndeadline: 40ms\nmtu: 4096\n"
        "topology: {type: leaf_spine, leaves: 2, spines: 8, hosts_per_leaf: 2, "
        "host_link: {rate: 400Gbps, length: 3m}, fabric_link: {rate: 400Gbps, length: 30m}}\n"
        "switches: [{match: \"*\", routing: spray}]\n"
        "nics: [{match: \"*\", congestion_control: " +
            control +
            ", transport: {window: 4MB, ack_priority: cnp, "
            "recovery: {type: selective_repeat, nack_after: 256}}}]\n"
            "workloads: [{name: a, type: list, messages: [{from: h0, to: h2, size: 8MB}, "
            "{from: h1, to: h3, size: 8MB}]}]\n",
        "naks.yaml", ".");
    InChild([&] {
      const RunRecord r = headroom::Run(file.scenario, RunOptions{});
      EXPECT_GT(r.naks, 20u);
      EXPECT_EQ(r.retransmitted_packets, 0u);
      for (const MessageRecord& m : r.messages) {
        EXPECT_TRUE(m.Finished());
        EXPECT_LT(m.completed - m.start, Microseconds(185)) << control;
      }
    });
  }
}

}  // namespace
}  // namespace headroom::recovery_test
