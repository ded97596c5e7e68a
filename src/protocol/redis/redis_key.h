// A key as in commands: its 16 bytes, and fill bytes up to its length.
#pragma once

#include <array>
#include <span>

#include "protocol/keyvalue/stores/key.h"
#include "protocol/little_endian.h"

namespace headroom {

class RedisKey {
 public:
  static constexpr uint32_t kShortest = sizeof(Key), kLongest = 64;

  /// REQUIRES: kShortest <= length <= kLongest.
  RedisKey(const Key& key, uint32_t length) : length_(length) {
    bytes_.fill('.');
    PutNumber(PutNumber(bytes_.data(), key.low), key.high);
  }
  std::span<const uint8_t> bytes() const { return std::span(bytes_).first(length_); }
  /// REQUIRES: at least the shortest length.
  static Key Of(std::span<const uint8_t> bytes) {
    Key key;
    GetNumber(GetNumber(bytes.data(), key.low), key.high);
    return key;
  }

 private:
  std::array<uint8_t, kLongest> bytes_;
  uint32_t length_;
};

}  // namespace headroom
