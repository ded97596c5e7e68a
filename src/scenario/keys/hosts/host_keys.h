// `hosts:`, an entry of which is one of these mappings.
#pragma once

#include "protocol/core_costs.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

const KeysOf<HostParameters>& HostKeys();

}  // namespace headroom::keys
