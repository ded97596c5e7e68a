// Eight numbers from 0 to 7 in four bytes.
#pragma once

#include <cstdint>

namespace headroom {

/// A small number of each class or priority, four bits each.
class Nibbles {
 public:
  /// The numbers 0 to 7 in ascending order.
  static Nibbles Identity() {
    Nibbles n;
    for (uint8_t i = 0; i < 8; ++i) n.Set(i, i);
    return n;
  }
  /// REQUIRES: value < 8.
  void Set(int i, uint8_t value) {
    bits_ = (bits_ & ~(uint32_t{0xf} << (4 * i))) | (uint32_t{value} << (4 * i));
  }
  uint8_t operator[](int i) const { return static_cast<uint8_t>((bits_ >> (4 * i)) & 7); }

 private:
  uint32_t bits_ = 0;
};

}  // namespace headroom
