// Which of a disk's blocks the next I/O goes to, as fio draws it (lib/zipf.c, lib/gauss.c, io_u.c): Zipf by
// Gray's formula (Gray et al., SIGMOD 1994), Pareto, normal, zones.
#pragma once

#include <cstdint>

#include "sim/random.h"
#include "workload/io_addresses.h"

namespace headroom {

/// Σ i^−θ for i = 1 … n.
double Zeta(uint64_t n, double theta);

class AddressDistribution {
 public:
  /// Of `blocks` blocks. REQUIRES: blocks > 0; of zipf θ > 0 and not 1, of pareto 0 < h < 1.
  AddressDistribution(const IoAddresses& addresses, uint64_t blocks);

  /// From 0, the hottest, of zipf and pareto.
  uint64_t Rank(double u) const;
  /// From 0 to the last, the middle the hottest.
  uint64_t Normal(RandomStream& random) const;
  /// A block. Where ranks lie is by a hash of theirs, behind the block `first`.
  uint64_t Draw(RandomStream& random, uint64_t first, bool writes) const;
  /// The block behind which the ranks of a disk lie.
  uint64_t First(RandomStream& random) const;

 private:
  uint64_t InZone(RandomStream& random, const std::vector<IoZone>& zones) const;

  const IoAddresses addresses_;
  const uint64_t blocks_;
  double zeta_ = 0, second_ = 0, eta_ = 0;  ///< of zipf: ζ(n), 1 + ½^θ, η
};

}  // namespace headroom
