// The bytes of a value. A reader can check that it got the right value.
//
// They follow from key, version and length alone. Two values of eight bytes or more are the same by chance
// once in 2^64 pairs; one of n < 8 bytes once in 256^n.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "protocol/keyvalue/stores/key.h"
#include "protocol/little_endian.h"

namespace headroom {

/// Its words of eight bytes, one after the other.
class ValueContent {
 public:
  /// `length`: bytes of the whole value.
  ValueContent(const Key& key, uint64_t version, uint64_t length)
      : seed_(Spread(key.low ^ Spread(key.high ^ Spread(version ^ Spread(~length))))) {}

  std::array<uint8_t, sizeof(uint64_t)> Next() {
    std::array<uint8_t, sizeof(uint64_t)> bytes;
    PutNumber(bytes.data(), Spread(seed_ += 0x9e3779b97f4a7c15u));
    return bytes;
  }

 private:
  uint64_t seed_;
};

/// Makes `value` what a version of a key is.
inline void FillValue(const Key& key, uint64_t version, std::span<uint8_t> value) {
  ValueContent content(key, version, value.size());
  for (size_t at = 0; at < value.size();) {
    const auto word = content.Next();
    const size_t n = std::min(word.size(), value.size() - at);
    std::memcpy(value.data() + at, word.data(), n);
    at += n;
  }
}

/// Whether `value` is a version of a key, whole. An empty value is of any.
inline bool IsValue(const Key& key, uint64_t version, std::span<const uint8_t> value) {
  ValueContent content(key, version, value.size());
  for (size_t at = 0; at < value.size();) {
    const auto word = content.Next();
    const size_t n = std::min(word.size(), value.size() - at);
    if (std::memcmp(value.data() + at, word.data(), n) != 0) return false;
    at += n;
  }
  return true;
}

}  // namespace headroom
