#include "history/block_ids.h"

#include "protocol/little_endian.h"

namespace headroom {

void PutWriteIds(uint64_t address, std::span<uint8_t> bytes, WriteId id) {
  const WholeBlocks blocks = WholeBlocks::In(address, bytes.size());
  for (uint64_t i = 0; i < blocks.count; ++i)
    PutNumber(bytes.data() + ((blocks.first + i) * kHistoryBlock - address), id);
}

std::vector<WriteId> WriteIdsIn(uint64_t address, std::span<const uint8_t> bytes) {
  const WholeBlocks blocks = WholeBlocks::In(address, bytes.size());
  std::vector<WriteId> ids(blocks.count);
  for (uint64_t i = 0; i < blocks.count; ++i)
    GetNumber(bytes.data() + ((blocks.first + i) * kHistoryBlock - address), ids[i]);
  return ids;
}

}  // namespace headroom
