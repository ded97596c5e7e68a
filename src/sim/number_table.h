// Values found by number, where few of many numbers are present at a time: the open messages of a run.
//
// A hash table with linear probing maps a number to the place of its value in a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom {

template <class T>
class NumberTable {
 public:
  /// Returns null if the number is not present. REQUIRES: it is not UINT32_MAX; the same holds below.
  T* Find(uint32_t number) {
    const Entry& entry = table_[PlaceOf(number)];
    return entry.number == number ? &values_[entry.value] : nullptr;
  }
  const T* Find(uint32_t number) const { return const_cast<NumberTable*>(this)->Find(number); }
  /// The value keeps the state of a removed one, or is new. Other values may move. REQUIRES: the number is
  /// not present.
  T& Add(uint32_t number) {
    if (2 * (values_.size() - free_.size() + 1) > table_.size()) Grow();
    auto value = static_cast<uint32_t>(values_.size());
    if (free_.empty()) {
      values_.emplace_back();
    } else {
      value = free_.back();
      free_.pop_back();
    }
    table_[PlaceOf(number)] = {number, value};
    return values_[value];
  }
  /// REQUIRES: the number is present.
  void Remove(uint32_t number) {
    size_t hole = PlaceOf(number);
    free_.push_back(table_[hole].value);
    // A later entry moves to the hole unless its search begins behind the hole.
    for (size_t at = Next(hole); table_[at].number != kNone; at = Next(at)) {
      if (((at - HomeOf(table_[at].number)) & Mask()) < ((at - hole) & Mask())) continue;
      table_[hole] = table_[at];
      hole = at;
    }
    table_[hole] = {};
  }
  /// Calls `use` with each number and its value, in any order.
  template <class Use>
  void ForEach(const Use& use) {
    for (const Entry& entry : table_)
      if (entry.number != kNone) use(entry.number, values_[entry.value]);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr int kFirstBits = 6;
  struct Entry {
    uint32_t number = kNone;
    uint32_t value = 0;  ///< index in `values_`
  };
  size_t Mask() const { return table_.size() - 1; }
  size_t Next(size_t place) const { return (place + 1) & Mask(); }
  /// Fibonacci hashing (Knuth, The Art of Computer Programming, 6.4) spreads numbers that follow each other.
  size_t HomeOf(uint32_t number) const { return (number * 2654435769u) >> shift_; }
  /// The number's entry, or the empty entry where its search ends.
  size_t PlaceOf(uint32_t number) const {
    size_t place = HomeOf(number);
    while (table_[place].number != number && table_[place].number != kNone) place = Next(place);
    return place;
  }
  void Grow() {
    std::vector<Entry> before(2 * table_.size());
    before.swap(table_);
    --shift_;
    for (const Entry& entry : before)
      if (entry.number != kNone) table_[PlaceOf(entry.number)] = entry;
  }

  std::vector<Entry> table_ = std::vector<Entry>(size_t{1} << kFirstBits);  ///< at most half full
  int shift_ = 32 - kFirstBits;  ///< of a hash, so that it becomes a place in `table_`
  std::vector<T> values_;
  std::vector<uint32_t> free_;  ///< places in `values_` without a number
};

}  // namespace headroom
