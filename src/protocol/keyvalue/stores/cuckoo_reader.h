// A GET by READs, like a client of Pilaf: it reads bucket after bucket until one has the key, then the value.
// Checksums reveal data that was half written or belongs to another key by then; it is read again.
//
// Source: Mitchell et al., Pilaf, ATC 2013. Ours: if the value is not that of its entry, the reader begins
// anew with the first bucket. A key is not found if a PUT of another key meanwhile moves it from a bucket not
// yet read to one already read.
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
  /// The next read. REQUIRES: state() is kBucket or kValue.
  struct Read {
    uint64_t address;  ///< byte offset from the beginning of the table, or of the extents
    uint32_t bytes;
  };
  Read Next() const;
  /// Takes the data read there. REQUIRES: as many bytes as Next() requested. Once the state is kFound, these
  /// bytes are the value.
  void Take(std::span<const uint8_t> bytes);

  uint32_t buckets_read() const { return buckets_read_; }
  uint32_t values_read() const { return values_read_; }
  /// The number of useless READs.
  uint32_t torn() const { return torn_; }

 private:
  void TakeBucket(std::span<const uint8_t, CuckooEntry::kBytes> bucket);
  void TakeValue(std::span<const uint8_t> value);

  Key key_;
  std::array<uint32_t, kCuckooFunctions> buckets_;
  State state_ = State::kBucket;
  uint32_t probe_ = 0;  ///< index in buckets_
  CuckooEntry entry_;   ///< set once it is found
  uint32_t buckets_read_ = 0, values_read_ = 0, torn_ = 0;
};

}  // namespace headroom
