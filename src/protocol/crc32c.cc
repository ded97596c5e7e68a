#include "protocol/crc32c.h"

#include <array>

namespace headroom {
namespace {

constexpr uint32_t kPolynomial = 0x82F63B78;  // of 0x1EDC6F41, its bits the other way round

constexpr std::array<uint32_t, 256> Table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ kPolynomial : crc >> 1;
    table[i] = crc;
  }
  return table;
}

}  // namespace

uint32_t Crc32c(std::span<const uint8_t> bytes, uint32_t before) {
  static constexpr std::array<uint32_t, 256> kTable = Table();
  uint32_t crc = ~before;
  for (const uint8_t byte : bytes) crc = kTable[(crc ^ byte) & 0xff] ^ (crc >> 8);
  return ~crc;
}

}  // namespace headroom
