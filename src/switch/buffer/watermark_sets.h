// One register for the maximum, with three readers who clear it at different times.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom {

/// The readers: SONiC's user and persistent watermarks; `run` is the simulation's own.
enum class Watermark : uint8_t { run, user, persistent };

/// Values for the readers that the registers no longer hold. The owner of a value updates its register.
/// Clearing saves the value here for the two other readers, and the caller restarts the register.
class WatermarkSets {
 public:
  /// The maximum since `set` was last cleared, for register i, which now holds `live`.
  int64_t Read(Watermark set, size_t i, int64_t live) const {
    const std::vector<int64_t>& saved = saved_[static_cast<size_t>(set)];
    return saved.empty() ? live : std::max(saved[i], live);
  }
  /// `live`: all registers, before they restart.
  void Clear(Watermark set, const std::vector<int64_t>& live) {
    for (size_t s = 0; s < saved_.size(); ++s) {
      saved_[s].resize(live.size());
      for (size_t i = 0; i < live.size(); ++i) {
        saved_[s][i] = s == static_cast<size_t>(set) ? 0 : std::max(saved_[s][i], live[i]);
      }
    }
  }

 private:
  std::array<std::vector<int64_t>, 3> saved_;  ///< indexed by set; empty: no set was cleared yet
};

}  // namespace headroom
