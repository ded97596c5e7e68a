#include "protocol/keyvalue/stores/hopscotch_layout.h"

#include "protocol/little_endian.h"

namespace headroom {

std::optional<std::span<const uint8_t>> HopscotchLayout::Find(std::span<const uint8_t> neighbourhood,
                                                              const Key& key) const {
  RequireKey(key);
  for (uint32_t i = 0; i < kNeighbourhood; ++i) {
    const auto bytes = neighbourhood.subspan(uint64_t{i} * item(), item());
    Key there;
    GetNumber(GetNumber(bytes.data(), there.low), there.high);
    if (there == key) return bytes.subspan(sizeof(Key));
  }
  return std::nullopt;
}

HopscotchLayout::Range HopscotchValueAt(std::span<const uint8_t> pointer) {
  uint64_t word = 0;
  GetNumber(pointer.data(), word);
  return {word & ((uint64_t{1} << 48) - 1), static_cast<uint32_t>(word >> 48)};
}

}  // namespace headroom
