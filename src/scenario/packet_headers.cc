#include "scenario/packet_headers.h"

#include <algorithm>
#include <utility>

namespace headroom {

namespace {

int64_t FeedbackOf(const NicParameters& nic) { return nic.HasControl() ? nic.control->header_bytes() : 0; }

void SetRecoveryHeaders(Scenario& scenario) {
  FrameFormat& frames = scenario.frames;
  using Type = RecoveryParameters::Type;
  constexpr int64_t kNumber = 4, kContextAndMessage = 4, kTry = 4, kIndex = 4;
  switch (scenario.nics.front().transport.recovery.type) {
    case Type::go_back_n:
      return;
    case Type::selective_repeat:
      frames.reth_again = frames.reth;
      frames.receive_number = frames.selective = kNumber;
      return;
    case Type::sender_window:
      frames.reth_again = frames.reth;
      frames.receive_number = kNumber;
      if (!scenario.nics.front().transport.recovery.cumulative_acks) frames.selective = kNumber;
      return;
    case Type::counter:
      frames.reth_again = frames.reth;
      frames.receive_number = frames.selective = kNumber;
      frames.transfer = kTry + kIndex;
      return;
    case Type::receiver_window:
      frames.transfer = frames.selective = kContextAndMessage + kIndex;
      return;
  }
}

}  // namespace

void SetPacketHeaders(Scenario& scenario) {
  scenario.frames = scenario.frames.InOrder();
  if (scenario.nics.empty()) return;
  SetRecoveryHeaders(scenario);
  for (const NicParameters& nic : std::as_const(scenario.nics))
    scenario.frames.feedback = std::max(scenario.frames.feedback, FeedbackOf(nic));
}

FrameFormat FramesOf(const Scenario& scenario, NodeId sender) {
  FrameFormat frames = scenario.frames;
  frames.feedback = FeedbackOf(scenario.nics[sender]);
  return frames;
}

double PayloadShareOf(const Scenario& scenario, NodeId sender) {
  const FrameFormat frames = FramesOf(scenario, sender);
  return static_cast<double>(scenario.mtu) /
         static_cast<double>(frames.OnWire(frames.Data(scenario.mtu, false)).v);
}

bool HearsOfResponses(const Scenario& scenario, NodeId sender) {
  const NicParameters& nic = scenario.nics[sender];
  return nic.HasControl() && nic.control->Make()->ReadsAcks();
}

}  // namespace headroom
