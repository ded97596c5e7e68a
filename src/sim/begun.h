// What begins in a run, as a number and a place in the order of a run in one part.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "sim/parts.h"

namespace headroom {

/// The place is the same for any cut of the network; it is set only if the network is cut. Of several with
/// one place, the numbers rise.
struct Begun {
  uint32_t number = 0;
  Parts::Place place{};
};

/// Numbers what begins on this rank: rank r of n has the numbers r, r + n, …
class BegunCount {
 public:
  /// One more begins, in the current event.
  Begun Next() {
    const Parts& parts = Parts::Get();
    const uint64_t number =
        count_++ * static_cast<uint64_t>(parts.ranks()) + static_cast<uint64_t>(parts.rank());
    if (number >= kMost) throw std::length_error("a run has at most 2^31 messages or pauses");
    return {static_cast<uint32_t>(number), parts.Several() ? parts.Now() : Parts::Place{}};
  }
  uint64_t count() const { return count_; }

 private:
  static constexpr uint64_t kMost = uint64_t{1} << 31;
  uint64_t count_ = 0;
};

}  // namespace headroom
