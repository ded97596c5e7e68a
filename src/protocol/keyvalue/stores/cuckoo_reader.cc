#include "protocol/keyvalue/stores/cuckoo_reader.h"

#include "protocol/crc32c.h"

namespace headroom {

CuckooReader::CuckooReader(const Key& key, uint32_t buckets)
    : key_(key), buckets_(CuckooBuckets(key, buckets)) {
  RequireKey(key);
}

CuckooReader::Read CuckooReader::Next() const {
  if (state_ == State::kValue) return {entry_.address, entry_.length};
  return {uint64_t{buckets_[probe_]} * CuckooEntry::kBytes, CuckooEntry::kBytes};
}

void CuckooReader::Take(std::span<const uint8_t> bytes) {
  if (state_ == State::kValue)
    TakeValue(bytes);
  else
    TakeBucket(bytes.first<CuckooEntry::kBytes>());
}

void CuckooReader::TakeBucket(std::span<const uint8_t, CuckooEntry::kBytes> bucket) {
  ++buckets_read_;
  const auto entry = CuckooEntry::Decode(bucket);
  if (!entry) {
    ++torn_;
  } else if (entry->key == key_) {
    entry_ = *entry;
    state_ = State::kValue;
  } else if (++probe_ == buckets_.size()) {
    state_ = State::kAbsent;
  }
}

void CuckooReader::TakeValue(std::span<const uint8_t> value) {
  ++values_read_;
  if (Crc32c(value) == entry_.crc) {
    state_ = State::kFound;
    return;
  }
  ++torn_;
  probe_ = 0;
  state_ = State::kBucket;
}

}  // namespace headroom
