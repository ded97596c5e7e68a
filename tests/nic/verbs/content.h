// Contents in which each byte is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace headroom {

/// `n` bytes, each larger by one than the previous.
inline std::vector<uint8_t> Bytes0To(size_t n, uint8_t from) {
  std::vector<uint8_t> bytes(n);
  std::iota(bytes.begin(), bytes.end(), from);
  return bytes;
}

}  // namespace headroom
