// What a service whose programs stand on verbs needs of a host.
#pragma once

#include <cstdint>

#include "nic/verbs/verbs.h"

namespace headroom {

struct ServiceHost {
  Verbs* verbs = nullptr;
  uint32_t context = 0;  ///< its ns-3 node
};

}  // namespace headroom
