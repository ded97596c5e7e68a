// Quantities that cannot be mixed: simulated time, data rates and byte counts.
//
// Units: time in picoseconds, rates in bit/s, sizes in bytes; all are exact 64-bit integers.
#pragma once

#include <compare>
#include <cstdint>

namespace headroom {

/// Wide enough for the product of any two quantities. The type is not ISO C++, but both compilers of Debian
/// support it.
__extension__ using Uint128 = unsigned __int128;

/// An integer in a fixed unit. Sums and comparisons need equal units; a quantity may be multiplied by a plain
/// integer.
template <class Unit>
struct Quantity {
  int64_t v = 0;

  constexpr Quantity() = default;
  constexpr explicit Quantity(int64_t value) : v(value) {}
  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity operator+(Quantity o) const { return Quantity(v + o.v); }
  constexpr Quantity operator-(Quantity o) const { return Quantity(v - o.v); }
  constexpr Quantity operator*(int64_t k) const { return Quantity(v * k); }
  constexpr Quantity operator/(int64_t k) const { return Quantity(v / k); }
  constexpr int64_t operator/(Quantity o) const { return v / o.v; }
  constexpr Quantity& operator+=(Quantity o) { return v += o.v, *this; }
  constexpr Quantity& operator-=(Quantity o) { return v -= o.v, *this; }
};

/// Picoseconds since the start of the run, or a span of them.
using Time = Quantity<struct TimeUnit>;
/// Bits per second.
using Rate = Quantity<struct RateUnit>;
/// Bytes.
using Bytes = Quantity<struct BytesUnit>;

constexpr Time Picoseconds(int64_t n) { return Time(n); }
constexpr Time Nanoseconds(int64_t n) { return Time(n * 1'000); }
constexpr Time Microseconds(int64_t n) { return Time(n * 1'000'000); }
constexpr Time Milliseconds(int64_t n) { return Time(n * 1'000'000'000); }
constexpr Time Seconds(int64_t n) { return Time(n * 1'000'000'000'000); }
constexpr Rate BitsPerSecond(int64_t n) { return Rate(n); }
constexpr Rate MegabitsPerSecond(int64_t n) { return Rate(n * 1'000'000); }
constexpr Rate GigabitsPerSecond(int64_t n) { return Rate(n * 1'000'000'000); }
constexpr Bytes Kilobytes(int64_t n) { return Bytes(n * 1'000); }
constexpr Bytes Kibibytes(int64_t n) { return Bytes(n * 1024); }

/// A time that no run reaches: about 106 days.
constexpr Time kNever{INT64_MAX};

constexpr double InMicroseconds(Time t) { return static_cast<double>(t.v) / 1e6; }
constexpr double InSeconds(Time t) { return static_cast<double>(t.v) * 1e-12; }

/// Time to put `size` bytes on a wire of `rate`, rounded up to the picosecond. REQUIRES: rate > 0, 0 <= size.
constexpr Time SerializationTime(Bytes size, Rate rate) {
  if (size.v <= 1'000'000) {  // true for all frames: a 64-bit division suffices
    const auto ps_at_1 = static_cast<uint64_t>(size.v) * 8'000'000'000'000u;
    const auto bits_per_s = static_cast<uint64_t>(rate.v);
    return Time(static_cast<int64_t>((ps_at_1 + bits_per_s - 1) / bits_per_s));
  }
  const auto bits_ps = static_cast<Uint128>(size.v) * 8u * 1'000'000'000'000u;
  const auto r = static_cast<Uint128>(rate.v);
  return Time(static_cast<int64_t>((bits_ps + r - 1) / r));
}

/// Bytes that a wire of `rate` carries in `span`, rounded down.
constexpr Bytes BytesIn(Time span, Rate rate) {
  const auto bits = static_cast<Uint128>(span.v) * static_cast<Uint128>(rate.v);
  return Bytes(static_cast<int64_t>(bits / (8u * 1'000'000'000'000u)));
}

}  // namespace headroom
