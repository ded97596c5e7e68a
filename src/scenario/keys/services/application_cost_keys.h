// `costs` of applications.
#pragma once

#include "protocol/application_costs.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

inline constexpr const char* kApplicationPage = "applications.md";

const KeysOf<ApplicationCosts>& ApplicationCostKeys();

}  // namespace headroom::keys
