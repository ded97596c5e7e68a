#include "protocol/keyvalue/loaded_cache.h"

#include "protocol/keyvalue/versioned_value.h"

namespace headroom {

namespace {

MicaParameters WithOffset(LoadedCache::Parameters p) {
  const uint64_t own = (p.records + p.partitions - 1) / p.partitions;
  p.cache.first_offset = own * MicaLog::EntryBytes(p.value);
  return p.cache;
}

}  // namespace

LoadedCache::LoadedCache(const Parameters& parameters)
    : p_(parameters), cache_(WithOffset(parameters)), written_((parameters.records + kPage - 1) / kPage) {}

bool LoadedCache::Written(uint64_t record) const {
  const auto& page = written_[record / kPage];
  return page != nullptr && page->test(record % kPage);
}

std::optional<uint32_t> LoadedCache::Get(const Key& key, std::span<uint8_t> value) {
  const MicaGet got = cache_.Get(key);
  if (got.hit) {
    ++hits_;
    std::copy(got.value.begin(), got.value.end(), value.begin());
    return static_cast<uint32_t>(got.value.size());
  }
  const uint64_t record = RecordOf(key);
  const bool loaded = record < p_.records && !Written(record) &&
                      cache_.head() - record / p_.partitions * MicaLog::EntryBytes(p_.value) <= p_.cache.log;
  if (!loaded) {
    ++misses_;
    return std::nullopt;
  }
  ++hits_;
  FillVersion(key, 0, value.first(p_.value));
  return p_.value;
}

void LoadedCache::Put(const Key& key, std::span<const uint8_t> value) {
  cache_.Put(key, value);
  const uint64_t record = RecordOf(key);
  if (record >= p_.records) return;
  auto& page = written_[record / kPage];
  if (!page) page = std::make_unique<std::bitset<kPage>>();
  page->set(record % kPage);
}

}  // namespace headroom
