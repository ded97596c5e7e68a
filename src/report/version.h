// The version recorded in results.
#pragma once

namespace headroom {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace headroom
