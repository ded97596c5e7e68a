// A circular log of keys and values: what is appended overwrites what is oldest.
//
// Offsets grow for ever, and an entry is whole as long as no more than the log's size was written since its
// first byte. Entries have 16 B key, 2 B length and the value, and begin at multiples of eight bytes. MICA
// maps the log twice, one behind the other, so an entry across the end is in one piece. Here every piece of
// memory has room behind it for an entry that begins in it.
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
  /// Bytes: `size` a multiple of eight. `first`: the offset it begins with, a multiple of eight. Throws
  /// std::invalid_argument where that does not hold or the largest entry is larger than the log.
  MicaLog(uint64_t size, uint32_t largest_value, uint64_t first);

  /// Memory is allocated in pieces of this size, because a run writes little of a log.
  static constexpr uint64_t kPiece = uint64_t{1} << 16;

  /// The size of an entry with a value of this size.
  static uint64_t EntryBytes(uint64_t value);

  /// Where the next entry begins.
  uint64_t head() const { return head_; }
  uint64_t size() const { return size_; }
  /// Throws std::length_error where the value is larger than the largest.
  void Append(const Key& key, std::span<const uint8_t> value);

  struct Entry {
    Key key;
    std::span<const uint8_t> value;  ///< valid until the next Append
  };
  /// That which begins `age` bytes before the head. REQUIRES: one does, and age ≤ size().
  Entry Back(uint64_t age) const;

  /// Bytes of memory asked for: at most one piece more than was written.
  uint64_t reserved() const;

 private:
  uint64_t size_;
  uint32_t largest_value_;
  uint64_t piece_;  ///< bytes
  uint64_t head_;
  uint64_t place_ = 0;  ///< of the head in the log, bytes
  std::vector<std::unique_ptr<uint8_t[]>> pieces_;
};

}  // namespace headroom
