// `costs` of applications.
#pragma once

#include <vector>

#include "protocol/application_costs.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

inline constexpr const char* kApplicationPage = "applications.md";

const KeysOf<ApplicationCosts>& ApplicationCostKeys();
/// Only the keys with these names, for an application on which the others have no effect. `section`: name of
/// the section.
KeysOf<ApplicationCosts> ApplicationCostKeysOf(const char* section, const std::vector<const char*>& names);

}  // namespace headroom::keys
