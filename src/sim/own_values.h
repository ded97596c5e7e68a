// Values of keys that a program has registered for itself, beyond the built-in ones.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "sim/units.h"

namespace headroom {

/// By path below the object that has them, "own_control.window". A missing value has its default.
using OwnValues = std::map<std::string, std::variant<bool, int64_t, double, Time, Rate, Bytes, std::string>>;

}  // namespace headroom
