// One partition of MICA in its cache mode, as HERD's server processes have one each: a lossy associative
// index over a circular log. It forgets, but a hit is always the value that was PUT last.
//
// Source: Lim et al., MICA, NSDI 2014, section 4; Kalia et al., HERD, SIGCOMM 2014, section 4. The bucket is
// the lower bits of a key's lower half and the tag its upper 16. The upper half is left to the choice of the
// partition. A slot's 48 bits of offset are compared modulo 2^48. So a slot untouched while 256 TiB are
// logged would look valid again (MICA sweeps its index for that). Its key then would differ from the log's.
#pragma once

#include <cstdint>
#include <span>

#include "protocol/keyvalue/stores/key.h"
#include "protocol/keyvalue/stores/mica_index.h"
#include "protocol/keyvalue/stores/mica_log.h"

namespace headroom {

struct MicaParameters {
  uint64_t buckets = uint64_t{1} << 23;  ///< of eight slots; a power of two, at most 2^32
  uint64_t log = 4'000'000'000;          ///< bytes, a multiple of eight, at most 2^47
  uint32_t largest_value = 1000;         ///< bytes, at most 65535
  uint64_t first_offset = 0;             ///< of the log, bytes, a multiple of eight
};

/// gets = hits + misses; overwritten and collided are misses.
struct MicaCounters {
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t overwritten = 0;  ///< the slot is there, but its entry in the log is gone
  uint64_t collided = 0;     ///< bucket and tag are those of another key
  uint64_t puts = 0;
  uint64_t replaced = 0;  ///< slots with the tag of a PUT: nearly always of the same key
  uint64_t evicted = 0;   ///< slots that a PUT took although their entry was still in the log
};

struct MicaGet {
  bool hit = false;
  uint32_t accesses = 0;           ///< to random places of memory: the bucket, and the log where the tag fits
  std::span<const uint8_t> value;  ///< valid until the next Put
};

class MicaCache {
 public:
  /// Throws std::invalid_argument where the parameters are not as they say.
  explicit MicaCache(const MicaParameters& parameters);

  MicaGet Get(const Key& key);
  /// Returns accesses to random places of memory: one, the bucket, as the log is written in order. Throws
  /// std::invalid_argument for a null key and std::length_error for a value larger than the largest.
  /// REQUIRES: `value` does not come from Get.
  uint32_t Put(const Key& key, std::span<const uint8_t> value);

  /// Where the log's next entry begins.
  uint64_t head() const { return log_.head(); }
  const MicaCounters& counters() const { return counters_; }
  /// Bytes of memory asked for, about.
  uint64_t reserved() const { return index_.written() * sizeof(MicaBucket) + log_.reserved(); }

 private:
  uint32_t BucketOf(const Key& key) const { return static_cast<uint32_t>(key.low) & bucket_mask_; }
  /// Bytes logged since the first byte of the slot's entry.
  uint64_t Age(uint64_t slot) const;

  uint32_t bucket_mask_;
  MicaIndex index_;
  MicaLog log_;
  MicaCounters counters_;
};

}  // namespace headroom
