// A queue pair's type by its transport.
#pragma once

#include "net/opcode.h"
#include "nic/verbs/verbs.h"

namespace headroom {

constexpr QpType TypeOf(Transport transport) {
  return transport == Transport::rc ? QpType::rc : transport == Transport::uc ? QpType::uc : QpType::ud;
}

}  // namespace headroom
