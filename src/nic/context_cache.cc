#include "nic/context_cache.h"

#include <algorithm>

namespace headroom {

bool ContextCache::Touch(uint32_t context, uint32_t weight) {
  if (context >= entries_.size()) entries_.resize(std::max<size_t>(context + 1, 2 * entries_.size()));
  if (entries_[context].weight != 0) {
    ++hits_;
    if (context == newest_) return true;
    Unlink(context);
    LinkNewest(context);
    return true;
  }
  ++misses_;
  if (weight > units_) return false;
  while (free_ < weight) {
    Entry& oldest = entries_[oldest_];
    free_ += oldest.weight;
    oldest.weight = 0;
    Unlink(oldest_);
  }
  free_ -= weight;
  entries_[context].weight = weight;
  LinkNewest(context);
  return false;
}

void ContextCache::Unlink(uint32_t context) {
  const Entry e = entries_[context];
  (e.older == kNone ? oldest_ : entries_[e.older].newer) = e.newer;
  (e.newer == kNone ? newest_ : entries_[e.newer].older) = e.older;
}

void ContextCache::LinkNewest(uint32_t context) {
  entries_[context].older = newest_;
  entries_[context].newer = kNone;
  (newest_ == kNone ? oldest_ : entries_[newest_].newer) = context;
  newest_ = context;
}

}  // namespace headroom
