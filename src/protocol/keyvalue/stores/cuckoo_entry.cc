#include "protocol/keyvalue/stores/cuckoo_entry.h"

#include "protocol/crc32c.h"
#include "protocol/little_endian.h"

namespace headroom {

CuckooEntry::Bucket CuckooEntry::Encoded() const {
  Bucket bucket;
  uint8_t* to = PutNumber(bucket.data(), key.low);
  to = PutNumber(to, key.high);
  to = PutNumber(to, uint64_t{length} << 48 | address);
  PutNumber(to, crc);
  Seal(bucket);
  return bucket;
}

std::optional<CuckooEntry> CuckooEntry::Decode(std::span<const uint8_t, kBytes> bucket) {
  if (!IsSealed(bucket)) return std::nullopt;
  CuckooEntry entry;
  uint64_t value = 0;
  const uint8_t* from = GetNumber(bucket.data(), entry.key.low);
  from = GetNumber(from, entry.key.high);
  from = GetNumber(from, value);
  GetNumber(from, entry.crc);
  entry.address = value & ((uint64_t{1} << 48) - 1);
  entry.length = static_cast<uint16_t>(value >> 48);
  return entry;
}

std::array<uint32_t, kCuckooFunctions> CuckooBuckets(const Key& key, uint32_t buckets) {
  std::array<uint32_t, kCuckooFunctions> numbers;
  for (uint32_t i = 0; i < kCuckooFunctions; ++i)
    numbers[i] = static_cast<uint32_t>(Spread(key.low ^ Spread(key.high + i)) % buckets);
  return numbers;
}

}  // namespace headroom
