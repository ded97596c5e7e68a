// Bytes that a host corrupted on their way through it. Every check of the network and of the NIC passed them,
// so only the application's own check can find them.
//
// If memory has content, the byte itself is changed, and this has no record of it. Where data are counted it
// stands for the change.
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
    uint64_t at = 0;   ///< byte of the payload
    uint8_t flip = 0;  ///< bits of it
  };

  /// From when this source is on, one byte of a payload that comes to lie in memory is changed, with this
  /// probability. `stream`: with the source's number, of its random numbers. Returns the number; it is off.
  size_t AddSource(double probability, const std::string& stream);
  void SetSource(size_t number, bool on);
  /// The damage to a payload of this size. REQUIRES: at least one.
  std::optional<Hit> Strike(uint64_t length);

  /// Nothing is broken, and nothing will be.
  bool None() const { return on_ == 0 && bytes_.empty(); }
  bool empty() const { return bytes_.empty(); }
  void Note(uint32_t region, uint64_t addr) { bytes_.insert({region, addr}); }
  void Clear(uint32_t region, uint64_t addr, uint64_t length);
  /// How far behind `addr` the first is; none: there is none in this range.
  std::optional<uint64_t> First(uint32_t region, uint64_t addr, uint64_t length) const;

 private:
  struct Source {
    double probability = 0;
    bool on = false;
    RandomStream random;
  };
  std::vector<Source> sources_;
  int on_ = 0;
  std::set<std::pair<uint32_t, uint64_t>> bytes_;  ///< by region and address
};

}  // namespace headroom
