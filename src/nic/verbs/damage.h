// Bytes that a host corrupted while they passed through it. All checks of the network and of the NIC accepted
// them, so only the application's own check can find them.
//
// If memory has content, the byte itself is changed, and this class has no record of it. If data are only
// counted, the record represents the change.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/random.h"

namespace headroom {

class Damage {
 public:
  struct Hit {
    uint64_t at = 0;   ///< index of the damaged byte in the payload
    uint8_t flip = 0;  ///< its flipped bits
  };

  /// While this source is on, one byte of each payload written to memory is changed with this probability.
  /// `stream`: together with the source's number, the name of its random numbers. Returns the source's
  /// number; the source is off.
  size_t AddSource(double probability, const std::string& stream);
  void SetSource(size_t number, bool on);
  /// The damage to a payload of this size. REQUIRES: `length` is at least one.
  std::optional<Hit> Strike(uint64_t length);

  /// Whether nothing is damaged, and nothing will be.
  bool None() const { return on_ == 0 && bytes_.empty(); }
  bool empty() const { return bytes_.empty(); }
  void Note(uint32_t region, uint64_t addr) { bytes_.insert({region, addr}); }
  void Clear(uint32_t region, uint64_t addr, uint64_t length);
  /// Distance from `addr` to the first damaged byte; none if this range has no damage.
  std::optional<uint64_t> First(uint32_t region, uint64_t addr, uint64_t length) const;

 private:
  struct Source {
    double probability = 0;
    bool on = false;
    RandomStream random;
  };
  std::vector<Source> sources_;
  int on_ = 0;
  std::set<std::pair<uint32_t, uint64_t>> bytes_;  ///< keyed by region and address
};

}  // namespace headroom
