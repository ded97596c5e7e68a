// Pilaf's table: 3-1 cuckoo hashing, with three functions and one entry per bucket, over values by address.
//
// Source: Mitchell et al., Pilaf, ATC 2013: 75 % full, a GET reads 1.6 buckets on average. Ours: a PUT with
// three full buckets moves as few entries as possible (breadth first), the last of them first. So every key
// is in some bucket at any time. The first PUT is refused when about 90 % of the buckets are full; with three
// functions, no search helps beyond 91.8 % (Fountoulakis and Panagiotou, ICALP 2010).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "protocol/keyvalue/stores/cuckoo_entry.h"
#include "protocol/keyvalue/stores/extents.h"

namespace headroom {

class CuckooTable {
 public:
  /// `extents`: number of bytes for values. Throws std::invalid_argument if there are no buckets.
  CuckooTable(uint32_t buckets, uint64_t extents);

  /// Returns false, without a change, if no bucket can be freed or there is no room for the value: a new
  /// version is written before the old one is freed. Throws std::invalid_argument for a null key and
  /// std::length_error for more than 65535 bytes.
  bool Put(const Key& key, std::span<const uint8_t> value);

  struct Lookup {
    bool hit = false;
    uint32_t probes = 0;  ///< number of `buckets` searched; for a hit, the last one has the key
    std::array<uint32_t, kCuckooFunctions> buckets{};
    uint64_t address = 0;            ///< address of the value, in the extents
    std::span<const uint8_t> value;  ///< valid until the next Put
  };
  /// Throws std::invalid_argument for a null key.
  Lookup Get(const Key& key) const;

  /// The memory that READs see: all buckets in order, and the values. Neither is ever moved.
  std::span<const uint8_t> bytes() const {
    return {buckets_.front().data(), buckets_.size() * CuckooEntry::kBytes};
  }
  /// The writable memory of the buckets, for registration at a NIC.
  std::span<uint8_t> memory() { return {buckets_.front().data(), buckets_.size() * CuckooEntry::kBytes}; }
  Extents& extents() { return extents_; }
  const Extents& extents() const { return extents_; }
  uint32_t buckets() const { return static_cast<uint32_t>(buckets_.size()); }
  uint32_t keys() const { return keys_; }
  /// Number of entries that PUTs have moved.
  uint64_t moved() const { return moved_; }

 private:
  /// Frees one of the key's buckets. Returns none if no bucket can be freed.
  uint32_t Vacate(const Key& key);

  std::vector<CuckooEntry::Bucket> buckets_;
  Extents extents_;
  uint32_t keys_ = 0;
  uint64_t moved_ = 0;
};

}  // namespace headroom
