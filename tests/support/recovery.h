// Scenarios whose NICs do not go back.
#pragma once

#include "scenario/recovery_headers.h"
#include "scenario/scenario.h"

namespace headroom {

/// All NICs repeat selectively, as IRN does.
inline void RepeatSelectively(Scenario& s) {
  for (NicParameters& nic : s.nics) {
    nic.transport.recovery.type = RecoveryParameters::Type::selective_repeat;
    nic.transport.window.kind = SendWindow::Kind::bdp;
  }
  SetRecoveryHeaders(s);
}

}  // namespace headroom
