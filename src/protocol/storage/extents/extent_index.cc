#include "protocol/storage/extents/extent_index.h"

#include <algorithm>
#include <iterator>

namespace headroom {

template <class Use>
void ExtentIndex::ForInitial(uint64_t address, uint64_t length, const Use& use) const {
  while (length > 0) {
    const uint64_t offset = address % extent_;
    const uint64_t here = std::min(length, extent_ - offset);
    use(Part{address, here, {first_ + static_cast<uint32_t>(address / extent_), offset}});
    address += here, length -= here;
  }
}

std::vector<ExtentIndex::Part> ExtentIndex::Find(uint64_t address, uint64_t length) const {
  std::vector<Part> parts;
  const auto add = [&](const Part& part) { parts.push_back(part); };
  const uint64_t end = address + length;
  auto it = written_.upper_bound(address);
  if (it != written_.begin() && std::prev(it)->first + std::prev(it)->second.length > address) --it;
  while (address < end) {
    if (it == written_.end() || it->first >= end) {
      ForInitial(address, end - address, add);
      break;
    }
    if (it->first > address) ForInitial(address, it->first - address, add);
    address = std::max(address, it->first);
    const uint64_t skipped = address - it->first;
    const uint64_t here = std::min(end - address, it->second.length - skipped);
    parts.push_back({address, here, StoragePlace::Of(it->second.place + skipped)});
    address += here;
    ++it;
  }
  return parts;
}

void ExtentIndex::Count(const StoragePlace& place, uint64_t bytes, bool more) {
  const auto signed_bytes = static_cast<int64_t>(bytes);
  const auto counted = live_.try_emplace(place.object, 0).first;
  counted->second += more ? signed_bytes : -signed_bytes;
  if (counted->second == 0) live_.erase(counted);
}

/// Removes earlier data there, initial or written.
void ExtentIndex::Cover(uint64_t address, uint64_t length) {
  for (const Part& part : Find(address, length)) Count(part.place, part.length, false);
  const uint64_t end = address + length;
  auto it = written_.lower_bound(address);
  if (it != written_.begin()) {
    Range& before = std::prev(it)->second;
    const uint64_t begins = std::prev(it)->first;
    if (begins + before.length > end) {
      const uint64_t skipped = end - begins;
      it = written_.emplace_hint(it, end, Range{before.place + skipped, before.length - skipped});
    }
    before.length = std::min(before.length, address - begins);
  }
  while (it != written_.end() && it->first < end) {
    const uint64_t covered = std::min(end - it->first, it->second.length);
    if (covered < it->second.length) {
      written_.emplace_hint(std::next(it), end,
                            Range{it->second.place + covered, it->second.length - covered});
    }
    it = written_.erase(it);
  }
}

void ExtentIndex::Put(uint64_t address, uint64_t length, const StoragePlace& place) {
  if (length == 0) return;
  Cover(address, length);
  Count(place, length, true);
  auto it = written_.emplace(address, Range{place.number(), length}).first;
  if (const auto next = std::next(it); next != written_.end() && Follows(*it, *next)) {
    it->second.length += next->second.length;
    written_.erase(next);
  }
  if (it != written_.begin() && Follows(*std::prev(it), *it)) {
    std::prev(it)->second.length += it->second.length;
    written_.erase(it);
  }
}

uint64_t ExtentIndex::Move(uint64_t address, uint64_t length, const StoragePlace& from,
                           const StoragePlace& to) {
  uint64_t moved = 0;
  for (const Part& part : Find(address, length)) {
    const uint64_t skipped = part.address - address;
    if (part.place.number() != from.number() + skipped) continue;
    Put(part.address, part.length, StoragePlace::Of(to.number() + skipped));
    moved += part.length;
  }
  return moved;
}

uint64_t ExtentIndex::InitialBytes(uint32_t extent) const {
  if (!IsInitial(extent)) return 0;
  const uint64_t begins = (extent - first_) * extent_;
  return std::min(extent_, disk_ - begins);
}

uint64_t ExtentIndex::Live(uint32_t extent) const {
  const auto counted = live_.find(extent);
  return InitialBytes(extent) + static_cast<uint64_t>(counted == live_.end() ? 0 : counted->second);
}

std::vector<ExtentIndex::Part> ExtentIndex::LiveIn(uint32_t extent) const {
  std::vector<Part> parts;
  if (IsInitial(extent)) {
    for (const Part& part : Find((extent - first_) * extent_, InitialBytes(extent)))
      if (part.place.object == extent) parts.push_back(part);
    return parts;
  }
  for (const auto& [address, range] : written_) {
    const StoragePlace place = StoragePlace::Of(range.place);
    if (place.object == extent) parts.push_back({address, range.length, place});
  }
  return parts;
}

}  // namespace headroom
