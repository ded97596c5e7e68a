// The recovery of queue pairs, by a NIC's parameters.
#pragma once

#include <memory>

#include "nic/transport/recovery.h"
#include "nic/transport/recovery/sender_window.h"

namespace headroom {

/// Null: go-back-N. REQUIRES: the transport is reliable.
/// `buffers`: of the requester's NIC.
std::unique_ptr<RequesterRecovery> MakeRecovery(Requester& r, PeerBuffers& buffers);
std::unique_ptr<ResponderRecovery> MakeRecovery(Responder& s);

}  // namespace headroom
