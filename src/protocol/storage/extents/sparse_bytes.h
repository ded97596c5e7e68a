// Stores bytes that are mostly zero, by keeping only the non-zero words. Example: a disk or extent in which
// each block contains only an id.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace headroom {

class SparseBytes {
 public:
  void Write(uint64_t at, std::span<const uint8_t> bytes);
  /// Bytes that were never written are zero.
  std::vector<uint8_t> Read(uint64_t at, uint64_t length) const;

 private:
  static constexpr uint64_t kWord = 8;
  using Word = uint64_t;
  std::map<uint64_t, Word> words_;  ///< keyed by position, in words; the first byte is the lowest
};

}  // namespace headroom
