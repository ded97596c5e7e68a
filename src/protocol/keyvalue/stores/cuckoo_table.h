// Pilaf's table: 3-1 cuckoo hashing, three functions and one entry in a bucket, over values by address.
//
// Source: Mitchell et al., Pilaf, ATC 2013: 75 % full, a GET looks at 1.6 buckets on average. Ours: a PUT
// with three full buckets moves as few entries as necessary (breadth first), the last of them first. So every
// key is somewhere at any time. It refuses the first one when about 90 % are full; with three functions 91.8
// % is where no search helps (Fountoulakis and Panagiotou, ICALP 2010).
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
  /// `extents`: bytes for values. Throws std::invalid_argument where there are no buckets.
  CuckooTable(uint32_t buckets, uint64_t extents);

  /// False, without a change, if no bucket can be made free or there is no room for the value: a new version
  /// is written before the old one is freed. Throws std::invalid_argument for a null key and
  /// std::length_error for more than 65535 bytes.
  bool Put(const Key& key, std::span<const uint8_t> value);

  struct Lookup {
    bool hit = false;
    uint32_t probes = 0;  ///< how many of `buckets` were searched; at a hit, the last one has it
    std::array<uint32_t, kCuckooFunctions> buckets{};
    uint64_t address = 0;            ///< of the value, in the extents
    std::span<const uint8_t> value;  ///< valid until the next Put
  };
  /// Throws std::invalid_argument for a null key.
  Lookup Get(const Key& key) const;

  /// What READs see: the buckets one behind the other, and the values. Neither moves.
  std::span<const uint8_t> bytes() const {
    return {buckets_.front().data(), buckets_.size() * CuckooEntry::kBytes};
  }
  /// The same for a NIC.
  std::span<uint8_t> memory() { return {buckets_.front().data(), buckets_.size() * CuckooEntry::kBytes}; }
  Extents& extents() { return extents_; }
  const Extents& extents() const { return extents_; }
  uint32_t buckets() const { return static_cast<uint32_t>(buckets_.size()); }
  uint32_t keys() const { return keys_; }
  /// Entries that PUTs have moved.
  uint64_t moved() const { return moved_; }

 private:
  /// Makes one of the key's buckets free. None: no bucket has its number.
  uint32_t Vacate(const Key& key);

  std::vector<CuckooEntry::Bucket> buckets_;
  Extents extents_;
  uint32_t keys_ = 0;
  uint64_t moved_ = 0;
};

}  // namespace headroom
