// The set of visited blocks of a disk: fio's random map. Unvisited blocks take no memory.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace headroom {

class VisitedBlocks {
 public:
  explicit VisitedBlocks(uint64_t blocks) : blocks_(blocks) {}

  /// The first unvisited block at or behind `block`, else the first of the disk; none if all were visited.
  std::optional<uint64_t> NextFree(uint64_t block) const {
    if (visited_ == blocks_) return std::nullopt;
    for (;;) {
      const uint64_t word = Word(block / 64) | ((uint64_t{1} << block % 64) - 1);
      block = block / 64 * 64 + static_cast<uint64_t>(std::countr_one(word));
      if (block < blocks_ && ~word != 0) return block;
      if (block >= blocks_) block = 0;
    }
  }
  /// Visits up to `count` blocks from `block` on, until one that was visited before. Returns the number of
  /// newly visited blocks.
  uint64_t Visit(uint64_t block, uint64_t count) {
    uint64_t done = 0;
    for (; done < count && block < blocks_; ++done, ++block) {
      uint64_t& word = words_[block / 64];
      const uint64_t bit = uint64_t{1} << block % 64;
      if ((word & bit) != 0) break;
      word |= bit;
    }
    visited_ += done;
    return done;
  }
  void Clear() {
    words_.clear();
    visited_ = 0;
  }

 private:
  uint64_t Word(uint64_t index) const {
    const auto found = words_.find(index);
    return found == words_.end() ? 0 : found->second;
  }

  uint64_t blocks_, visited_ = 0;
  std::unordered_map<uint64_t, uint64_t> words_;  ///< keyed by groups of 64 blocks; looked up, never iterated
};

}  // namespace headroom
