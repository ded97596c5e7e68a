#include "nic/resources/context_cache.h"

#include <algorithm>

namespace headroom {

const char* ContextKindName(ContextKind kind) {
  constexpr const char* kNames[] = {"rc_requester", "rc_responder", "uc_requester", "uc_responder", "ud"};
  return kNames[static_cast<size_t>(kind)];
}

bool ContextCache::Touch(uint32_t context, uint32_t weight) {
  if (context >= place_.size()) {
    place_.resize(std::max<size_t>(context + 1, 2 * place_.size()), kAbsent);
  }
  if (place_[context] != kAbsent) {
    ++hits_;
    return true;
  }
  ++misses_;
  if (weight > units_) return false;
  heaviest_ = std::max(heaviest_, weight);
  while (free_ < weight) Displace();
  free_ -= weight;
  place_[context] = static_cast<uint32_t>(residents_.size());
  residents_.push_back({context, weight});
  return false;
}

void ContextCache::Displace() {
  // The victim is drawn by unit, so a context is evicted in proportion to its units.
  size_t drawn = random_.Below(residents_.size());
  while (random_.Below(heaviest_) >= residents_[drawn].weight) drawn = random_.Below(residents_.size());
  Resident& leaves = residents_[drawn];
  free_ += leaves.weight;
  place_[leaves.context] = kAbsent;
  if (&leaves != &residents_.back()) {
    leaves = residents_.back();
    place_[leaves.context] = static_cast<uint32_t>(&leaves - residents_.data());
  }
  residents_.pop_back();
}

}  // namespace headroom
