// Numbers in messages, little-endian.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headroom {

/// Both return the position behind the number.
template <class T>
uint8_t* PutNumber(uint8_t* to, T value) {
  for (size_t i = 0; i < sizeof value; ++i)
    *to++ = static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i));
  return to;
}

template <class T>
const uint8_t* GetNumber(const uint8_t* from, T& value) {
  uint64_t v = 0;
  for (size_t i = 0; i < sizeof value; ++i) v |= uint64_t{*from++} << (8 * i);
  value = static_cast<T>(v);
  return from;
}

}  // namespace headroom
