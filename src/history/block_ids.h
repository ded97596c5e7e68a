// Blocks of a disk as registers: each begins with the id of the write that made it. So the data of a read
// name the writes that it saw.
//
// A register is a whole block. One id cannot describe a write that covers a block only partly, so such blocks
// are not judged (history.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headroom {

inline constexpr uint32_t kHistoryBlock = 4096;  ///< bytes

/// Identifies a write in its history; 0: never written.
using WriteId = uint64_t;

/// The blocks that lie entirely in `bytes` bytes from `address`.
struct WholeBlocks {
  uint64_t first = 0, count = 0;
  static WholeBlocks In(uint64_t address, uint64_t bytes) {
    const uint64_t first = (address + kHistoryBlock - 1) / kHistoryBlock;
    const uint64_t end = (address + bytes) / kHistoryBlock;
    return {first, end > first ? end - first : 0};
  }
};

/// Puts `id` at the beginning of each block that lies entirely in `bytes`, which start at `address`.
void PutWriteIds(uint64_t address, std::span<uint8_t> bytes, WriteId id);
/// The id at the beginning of each such block.
std::vector<WriteId> WriteIdsIn(uint64_t address, std::span<const uint8_t> bytes);

}  // namespace headroom
