// Mixed balancing, uet-htsim's default: entropies whose packets arrived without a mark, the oldest first;
// without one, balancing by penalties.
#pragma once

#include "nic/transport/balancing/penalties.h"
#include "sim/ring.h"

namespace headroom {

class Mixed final : public Balancing {
 public:
  Mixed(int entropies, const std::string& name) : penalties_(entropies, name) {}

  uint16_t Next(Time now) override {
    if (good_.Empty()) return penalties_.Next(now);
    const uint16_t entropy = good_.Front();
    good_.PopFront();
    return entropy;
  }
  void Hear(uint16_t entropy, News news) override {
    if (news == News::good) good_.PushBack(entropy);
    penalties_.Hear(entropy, news);
  }
  void OnTimeout(Time now) override { penalties_.OnTimeout(now); }

 private:
  Ring<uint16_t> good_;
  Penalties penalties_;
};

}  // namespace headroom
