// A partition of a cache that was loaded with records before the run. The records count as the beginning of
// its log, in the order of their numbers, without taking memory. A key without a PUT keeps its loaded state
// until the log wraps around to its place.
//
// A real index loses some records while it is loaded. None is lost here: the slots have room for all records.
#pragma once

#include <array>
#include <bitset>
#include <memory>
#include <optional>
#include <vector>

#include "protocol/keyvalue/stores/mica_cache.h"

namespace headroom {

class LoadedCache {
 public:
  struct Parameters {
    MicaParameters cache;  ///< its first offset is where the loaded records end
    uint64_t records = 0;  ///< number of records of all partitions
    uint32_t partitions =
        1;               ///< records are divided among the partitions in round-robin order, approximately
    uint32_t value = 0;  ///< in bytes
  };
  explicit LoadedCache(const Parameters& parameters);

  /// Fills `value`, which has room for the longest; returns the number of bytes. Returns nothing for a miss.
  std::optional<uint32_t> Get(const Key& key, std::span<uint8_t> value);
  void Put(const Key& key, std::span<const uint8_t> value);

  uint64_t hits() const { return hits_; }
  uint64_t misses() const { return misses_; }
  const MicaCounters& counters() const { return cache_.counters(); }

  static constexpr uint64_t kPage = 1
                                    << 15;  ///< number of records per page of bits that record which were PUT

 private:
  bool Written(uint64_t record) const;

  Parameters p_;
  MicaCache cache_;
  std::vector<std::unique_ptr<std::bitset<kPage>>> written_;  ///< by page of records
  uint64_t hits_ = 0, misses_ = 0;
};

}  // namespace headroom
