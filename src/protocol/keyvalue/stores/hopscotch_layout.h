// The place of a key in FaRM's table: within six items from its home. A client needs nothing else for its
// READs.
//
// An item is 16 B key (null: empty) and either the value (SK + SV bytes) or a pointer of eight bytes to it
// (SK + SP): 6 B address, 2 B length. Numbers are little-endian. Five more items follow the last home, so
// that the six items of every home are contiguous.
//
// Source: Dragojević et al., FaRM, NSDI 2014, as Kalia et al., HERD, SIGCOMM 2014, section 5 emulate it:
// FaRM-em and FaRM-em-VAR. FaRM's versions, which reveal a half-written item, are absent here and in the
// emulation.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "protocol/keyvalue/stores/key.h"

namespace headroom {

struct HopscotchLayout {
  static constexpr uint32_t kNeighbourhood = 6;
  static constexpr uint32_t kPointer = 8;  ///< in bytes

  uint32_t homes = 0;
  uint16_t value = 0;   ///< bytes of each inline value; the maximum of other values
  bool inlined = true;  ///< values are in the table; otherwise pointers are

  uint32_t items() const { return homes + kNeighbourhood - 1; }
  /// In bytes.
  uint32_t item() const { return static_cast<uint32_t>(sizeof(Key)) + (inlined ? value : kPointer); }
  uint32_t Home(const Key& key) const { return static_cast<uint32_t>(key.low % homes); }

  struct Range {
    uint64_t address;  ///< byte offset from the beginning of the table, or of the extents
    uint32_t bytes;
  };
  /// The range that a GET reads, in one READ.
  Range Neighbourhood(const Key& key) const {
    return {uint64_t{Home(key)} * item(), kNeighbourhood * item()};
  }
  /// The bytes behind the key in this neighbourhood: its value or a pointer. Returns none if the key is
  /// absent. Throws std::invalid_argument for a null key.
  std::optional<std::span<const uint8_t>> Find(std::span<const uint8_t> neighbourhood, const Key& key) const;
};

/// Reads a pointer from an item.
HopscotchLayout::Range HopscotchValueAt(std::span<const uint8_t> pointer);

}  // namespace headroom
