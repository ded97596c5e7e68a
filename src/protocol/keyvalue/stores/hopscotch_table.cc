#include "protocol/keyvalue/stores/hopscotch_table.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "protocol/little_endian.h"

namespace headroom {
namespace {

/// The most items that a PUT searches for an empty one: with so small a neighbourhood, an item farther away
/// can rarely be moved near.
constexpr uint32_t kFarthestEmpty = 1024;

}  // namespace

HopscotchTable::HopscotchTable(const HopscotchLayout& layout, uint64_t extents)
    : layout_(layout), bytes_(uint64_t{layout.items()} * layout.item()), extents_(extents) {
  if (layout.homes == 0) throw std::invalid_argument("a table has at least one home");
}

bool HopscotchTable::Put(const Key& key, std::span<const uint8_t> value) {
  if (layout_.inlined ? value.size() != layout_.value : value.size() > layout_.value)
    throw std::length_error("a value has not the length that the table was made for");
  const auto range = layout_.Neighbourhood(key);
  const auto six = std::span(bytes_).subspan(range.address, range.bytes);
  if (const auto there = layout_.Find(six, key))
    return Write(six.data() + (there->data() - six.data()), value);
  const uint32_t item = Vacate(layout_.Home(key));
  if (item == layout_.items() || !Write(At(item) + sizeof(Key), value)) return false;
  PutNumber(PutNumber(At(item), key.low), key.high);
  ++keys_;
  return true;
}

bool HopscotchTable::Write(uint8_t* to, std::span<const uint8_t> value) {
  if (layout_.inlined) {
    if (!value.empty()) std::memcpy(to, value.data(), value.size());
    return true;
  }
  const auto address = extents_.Put(value);
  if (!address) return false;
  const bool replaces = !KeyAt(static_cast<uint32_t>((to - bytes_.data()) / layout_.item())).null();
  const auto before = HopscotchValueAt({to, HopscotchLayout::kPointer});
  PutNumber(to, uint64_t{value.size()} << 48 | *address);
  if (replaces) extents_.Free(before.address, before.bytes);
  return true;
}

HopscotchTable::Lookup HopscotchTable::Get(const Key& key) const {
  Lookup lookup{.read = layout_.Neighbourhood(key), .second = std::nullopt, .value = {}};
  const auto there = layout_.Find(bytes().subspan(lookup.read.address, lookup.read.bytes), key);
  if (!there) return lookup;
  lookup.hit = true;
  lookup.value = *there;
  if (!layout_.inlined) {
    lookup.second = HopscotchValueAt(*there);
    lookup.value = extents_.At(lookup.second->address, lookup.second->bytes);
  }
  return lookup;
}

Key HopscotchTable::KeyAt(uint32_t item) const {
  Key key;
  GetNumber(GetNumber(bytes_.data() + uint64_t{item} * layout_.item(), key.low), key.high);
  return key;
}

uint32_t HopscotchTable::Vacate(uint32_t home) {
  constexpr uint32_t kNear = HopscotchLayout::kNeighbourhood;
  const uint32_t end = std::min(layout_.items(), home + kFarthestEmpty);
  uint32_t empty = home;
  while (empty < end && !KeyAt(empty).null()) ++empty;
  if (empty == end) return layout_.items();
  while (empty >= home + kNear) {
    // The first movable item from here brings the empty one nearest to the home.
    uint32_t from = empty - kNear + 1;
    while (from < empty && layout_.Home(KeyAt(from)) + kNear <= empty) ++from;
    if (from == empty) return layout_.items();
    std::memcpy(At(empty), At(from), layout_.item());
    std::memset(At(from), 0, layout_.item());
    empty = from;
  }
  return empty;
}

}  // namespace headroom
