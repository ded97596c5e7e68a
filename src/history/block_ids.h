// Blocks of a disk as registers: each begins with the id of the write that made it, so that the data of a
// read name the writes that it saw.
//
// A register is a whole block. One id cannot describe a write that covers a block in part, so such blocks are
// not judged (history.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headroom {

inline constexpr uint32_t kHistoryBlock = 4096;  ///< bytes

/// Identifies a write in one history; 0: never written.
using WriteId = uint64_t;

/// Blocks that lie whole in `bytes` bytes from `address`.
struct WholeBlocks {
  uint64_t first = 0, count = 0;
  static WholeBlocks In(uint64_t address, uint64_t bytes) {
    const uint64_t first = (address + kHistoryBlock - 1) / kHistoryBlock;
    const uint64_t end = (address + bytes) / kHistoryBlock;
    return {first, end > first ? end - first : 0};
  }
};

/// Each block that lies whole in `bytes`, which are those from `address`, begins with `id`.
void PutWriteIds(uint64_t address, std::span<uint8_t> bytes, WriteId id);
/// With the id at the beginning of each.
std::vector<WriteId> WriteIdsIn(uint64_t address, std::span<const uint8_t> bytes);

}  // namespace headroom
