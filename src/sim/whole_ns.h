// Serialization times as the HPCC simulator computes them, for comparisons with it: whole nanoseconds.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

/// Its ns-3 divides doubles of seconds, keeps 64 bits behind the point, and truncates to nanoseconds. So
/// whole nanoseconds often become one less: 1000 B at 100 Gb/s take 79 ns in it.
inline Time WholeNanoseconds(Bytes size, Rate rate) {
  const double seconds = static_cast<double>(size.v) * 8 / static_cast<double>(rate.v);
  const auto whole = static_cast<int64_t>(seconds);
  constexpr double kBits = 18'446'744'073'709'551'616.0;  // 2^64
  const auto rest = static_cast<uint64_t>((seconds - static_cast<double>(whole)) * kBits);
  constexpr int64_t kSecond = 1'000'000'000;
  return Nanoseconds(whole * kSecond + static_cast<int64_t>((Uint128{rest} * kSecond) >> 64));
}

}  // namespace headroom
