// Draws the block of the next I/O as fio does (lib/zipf.c, lib/gauss.c, io_u.c): Zipf by Gray's formula (Gray
// et al., SIGMOD 1994), Pareto, normal, zones.
#pragma once

#include <cstdint>

#include "sim/random.h"
#include "workload/io_addresses.h"

namespace headroom {

/// Σ i^−θ for i = 1 … n.
double Zeta(uint64_t n, double theta);

class AddressDistribution {
 public:
  /// For a disk of `blocks` blocks. REQUIRES: blocks > 0; for zipf θ > 0 and not 1, for pareto 0 < h < 1.
  AddressDistribution(const IoAddresses& addresses, uint64_t blocks);

  /// For zipf and pareto: a rank from 0, the hottest.
  uint64_t Rank(double u) const;
  /// For normal: a rank from 0 to `blocks` − 1; the middle rank is the hottest.
  uint64_t Normal(RandomStream& random) const;
  /// Draws a block. For zipf, pareto and normal, the block is `first` plus a hash of the drawn rank, modulo
  /// the disk's blocks. The other orders do not use `first`.
  uint64_t Draw(RandomStream& random, uint64_t first, bool writes) const;
  /// The value of `first` for a disk; 0 for orders that do not use it.
  uint64_t First(RandomStream& random) const;

 private:
  uint64_t InZone(RandomStream& random, const std::vector<IoZone>& zones) const;

  const IoAddresses addresses_;
  const uint64_t blocks_;
  double zeta_ = 0, second_ = 0, eta_ = 0;  ///< for zipf: ζ(n), 1 + ½^θ, η
};

}  // namespace headroom
