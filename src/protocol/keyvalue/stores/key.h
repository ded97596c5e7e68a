// Keys of key-value stores: 16 bytes, each its own hash.
//
// Source: Kalia et al., HERD, SIGCOMM 2014, section 4: clients send a 16 B keyhash instead of the key, and a
// keyhash of zero means that a slot has no request.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace headroom {

struct Key {
  uint64_t low = 0;
  uint64_t high = 0;
  bool operator==(const Key&) const = default;
  /// Whether no item has this key.
  bool null() const { return (low | high) == 0; }
};

/// The finaliser of SplitMix64 (Steele et al., OOPSLA 2014): a bijection that spreads every bit.
constexpr uint64_t Spread(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The inverse of Spread.
constexpr uint64_t Unspread(uint64_t x) {
  x = (x ^ (x >> 31) ^ (x >> 62)) * 0x319642b2d24d8ec3u;
  x = (x ^ (x >> 27) ^ (x >> 54)) * 0x96de1b173f119089u;
  return x ^ (x >> 30) ^ (x >> 60);
}

/// The key of a record, by its number: never null, and different for each record.
constexpr Key KeyOfRecord(uint64_t record) { return {Spread(record), Spread(~record)}; }

/// The record of a key that KeyOfRecord made.
constexpr uint64_t RecordOf(const Key& key) { return Unspread(key.low); }

/// The partition of the key, out of this many, from its upper half.
constexpr uint32_t PartOf(const Key& key, uint32_t parts) { return static_cast<uint32_t>(key.high % parts); }

/// Throws std::invalid_argument if `key` is null.
inline void RequireKey(const Key& key) {
  if (key.null()) throw std::invalid_argument("a key of zero is of no item");
}

}  // namespace headroom
