// This process's memory for parts of a run, in bytes, before they are made: expected, and maximum.
//
// Sizes are those of the structures themselves, so an additional field counts after the next build.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace headroom {

/// A number that is unknown before the run: its expected value, and an upper bound.
struct Forecast {
  double expected = 0, worst = 0;

  constexpr Forecast& operator+=(const Forecast& o) {
    expected += o.expected;
    worst += o.worst;
    return *this;
  }
  friend constexpr Forecast operator+(Forecast a, const Forecast& b) { return a += b; }
  friend constexpr Forecast operator*(double n, const Forecast& a) { return {n * a.expected, n * a.worst}; }
  friend constexpr Forecast operator*(const Forecast& a, const Forecast& b) {
    return {a.expected * b.expected, a.worst * b.worst};
  }
  friend constexpr Forecast Min(const Forecast& a, const Forecast& b) {
    return {std::min(a.expected, b.expected), std::min(a.worst, b.worst)};
  }
};
constexpr Forecast Exactly(double n) { return {n, n}; }

/// The allocator's overhead per piece of memory.
inline constexpr double kAllocation = 16;
/// A separately allocated piece, as from std::make_unique.
constexpr double AllocatedBytes(double bytes) { return bytes > 0 ? bytes + kAllocation : 0; }

/// `Ring` (ring.h) of items of this size, after it has held this many.
inline double RingBytes(double items, size_t item) {
  if (items <= 0) return 0;
  constexpr double kLargest = 1e15;
  const auto most = static_cast<uint64_t>(std::clamp(items, 2.0, kLargest));
  return AllocatedBytes(static_cast<double>(std::bit_ceil(most) * item));
}

/// A vector that grew item by item. Maximum: the vector is being moved while it grows.
constexpr Forecast GrownBytes(const Forecast& items, size_t item) {
  constexpr double kMoved = 1.25;
  const auto each = static_cast<double>(item);
  return {kMoved * each * items.expected, 2 * each * items.worst};
}

}  // namespace headroom
