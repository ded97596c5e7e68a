// `faults:`, whose entries are mappings by `type`.
#pragma once

#include <string>
#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/scenario.h"

namespace headroom::keys {

KindOf<std::vector<Fault>> Faults();

}  // namespace headroom::keys
