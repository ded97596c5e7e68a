// Bytes most of which are zero, as a disk's or extent's are where each block holds but an id: kept are the
// words that are not.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace headroom {

class SparseBytes {
 public:
  void Write(uint64_t at, std::span<const uint8_t> bytes);
  /// Zero without a write.
  std::vector<uint8_t> Read(uint64_t at, uint64_t length) const;

 private:
  static constexpr uint64_t kWord = 8;
  using Word = uint64_t;
  std::map<uint64_t, Word> words_;  ///< by place, in words; the first byte is the lowest
};

}  // namespace headroom
