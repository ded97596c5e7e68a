// A value that contains its key's version, so a reader can check that it is complete and correct. Its first
// eight bytes, or all bytes of a shorter value, are the version. The others follow from key and version.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "protocol/keyvalue/stores/value_content.h"

namespace headroom {

inline void FillVersion(const Key& key, uint64_t version, std::span<uint8_t> value) {
  const size_t n = std::min(value.size(), sizeof(version));
  for (size_t i = 0; i < n; ++i) value[i] = static_cast<uint8_t>(version >> (8 * i));
  FillValue(key, version, value.subspan(n));
}

inline uint64_t VersionOf(std::span<const uint8_t> value) {
  uint64_t version = 0;
  for (size_t i = 0; i < std::min(value.size(), sizeof(version)); ++i)
    version |= uint64_t{value[i]} << (8 * i);
  return version;
}

/// Whether these bytes are some version of this key.
inline bool IsVersionOf(const Key& key, std::span<const uint8_t> value) {
  const size_t n = std::min(value.size(), sizeof(uint64_t));
  return IsValue(key, VersionOf(value), value.subspan(n));
}

}  // namespace headroom
