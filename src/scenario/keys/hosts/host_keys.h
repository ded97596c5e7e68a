// `hosts:`, whose entries are these mappings.
#pragma once

#include "protocol/core_costs.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

const KeysOf<HostParameters>& HostKeys();

}  // namespace headroom::keys
