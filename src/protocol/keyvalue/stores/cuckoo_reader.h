// A GET by READs, as a client of Pilaf does it: bucket after bucket until one has the key, then the value.
// What was half written, or was another's by then, is known by its checksum and read again.
//
// Source: Mitchell et al., Pilaf, ATC 2013. Ours: behind a value that is not that of
// its entry the reader begins anew with the first bucket. A key that a PUT of another one moves, while it is
// looked for, from a bucket not yet read to one that was, is not found.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "protocol/keyvalue/stores/cuckoo_entry.h"

namespace headroom {

class CuckooReader {
 public:
  /// Reads from a table with this many buckets. Throws std::invalid_argument for a null key.
  CuckooReader(const Key& key, uint32_t buckets);

  enum class State { kBucket, kValue, kFound, kAbsent };
  State state() const { return state_; }
  /// What to read next. REQUIRES: state() is kBucket or kValue.
  struct Read {
    uint64_t address;  ///< bytes from the beginning of the table, or of the extents
    uint32_t bytes;
  };
  Read Next() const;
  /// What was read there. REQUIRES: as many bytes as Next() said. Once kFound, these are the value.
  void Take(std::span<const uint8_t> bytes);

  uint32_t buckets_read() const { return buckets_read_; }
  uint32_t values_read() const { return values_read_; }
  /// How many of these were of no use.
  uint32_t torn() const { return torn_; }

 private:
  void TakeBucket(std::span<const uint8_t, CuckooEntry::kBytes> bucket);
  void TakeValue(std::span<const uint8_t> value);

  Key key_;
  std::array<uint32_t, kCuckooFunctions> buckets_;
  State state_ = State::kBucket;
  uint32_t probe_ = 0;  ///< which of buckets_
  CuckooEntry entry_;   ///< once it is found
  uint32_t buckets_read_ = 0, values_read_ = 0, torn_ = 0;
};

}  // namespace headroom
