// `services:`, whose entries are mappings by `type`.
#pragma once

#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

KindOf<std::vector<ServiceEntry>> Services();

}  // namespace headroom::keys
