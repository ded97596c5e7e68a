// Oblivious balancing: each round takes every entropy once. In a round, the entropies are a counter XOR a
// number that is drawn anew for each round.
#pragma once

#include <string>

#include "nic/transport/balancing.h"
#include "sim/random.h"

namespace headroom {

class Rounds final : public Balancing {
 public:
  /// REQUIRES: `entropies` is a power of two.
  Rounds(int entropies, const std::string& name) : entropies_(entropies), random_(name + "/balancing") {}
  uint16_t Next(Time) override { return Next(); }
  uint16_t Next() {
    if (count_ == entropies_) count_ = 0;
    if (count_ == 0) mask_ = Any();
    return static_cast<uint16_t>(count_++ ^ mask_);
  }
  /// A random entropy, outside the rounds.
  uint16_t Any() { return static_cast<uint16_t>(random_.Below(static_cast<uint64_t>(entropies_))); }
  int entropies() const { return entropies_; }

 private:
  int entropies_, count_ = 0;
  int mask_ = 0;
  RandomStream random_;
};

}  // namespace headroom
