// One partition of MICA in its cache mode, as each of HERD's server processes has: a lossy associative index
// over a circular log. It forgets values, but a hit always returns the last PUT value.
//
// Source: Lim et al., MICA, NSDI 2014, section 4; Kalia et al., HERD, SIGCOMM 2014, section 4. The bucket is
// the lower bits of a key's lower half and the tag its upper 16. The upper half is left for the choice of the
// partition. A slot's 48 bits of offset are compared modulo 2^48. So a slot untouched while 256 TiB are
// logged would look valid again, for which MICA sweeps its index. In that case its key would differ from the
// log's.
#pragma once

#include <cstdint>
#include <span>

#include "protocol/keyvalue/stores/key.h"
#include "protocol/keyvalue/stores/mica_index.h"
#include "protocol/keyvalue/stores/mica_log.h"

namespace headroom {

struct MicaParameters {
  uint64_t buckets = uint64_t{1} << 23;  ///< buckets of eight slots; a power of two, at most 2^32
  uint64_t log = 4'000'000'000;          ///< size of the log in bytes, a multiple of eight, at most 2^47
  uint32_t largest_value = 1000;         ///< in bytes, at most 65535
  uint64_t first_offset = 0;             ///< first offset of the log, in bytes, a multiple of eight
};

/// gets = hits + misses; overwritten and collided are misses.
struct MicaCounters {
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t overwritten = 0;  ///< the slot exists, but its entry in the log is gone
  uint64_t collided = 0;     ///< bucket and tag belong to another key
  uint64_t puts = 0;
  uint64_t replaced = 0;  ///< slots whose tag equals that of a PUT: nearly always of the same key
  uint64_t evicted = 0;   ///< slots that a PUT took although the log still had their entry
};

struct MicaGet {
  bool hit = false;
  uint32_t accesses = 0;           ///< to random places of memory: the bucket, and the log if the tag matches
  std::span<const uint8_t> value;  ///< valid until the next Put
};

class MicaCache {
 public:
  /// Throws std::invalid_argument if the parameters violate their limits.
  explicit MicaCache(const MicaParameters& parameters);

  MicaGet Get(const Key& key);
  /// Returns the number of accesses to random places of memory: one, for the bucket, because the log is
  /// written in order. Throws std::invalid_argument for a null key and std::length_error for a value above
  /// the maximum. REQUIRES: `value` is not a result of Get.
  uint32_t Put(const Key& key, std::span<const uint8_t> value);

  /// The offset of the log's next entry.
  uint64_t head() const { return log_.head(); }
  const MicaCounters& counters() const { return counters_; }
  /// Allocated bytes of memory, approximately.
  uint64_t reserved() const { return index_.written() * sizeof(MicaBucket) + log_.reserved(); }

 private:
  uint32_t BucketOf(const Key& key) const { return static_cast<uint32_t>(key.low) & bucket_mask_; }
  /// Bytes logged since the beginning of the slot's entry.
  uint64_t Age(uint64_t slot) const;

  uint32_t bucket_mask_;
  MicaIndex index_;
  MicaLog log_;
  MicaCounters counters_;
};

}  // namespace headroom
