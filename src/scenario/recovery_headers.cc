#include "scenario/recovery_headers.h"

namespace headroom {

void SetRecoveryHeaders(Scenario& scenario) {
  FrameFormat& frames = scenario.frames;
  frames = frames.InOrder();
  if (scenario.nics.empty()) return;
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
      frames.receive_number = frames.selective = kNumber;
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

}  // namespace headroom
