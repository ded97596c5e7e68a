// A bucket of Pilaf's table: one entry of 32 bytes that verifies itself.
//
//   16 B key (null: the bucket is empty) | 6 B address of the value | 2 B its length | 4 B its CRC | 4 B CRC
//   of all before
//
// Numbers are little-endian. Source: Mitchell et al., Pilaf, ATC 2013, with CRC64s and the keys beside the
// values. Entries of 32 B, and hits known from the bucket alone, come from Kalia et al., HERD, SIGCOMM 2014,
// section 5. The order of bytes is ours.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "protocol/keyvalue/stores/key.h"

namespace headroom {

struct CuckooEntry {
  static constexpr uint32_t kBytes = 32;
  using Bucket = std::array<uint8_t, kBytes>;

  Key key;
  uint64_t address = 0;  ///< below 2^48
  uint16_t length = 0;   ///< bytes
  uint32_t crc = 0;      ///< CRC-32C of the value

  Bucket Encoded() const;
  /// Returns none if it was half written when it was read.
  static std::optional<CuckooEntry> Decode(std::span<const uint8_t, kBytes> bucket);
};

/// Number of functions that select the possible buckets of a key.
constexpr uint32_t kCuckooFunctions = 3;
/// The buckets, out of this many, that may have a key, in search order.
std::array<uint32_t, kCuckooFunctions> CuckooBuckets(const Key& key, uint32_t buckets);

}  // namespace headroom
