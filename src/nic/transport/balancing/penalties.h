// Balancing by penalties, `bitmap` in uet-htsim: rounds that pass over entropies with a penalty.
//
// A mark adds 1 to the penalty of its entropy, a trimmed packet 4, a timeout 15 to that of entropy 0, because
// the sender does not know which packet is lost. The first entropy that is passed over loses 1 of its
// penalty. If all of a round have one, the next is taken nevertheless.
#pragma once

#include <algorithm>
#include <vector>

#include "nic/transport/balancing/rounds.h"

namespace headroom {

class Penalties final : public Balancing {
 public:
  Penalties(int entropies, const std::string& name)
      : rounds_(entropies, name), penalties_(static_cast<size_t>(entropies)) {}

  uint16_t Next(Time) override {
    uint16_t entropy = rounds_.Next();
    if (penalties_[entropy] == 0) return entropy;
    --penalties_[entropy];
    for (int passed = 0; passed < rounds_.entropies(); ++passed) {
      entropy = rounds_.Next();
      if (penalties_[entropy] == 0) break;
    }
    return entropy;
  }
  void Hear(uint16_t entropy, News news) override {
    if (news == News::marked) Add(entropy, 1);
    if (news == News::trimmed) Add(entropy, 4);
  }
  void OnTimeout(Time) override { Add(0, kMost); }

 private:
  static constexpr int kMost = 15;
  void Add(uint16_t entropy, int penalty) {
    penalties_[entropy] = static_cast<uint8_t>(std::min(penalties_[entropy] + penalty, kMost));
  }
  Rounds rounds_;
  std::vector<uint8_t> penalties_;
};

}  // namespace headroom
