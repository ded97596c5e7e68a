// `switches:`, whose entries are these mappings.
#pragma once

#include "scenario/keys/keys.h"
#include "scenario/scenario.h"

namespace headroom::keys {

KeysOf<SwitchParameters>& SwitchKeys();

}  // namespace headroom::keys
