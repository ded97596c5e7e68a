// A PUT's item at the end of its request: value, its length, the key. A GET has only a key.
//
// Source: Kalia et al., HERD, SIGCOMM 2014, section 4.2; the order of LEN and key makes the key the last
// bytes.
#pragma once

#include <span>

#include "protocol/keyvalue/versioned_value.h"
#include "protocol/little_endian.h"

namespace headroom {

inline constexpr uint32_t kKeyBytes = 16, kLengthBytes = 2;

struct Item {
  Key key;
  bool puts = false;
  std::span<const uint8_t> value;
};

inline uint32_t EncodeKey(const Key& key, std::span<uint8_t> request) {
  uint8_t* const end = request.data() + request.size();
  PutNumber(PutNumber(end - kKeyBytes, key.low), key.high);
  return kKeyBytes;
}

/// Returns the number of bytes that it takes, counted from the end.
inline uint32_t EncodeItem(const Key& key, uint64_t version, uint32_t length, std::span<uint8_t> request) {
  EncodeKey(key, request);
  const uint32_t all = kKeyBytes + kLengthBytes + length;
  PutNumber(request.data() + request.size() - kKeyBytes - kLengthBytes, static_cast<uint16_t>(length));
  FillVersion(key, version, request.last(all).first(length));
  return all;
}

inline Item ItemIn(std::span<const uint8_t> request) {
  Item item;
  GetNumber(GetNumber(request.data() + request.size() - kKeyBytes, item.key.low), item.key.high);
  item.puts = request.size() > kKeyBytes;
  if (item.puts) item.value = request.first(request.size() - kKeyBytes - kLengthBytes);
  return item;
}

/// Number of key bits that match an answer with its request.
inline constexpr uint32_t kCheckBits = 21;
inline uint32_t CheckOf(const Key& key) { return static_cast<uint32_t>(key.high) & ((1u << kCheckBits) - 1); }

}  // namespace headroom
