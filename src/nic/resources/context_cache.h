// The NIC's cache of connection state, counted in units; each context has its own weight. Victims are drawn
// at random, because no vendor publishes how NICs choose. "Least recently used" loses everything at once when
// connections take turns, whereas measurements show small losses (docs/models/nic-resources.md).
// ContextCacheParameters::Stall is the cost of a miss.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/random.h"
#include "sim/units.h"

namespace headroom {

/// Kinds of connection state in the NIC's memory: half a queue pair each, for UD a whole one.
enum class ContextKind : uint8_t { rc_requester, rc_responder, uc_requester, uc_responder, ud };
inline constexpr int kContextKinds = 5;
/// The name as in scenario files.
const char* ContextKindName(ContextKind kind);

struct ContextCacheParameters {
  uint32_t entries = 0;  ///< capacity in units; 0: everything fits
  Time miss;             ///< time to fetch a context from the host's memory
  std::array<uint32_t, kContextKinds> weight{1, 1, 1, 1, 1};  ///< units per context
  std::array<uint32_t, kContextKinds> overlap{1, 1, 1, 1,
                                              1};  ///< number of simultaneous misses, of which one stalls the
                                                   ///< pipeline the pipeline for miss / overlap
  /// Time that a context miss costs the pipeline.
  Time Stall(ContextKind kind) const {
    return entries == 0 ? Time{} : miss / overlap[static_cast<size_t>(kind)];
  }
  bool operator==(const ContextCacheParameters&) const = default;
};

class ContextCache {
 public:
  /// `name` is the name of the random stream, as "node/purpose".
  ContextCache(uint32_t units, const std::string& name) : random_(name), free_(units), units_(units) {}

  /// A packet needs this context. Returns true if it was in the cache. Otherwise it replaces others: units
  /// are drawn at random until there is room, and each drawn unit evicts its entire context. A context that
  /// weighs more than the cache never stays. REQUIRES: a context always has the same weight, not 0.
  bool Touch(uint32_t context, uint32_t weight);
  uint64_t hits() const { return hits_; }
  uint64_t misses() const { return misses_; }

 private:
  static constexpr uint32_t kAbsent = UINT32_MAX;
  struct Resident {
    uint32_t context, weight;
  };
  void Displace();

  RandomStream random_;
  std::vector<uint32_t> place_;  ///< indexed by context: its index in residents_
  std::vector<Resident> residents_;
  uint32_t free_, units_;
  uint32_t heaviest_ = 0;  ///< largest weight that was ever in the cache
  uint64_t hits_ = 0, misses_ = 0;
};

}  // namespace headroom
