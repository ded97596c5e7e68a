#include "protocol/keyvalue/stores/mica_cache.h"

#include <bit>
#include <stdexcept>

namespace headroom {
namespace {

constexpr uint64_t kOffsetMask = (uint64_t{1} << 48) - 1;

uint64_t TagOf(const Key& key) { return key.low & ~kOffsetMask; }
bool HasTag(uint64_t slot, uint64_t tag) { return slot != 0 && (slot & ~kOffsetMask) == tag; }
uint64_t Slot(uint64_t tag, uint64_t offset) { return tag | (offset & kOffsetMask) | 1; }

uint32_t MaskOf(uint64_t buckets) {
  if (!std::has_single_bit(buckets) || buckets > uint64_t{1} << 32)
    throw std::invalid_argument("a cache's buckets are a power of two, at most 2^32");
  return static_cast<uint32_t>(buckets - 1);
}

}  // namespace

MicaCache::MicaCache(const MicaParameters& parameters)
    : bucket_mask_(MaskOf(parameters.buckets)),
      log_(parameters.log, parameters.largest_value, parameters.first_offset) {
  if (parameters.log > uint64_t{1} << 47) throw std::invalid_argument("a cache's log has at most 2^47 bytes");
}

uint64_t MicaCache::Age(uint64_t slot) const { return (log_.head() - (slot - 1)) & kOffsetMask; }

MicaGet MicaCache::Get(const Key& key) {
  const uint64_t tag = TagOf(key);
  uint32_t accesses = 1;
  if (const MicaBucket* bucket = index_.Find(BucketOf(key)); bucket != nullptr) {
    for (const uint64_t slot : bucket->slots) {
      if (!HasTag(slot, tag)) continue;  // at most one slot has it
      const uint64_t age = Age(slot);
      if (age > log_.size()) {
        ++counters_.overwritten;
        break;
      }
      ++accesses;
      const MicaLog::Entry entry = log_.Back(age);
      if (entry.key == key) {
        ++counters_.hits;
        return {true, accesses, entry.value};
      }
      ++counters_.collided;
      break;
    }
  }
  ++counters_.misses;
  return {false, accesses, {}};
}

uint32_t MicaCache::Put(const Key& key, std::span<const uint8_t> value) {
  RequireKey(key);
  const uint64_t tag = TagOf(key), offset = log_.head();
  log_.Append(key, value);
  ++counters_.puts;
  uint64_t* free = nullptr;
  uint64_t* oldest = nullptr;
  for (uint64_t& slot : index_.Write(BucketOf(key)).slots) {
    if (HasTag(slot, tag)) {
      slot = 0;
      ++counters_.replaced;
    }
    if (slot == 0) {
      if (free == nullptr) free = &slot;
    } else if (oldest == nullptr || Age(slot) > Age(*oldest)) {
      oldest = &slot;
    }
  }
  if (free == nullptr) {
    free = oldest;
    if (Age(*oldest) <= log_.size()) ++counters_.evicted;
  }
  *free = Slot(tag, offset);
  return 1;
}

}  // namespace headroom
