// An example of a congestion control, aimd. Its window grows by `step` packets per round trip. The first
// mark of a round trip halves the window. docs/extending.md explains this file.
#include <iostream>

#include "cli/program.h"
#include "run/run.h"
#include "scenario/keys/hosts/control_keys.h"
#include "scenario/read/load.h"

using namespace headroom;
using namespace headroom::keys;

struct AimdParameters {
  static constexpr bool kNeedsMarks = true;  // check warns where nothing is marked
  double step = 1;
  int least = 2;
  bool operator==(const AimdParameters&) const = default;
};

class Aimd final : public Control {
 public:
  explicit Aimd(const AimdParameters& p) : Control(kAcks | kLosses), p_(p) {}

  void Begin(const ControlPath& path) override {
    rate_ = path.line;  // the window alone limits the sender
    packets_ =
        InSeconds(path.round_trip) * static_cast<double>(path.line.v) / 8 / static_cast<double>(path.mtu);
    cut_to_ = 0;
    Set();
  }
  void OnAck(const Acknowledgement& ack) override {
    if (ack.marked > 0 && ack.una > cut_to_) {
      packets_ /= 2;
      cut_to_ = ack.next;
    } else {
      packets_ += p_.step * static_cast<double>(ack.packets) / packets_;
    }
    Set();
  }
  void OnLoss(Time, Loss) override {
    packets_ /= 2;
    Set();
  }

 private:
  void Set() {
    packets_ = std::max(packets_, static_cast<double>(p_.least));
    window_ = static_cast<uint64_t>(packets_);
  }

  const AimdParameters& p_;
  double packets_ = 0;
  uint64_t cut_to_ = 0;  // end of the data sent before the last cut
};

static const KeysOf<AimdParameters>& AimdKeys() {
  using P = AimdParameters;
  static const KeysOf<P> keys = ControlKeys<P>(
      "aimd", "",
      {{"step", &P::step, Numbers(0.001, 1000), "packets that the window grows in a round trip"},
       {"least", &P::least, Integers(1, 1000), "packets below which it does not fall"}});
  return keys;
}
const auto kAimd = RegisteredControl::Of<Aimd>(100, AimdKeys);

static const char* const kScenario = R"(
topology: {type: star, hosts: 9, link: {rate: 100Gbps, delay: 1us}}
switches: [{match: "*", ecn: {storage: {kmin: 100KB, kmax: 100KB, pmax: 100%}}}]
nics: [{match: "*", congestion_control: {type: aimd, step: 2}}]
workloads: [{name: burst, type: incast, size: 1MB, from: "*", to: h8}]
duration: 1ms
)";
int main(int argc, char** argv) {
  if (argc > 1) return RunProgram(argc, argv);  // aimd check my.yaml, aimd sweep my.yaml …
  const RunRecord record = Run(LoadScenarioText(kScenario, "aimd.yaml", "."), {});
  Time last;
  for (const MessageRecord& m : record.messages) last = std::max(last, m.completed);
  std::cout << record.messages.size() << " messages, all done after " << InMicroseconds(last) << " us\n";
  // 8 MB at 100 Gb/s take 640 us, and 6 % more with headers and gaps.
  return record.messages.size() == 8 && last > Microseconds(640) && last < Microseconds(900) ? 0 : 1;
}
