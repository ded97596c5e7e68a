// Values out of a table, by address. The next value of its size takes a freed place, so a reader with an old
// address may find another value there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headroom {

class Extents {
 public:
  /// `capacity` in bytes. Throws std::invalid_argument where addresses below it need more than 48 bits.
  explicit Extents(uint64_t capacity);

  /// The address, in bytes from the first one's; a multiple of eight. None: there is no room.
  std::optional<uint64_t> Put(std::span<const uint8_t> value);
  /// REQUIRES: Put gave this address, for a value of so many bytes.
  void Free(uint64_t address, uint64_t length);
  /// REQUIRES: it ends within the capacity.
  std::span<const uint8_t> At(uint64_t address, uint64_t length) const {
    return {bytes_.get() + address, length};
  }
  /// All of them, for a NIC.
  std::span<uint8_t> memory() { return {bytes_.get(), capacity_}; }
  uint64_t capacity() const { return capacity_; }

 private:
  uint64_t capacity_;
  uint64_t used_ = 0;                               ///< bytes from the first, freed ones among them
  std::unique_ptr<uint8_t[]> bytes_;                ///< never moves; takes memory where it is written
  std::map<uint64_t, std::vector<uint64_t>> free_;  ///< addresses by size
};

}  // namespace headroom
