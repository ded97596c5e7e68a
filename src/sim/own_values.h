// Values of keys that a program has registered, in addition to the built-in ones.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "sim/units.h"

namespace headroom {

/// Keyed by the path below the object that has them, for example "own_control.window". A missing value means
/// its default.
using OwnValues = std::map<std::string, std::variant<bool, int64_t, double, Time, Rate, Bytes, std::string>>;

}  // namespace headroom
