// `costs` of applications.
#pragma once

#include <vector>

#include "protocol/application_costs.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

inline constexpr const char* kApplicationPage = "applications.md";

const KeysOf<ApplicationCosts>& ApplicationCostKeys();
/// Those with these names alone, for an application that the others have no effect on. `section`: their name.
KeysOf<ApplicationCosts> ApplicationCostKeysOf(const char* section, const std::vector<const char*>& names);

}  // namespace headroom::keys
