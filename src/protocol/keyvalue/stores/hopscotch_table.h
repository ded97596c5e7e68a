// FaRM's table: hopscotch hashing, with each key within six items from its home, so that one READ finds it.
//
// Source: Herlihy et al., Hopscotch Hashing, DISC 2008; FaRM as in hopscotch_layout.h. FaRM chains overflow
// blocks if no item can be freed; here such a PUT is refused. Six items are few, so refusals begin early,
// where by chance many keys have neighbouring homes. With a million homes, none of the first 250,000 PUTs was
// refused. Of 500,000 PUTs one in 2000 was refused, and of 750,000 one in 80.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "protocol/keyvalue/stores/extents.h"
#include "protocol/keyvalue/stores/hopscotch_layout.h"
#include "protocol/keyvalue/stores/key.h"

namespace headroom {

class HopscotchTable {
 public:
  /// `extents`: number of bytes for values outside the table. Throws std::invalid_argument if there are no
  /// homes.
  explicit HopscotchTable(const HopscotchLayout& layout, uint64_t extents = 0);

  /// Returns false if no item near the key's home can be freed, or if there is no room for the value. All
  /// keys are then as they were, though some may have moved. Throws std::invalid_argument for a null key, and
  /// std::length_error for a value of another length than the layout's, or, outside the table, of a larger
  /// one.
  bool Put(const Key& key, std::span<const uint8_t> value);

  struct Lookup {
    HopscotchLayout::Range read;  ///< range in the table
    std::optional<HopscotchLayout::Range>
        second;  ///< range in the extents: the value, if it is not in the table
    bool hit = false;
    std::span<const uint8_t> value;  ///< valid until the next Put
  };
  /// Throws std::invalid_argument for a null key.
  Lookup Get(const Key& key) const;

  /// The memory that READs see. Neither is ever moved.
  std::span<const uint8_t> bytes() const { return bytes_; }
  /// The writable memory of the table, for registration at a NIC.
  std::span<uint8_t> memory() { return bytes_; }
  Extents& extents() { return extents_; }
  const Extents& extents() const { return extents_; }
  const HopscotchLayout& layout() const { return layout_; }
  uint32_t keys() const { return keys_; }

 private:
  Key KeyAt(uint32_t item) const;
  uint8_t* At(uint32_t item) { return bytes_.data() + uint64_t{item} * layout_.item(); }
  /// Finds or makes an empty item in the home's neighbourhood. Returns the number of homes if there is none.
  uint32_t Vacate(uint32_t home);
  /// Writes the bytes behind a key. Returns false if there is no room.
  bool Write(uint8_t* to, std::span<const uint8_t> value);

  HopscotchLayout layout_;
  std::vector<uint8_t> bytes_;
  Extents extents_;
  uint32_t keys_ = 0;
};

}  // namespace headroom
