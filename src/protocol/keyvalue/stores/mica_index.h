// The buckets of a lossy associative index. Buckets that were never written take no memory: scenarios have an
// index for 64 Mi keys, and a run writes a few thousand.
//
// Source: Lim et al., MICA, NSDI 2014, section 4; HERD's slots consist of a 6 B log offset and a 2 B tag.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom {

/// One cache line.
struct alignas(64) MicaBucket {
  static constexpr size_t kSlots = 8;
  /// Zero means an empty slot. Otherwise the upper 16 bits are the tag. The others are the offset's lower 48
  /// bits plus one, since entries begin at multiples of eight bytes.
  std::array<uint64_t, kSlots> slots{};
};

class MicaIndex {
 public:
  MicaIndex();

  /// Returns null if the bucket was never written. The result is valid until the next Write.
  const MicaBucket* Find(uint32_t number) const {
    const Place& place = places_[Home(number)];
    return place.bucket == 0 ? nullptr : &buckets_[place.bucket - 1];
  }
  MicaBucket& Write(uint32_t number);

  /// The number of buckets that take memory.
  size_t written() const { return buckets_.size(); }

 private:
  struct Place {
    uint32_t number = 0;
    uint32_t bucket = 0;  ///< one more than the index in buckets_; zero: none
  };
  /// The bucket's place, or the place where it would be. Its number consists of hash bits, so no other hash
  /// is needed.
  size_t Home(uint32_t number) const {
    size_t at = number & (places_.size() - 1);
    while (places_[at].bucket != 0 && places_[at].number != number) at = (at + 1) & (places_.size() - 1);
    return at;
  }
  void Grow();

  std::vector<Place> places_;  ///< the size is a power of two; at most half of the places are used
  std::vector<MicaBucket> buckets_;
};

}  // namespace headroom
