// Buckets of a log-linear histogram: each power of two has `kPerOctave` of them, so a bucket is at most
// 1/kPerOctave of its values wide, and its middle at most half of that from each. Values below
// 2 × kPerOctave have a bucket each. All arithmetic is on integers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace headroom {

template <uint32_t kPerOctave>
struct LogLinear {
  static_assert(std::has_single_bit(kPerOctave));

  /// The bucket of a value; larger values have larger numbers.
  static uint32_t BucketOf(uint64_t value) {
    constexpr int kBits = std::bit_width(kPerOctave);
    const auto shift = static_cast<uint32_t>(std::max(0, static_cast<int>(std::bit_width(value)) - kBits));
    return shift * kPerOctave + static_cast<uint32_t>(value >> shift);
  }
  static int64_t MiddleOf(uint32_t bucket) {
    const uint32_t shift = bucket < 2 * kPerOctave ? 0 : bucket / kPerOctave - 1;
    const int64_t from = static_cast<int64_t>(bucket - shift * kPerOctave) << shift;
    return from + ((int64_t{1} << shift) >> 1);
  }
};

}  // namespace headroom
