// The NIC's cache of connection state: least recently used, in units, each context with its own weight.
#pragma once

#include <cstdint>
#include <vector>

namespace headroom {

class ContextCache {
 public:
  explicit ContextCache(uint32_t units) : free_(units), units_(units) {}

  /// A packet needs this context. True: it was there. Otherwise it takes the place of those that were not
  /// used for longest; one that weighs more than the whole cache never stays. REQUIRES: a context always has
  /// the same weight.
  bool Touch(uint32_t context, uint32_t weight);
  uint64_t hits() const { return hits_; }
  uint64_t misses() const { return misses_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Entry {
    uint32_t older = kNone, newer = kNone;
    uint32_t weight = 0;  ///< 0: not in the cache
  };
  void Unlink(uint32_t context);
  void LinkNewest(uint32_t context);

  std::vector<Entry> entries_;  ///< by context
  uint32_t oldest_ = kNone, newest_ = kNone;
  uint32_t free_, units_;
  uint64_t hits_ = 0, misses_ = 0;
};

}  // namespace headroom
