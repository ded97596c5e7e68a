// The places of a disk's blocks: in its initial extents, or in those of later writes.
//
// Unwritten data are in the initial extents: the n-th extent contains the data at n times the extent's size.
// Each write puts its range in a new place; older ranges keep the part that it does not cover. Ranges that
// are consecutive on the disk and in the extent are merged.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "protocol/channel/storage_call.h"
#include "sim/units.h"

namespace headroom {

class ExtentIndex {
 public:
  struct Part {
    uint64_t address = 0;  ///< address on the disk
    uint64_t length = 0;
    StoragePlace place;
    bool operator==(const Part&) const = default;
  };

  /// `first`: number of the first initial extent; the others follow.
  ExtentIndex(Bytes disk, Bytes extent, uint32_t first)
      : disk_(static_cast<uint64_t>(disk.v)), extent_(static_cast<uint64_t>(extent.v)), first_(first) {}

  /// The parts of the range, in order. REQUIRES: the range is on the disk.
  std::vector<Part> Find(uint64_t address, uint64_t length) const;
  /// From now on these bytes lie at `place`.
  void Put(uint64_t address, uint64_t length, const StoragePlace& place);
  /// The same for blocks that are still at `from`; later writes keep their place. Returns the number of moved
  /// bytes.
  uint64_t Move(uint64_t address, uint64_t length, const StoragePlace& from, const StoragePlace& to);

  /// The number of the disk's bytes that lie in this extent.
  uint64_t Live(uint32_t extent) const;
  /// The parts of the disk that lie in this extent. Searches everything that was written.
  std::vector<Part> LiveIn(uint32_t extent) const;
  /// The number of the disk's initial extents, which are numbered from `first`.
  uint32_t initial() const { return static_cast<uint32_t>((disk_ + extent_ - 1) / extent_); }
  size_t ranges() const { return written_.size(); }

 private:
  struct Range {
    uint64_t place = 0;  ///< StoragePlace::number()
    uint64_t length = 0;
  };
  using Written = std::map<uint64_t, Range>;
  bool IsInitial(uint32_t extent) const { return extent >= first_ && extent - first_ < initial(); }
  uint64_t InitialBytes(uint32_t extent) const;
  /// Visits the parts of never-written bytes, by extent.
  template <class Use>
  void ForInitial(uint64_t address, uint64_t length, const Use& use) const;
  void Cover(uint64_t address, uint64_t length);
  void Count(const StoragePlace& place, uint64_t bytes, bool more);
  static bool Follows(const Written::value_type& a, const Written::value_type& b) {
    return a.first + a.second.length == b.first && a.second.place + a.second.length == b.second.place;
  }

  const uint64_t disk_, extent_;
  const uint32_t first_;
  Written written_;  ///< keyed by address
  std::unordered_map<uint32_t, int64_t>
      live_;  ///< initial extents: live bytes minus all bytes; others: live bytes
};

}  // namespace headroom
