// Values outside a table, by address. The next value of the same size takes a freed place, so a reader with
// an old address may find another value there.
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
  /// `capacity`: in bytes. Throws std::invalid_argument if addresses below `capacity` need more than 48 bits.
  explicit Extents(uint64_t capacity);

  /// Returns the address, in bytes from the first value's; a multiple of eight. Returns none if there is no
  /// room.
  std::optional<uint64_t> Put(std::span<const uint8_t> value);
  /// REQUIRES: Put returned this address, for a value of `length` bytes.
  void Free(uint64_t address, uint64_t length);
  /// REQUIRES: the value ends within the capacity.
  std::span<const uint8_t> At(uint64_t address, uint64_t length) const {
    return {bytes_.get() + address, length};
  }
  /// All bytes, for a NIC.
  std::span<uint8_t> memory() { return {bytes_.get(), capacity_}; }
  uint64_t capacity() const { return capacity_; }

 private:
  uint64_t capacity_;
  uint64_t used_ = 0;                               ///< bytes from the first, freed ones included
  std::unique_ptr<uint8_t[]> bytes_;                ///< never moves; memory is taken only where it is written
  std::map<uint64_t, std::vector<uint64_t>> free_;  ///< addresses by size
};

}  // namespace headroom
