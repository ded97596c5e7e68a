// The bytes of a value. A reader can check whether it received the right value.
//
// The bytes depend only on key, version and length. Two values of eight bytes or more are equal by chance
// once in 2^64 pairs; values of n < 8 bytes once in 256^n.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "protocol/keyvalue/stores/key.h"
#include "protocol/little_endian.h"

namespace headroom {

/// The words of a value, eight bytes each, in order.
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

/// Fills `value` with the bytes of a key's version.
inline void FillValue(const Key& key, uint64_t version, std::span<uint8_t> value) {
  ValueContent content(key, version, value.size());
  for (size_t at = 0; at < value.size();) {
    const auto word = content.Next();
    const size_t n = std::min(word.size(), value.size() - at);
    std::memcpy(value.data() + at, word.data(), n);
    at += n;
  }
}

/// Whether `value` is a complete version of a key. An empty value belongs to any key.
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
