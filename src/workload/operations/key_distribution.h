// Chooses the key of the next operation on a service.
//
// Zipf uses Gray's formula (Gray et al., "Quickly generating billion-record synthetic databases", SIGMOD
// 1994), which needs no memory for its keys; the others follow YCSB (brianfrankcooper/YCSB, CoreWorkload.java
// and generators). Records are numbered from 0; inserted ones follow the others. Distributions see only
// inserts that the service has acknowledged.
#pragma once

#include <cstdint>
#include <set>

#include "sim/random.h"
#include "workload/key_value_arrivals.h"

namespace headroom {

/// The 64-bit FNV-1a hash of a number's 8 bytes, least significant first; as in YCSB, but without a sign.
uint64_t FnvHash(uint64_t number);

/// Ranks from 0, the most frequent.
class Zipf {
 public:
  /// REQUIRES: items > 0, 0 < theta < 1.
  Zipf(uint64_t items, double theta);
  uint64_t Rank(double u) const;
  /// Sets a larger number of items. REQUIRES: at least as many as before.
  void Grow(uint64_t items);
  uint64_t items() const { return items_; }

 private:
  void Prepare();
  uint64_t items_;
  double theta_;
  double zeta_, second_, eta_ = 0;  ///< ζ(n), 1 + ½^θ, η
};

class KeyDistribution {
 public:
  explicit KeyDistribution(const KeyValueArrivals& arrivals);

  /// Draws the key of an operation on an existing record.
  uint64_t Draw(RandomStream& random);
  /// Returns a new record.
  uint64_t Insert() { return next_++; }
  /// The insert of this record has ended.
  void Acknowledge(uint64_t record);
  /// All inserts up to this record have ended.
  uint64_t last() const { return last_; }

 private:
  uint64_t Scrambled(RandomStream& random) const;
  uint64_t Latest(RandomStream& random);
  uint64_t Hotspot(RandomStream& random) const;
  uint64_t Exponential(RandomStream& random) const;

  const KeyChoice choice_;
  const uint64_t records_;    ///< number at the beginning
  const uint64_t scrambled_;  ///< number of keys over which ranks are scattered
  uint64_t hot_;              ///< number of hot keys
  double hot_operations_;
  double mean_;  ///< exponential: mean of the distance from the last record
  Zipf zipf_;
  uint64_t next_, last_;
  uint64_t in_turn_ = 0;
  std::set<uint64_t> ended_;  ///< ended inserts beyond last_
};

}  // namespace headroom
