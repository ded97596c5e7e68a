#include "scenario/recovery_headers.h"

namespace headroom {

void SetRecoveryHeaders(Scenario& scenario) {
  FrameFormat& frames = scenario.frames;
  frames = frames.InOrder();
  if (scenario.nics.empty()) return;
  using Type = RecoveryParameters::Type;
  if (scenario.nics.front().transport.recovery.type != Type::selective_repeat) return;
  constexpr int64_t kNumber = 4;
  frames.reth_again = frames.reth;
  frames.receive_number = frames.selective = kNumber;
}

}  // namespace headroom
