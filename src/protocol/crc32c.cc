#include "protocol/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

#include "protocol/little_endian.h"

namespace headroom {
namespace {

constexpr uint32_t kPolynomial = 0x82F63B78;  // 0x1EDC6F41 with its bits reversed
constexpr size_t kAtOnce = 8;

/// [n][byte]: the contribution of a byte to the CRC if n bytes follow it.
constexpr std::array<std::array<uint32_t, 256>, kAtOnce> Tables() {
  std::array<std::array<uint32_t, 256>, kAtOnce> tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ kPolynomial : crc >> 1;
    tables[0][i] = crc;
  }
  for (size_t n = 1; n < kAtOnce; ++n) {
    for (uint32_t i = 0; i < 256; ++i) {
      const uint32_t before = tables[n - 1][i];
      tables[n][i] = tables[0][before & 0xff] ^ (before >> 8);
    }
  }
  return tables;
}

}  // namespace

/// Handles eight bytes at a time, each with its own table.
uint32_t Crc32c(std::span<const uint8_t> bytes, uint32_t before) {
  static constexpr auto kTables = Tables();
  uint32_t crc = ~before;
  size_t at = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; at + kAtOnce <= bytes.size(); at += kAtOnce) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      word ^= crc;
      crc = 0;
      for (size_t i = 0; i < kAtOnce; ++i) crc ^= kTables[kAtOnce - 1 - i][(word >> (8 * i)) & 0xff];
    }
  }
  for (; at < bytes.size(); ++at) crc = kTables[0][(crc ^ bytes[at]) & 0xff] ^ (crc >> 8);
  return ~crc;
}

void Seal(std::span<uint8_t> message) {
  const size_t before = message.size() - sizeof(uint32_t);
  PutNumber(message.data() + before, Crc32c(message.first(before)));
}

bool IsSealed(std::span<const uint8_t> message) {
  const size_t before = message.size() - sizeof(uint32_t);
  uint32_t crc = 0;
  GetNumber(message.data() + before, crc);
  return Crc32c(message.first(before)) == crc;
}

}  // namespace headroom
