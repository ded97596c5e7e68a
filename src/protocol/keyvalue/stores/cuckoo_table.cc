#include "protocol/keyvalue/stores/cuckoo_table.h"

#include <stdexcept>

#include "protocol/crc32c.h"

namespace headroom {
namespace {

/// The most buckets that a PUT searches for a free one. A table 75 % full needs a few; searching more fills
/// it to 91.8 % instead of 90.
constexpr size_t kMostBucketsSearched = 2000;

}  // namespace

CuckooTable::CuckooTable(uint32_t buckets, uint64_t extents)
    : buckets_(buckets, CuckooEntry{}.Encoded()), extents_(extents) {
  if (buckets == 0) throw std::invalid_argument("a table has at least one bucket");
}

bool CuckooTable::Put(const Key& key, std::span<const uint8_t> value) {
  if (value.size() > UINT16_MAX)
    throw std::length_error("a value of a cuckoo table must have at most 65535 bytes");
  const Lookup before = Get(key);
  const auto address = extents_.Put(value);
  if (!address) return false;
  const uint32_t bucket = before.hit ? before.buckets[before.probes - 1] : Vacate(key);
  if (bucket == buckets()) {
    extents_.Free(*address, value.size());
    return false;
  }
  buckets_[bucket] = CuckooEntry{key, *address, static_cast<uint16_t>(value.size()), Crc32c(value)}.Encoded();
  if (before.hit)
    extents_.Free(before.address, before.value.size());
  else
    ++keys_;
  return true;
}

CuckooTable::Lookup CuckooTable::Get(const Key& key) const {
  RequireKey(key);
  Lookup lookup;
  lookup.buckets = CuckooBuckets(key, buckets());
  for (const uint32_t number : lookup.buckets) {
    ++lookup.probes;
    const CuckooEntry entry = *CuckooEntry::Decode(buckets_[number]);
    if (entry.key != key) continue;
    lookup.hit = true;
    lookup.address = entry.address;
    lookup.value = extents_.At(entry.address, entry.length);
    break;
  }
  return lookup;
}

uint32_t CuckooTable::Vacate(const Key& key) {
  struct Step {
    uint32_t bucket;
    size_t before;  ///< the previous step, whose entry would move here
  };
  std::vector<Step> steps;
  for (const uint32_t bucket : CuckooBuckets(key, buckets())) steps.push_back({bucket, 0});
  // A bucket may occur twice, but not on the path to the first free one. Nothing new lies behind its second
  // occurrence.
  for (size_t i = 0; i < steps.size() && i < kMostBucketsSearched; ++i) {
    const Key there = CuckooEntry::Decode(buckets_[steps[i].bucket])->key;
    if (!there.null()) {
      for (const uint32_t bucket : CuckooBuckets(there, buckets()))
        if (bucket != steps[i].bucket) steps.push_back({bucket, i});
      continue;
    }
    for (; i >= kCuckooFunctions; i = steps[i].before) {
      buckets_[steps[i].bucket] = buckets_[steps[steps[i].before].bucket];
      ++moved_;
    }
    buckets_[steps[i].bucket] = CuckooEntry{}.Encoded();
    return steps[i].bucket;
  }
  return buckets();
}

}  // namespace headroom
