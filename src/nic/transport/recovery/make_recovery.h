// Makes the recovery of queue pairs from a NIC's parameters.
#pragma once

#include <memory>

#include "nic/transport/recovery.h"
#include "nic/transport/recovery/sender_window.h"

namespace headroom {

/// Returns null for go-back-N. REQUIRES: the transport is reliable. `buffers`: those of the requester's NIC.
std::unique_ptr<RequesterRecovery> MakeRecovery(Requester& r, PeerBuffers& buffers);
std::unique_ptr<ResponderRecovery> MakeRecovery(Responder& s);

}  // namespace headroom
