// A circular log of keys and values: an appended entry overwrites the oldest.
//
// Offsets grow for ever. An entry is complete while no more than the log's size has been written since its
// first byte. Entries have 16 B key, 2 B length and the value, and begin at multiples of eight bytes. MICA
// maps the log twice in a row, so an entry across the end is contiguous. Here every piece of memory has extra
// room for an entry that begins in it.
//
// Source: Lim et al., MICA, NSDI 2014, section 4.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "protocol/keyvalue/stores/key.h"

namespace headroom {

class MicaLog {
 public:
  /// In bytes: `size` is a multiple of eight. `first`: the initial offset, a multiple of eight. Throws
  /// std::invalid_argument if these conditions are violated, or if the largest entry exceeds the log.
  MicaLog(uint64_t size, uint32_t largest_value, uint64_t first);

  /// Memory is allocated in pieces of this size, because a run writes little of a log.
  static constexpr uint64_t kPiece = uint64_t{1} << 16;

  /// The size of an entry with a value of this size.
  static uint64_t EntryBytes(uint64_t value);

  /// The offset of the next entry.
  uint64_t head() const { return head_; }
  uint64_t size() const { return size_; }
  /// Throws std::length_error if the value exceeds the maximum.
  void Append(const Key& key, std::span<const uint8_t> value);

  struct Entry {
    Key key;
    std::span<const uint8_t> value;  ///< valid until the next Append
  };
  /// The entry that begins `age` bytes before the head. REQUIRES: an entry begins there, and age ≤ size().
  Entry Back(uint64_t age) const;

  /// Allocated bytes of memory: at most one piece more than was written.
  uint64_t reserved() const;

 private:
  uint64_t size_;
  uint32_t largest_value_;
  uint64_t piece_;  ///< in bytes
  uint64_t head_;
  uint64_t place_ = 0;  ///< position of the head in the log, in bytes
  std::vector<std::unique_ptr<uint8_t[]>> pieces_;
};

}  // namespace headroom
