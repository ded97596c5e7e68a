// One register of the highest value, three readers who clear it at times of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom {

/// The readers: SONiC's user and persistent watermarks; `run` is the simulation's own.
enum class Watermark : uint8_t { run, user, persistent };

/// What the readers have that the registers no longer hold. The owner of a value updates its register. A
/// clearing saves it here for the two others, and the caller restarts it.
class WatermarkSets {
 public:
  /// The highest value since `set` was last cleared, of register i that now holds `live`.
  int64_t Read(Watermark set, size_t i, int64_t live) const {
    const std::vector<int64_t>& saved = saved_[static_cast<size_t>(set)];
    return saved.empty() ? live : std::max(saved[i], live);
  }
  /// `live`: all registers, before they start again.
  void Clear(Watermark set, const std::vector<int64_t>& live) {
    for (size_t s = 0; s < saved_.size(); ++s) {
      saved_[s].resize(live.size());
      for (size_t i = 0; i < live.size(); ++i) {
        saved_[s][i] = s == static_cast<size_t>(set) ? 0 : std::max(saved_[s][i], live[i]);
      }
    }
  }

 private:
  std::array<std::vector<int64_t>, 3> saved_;  ///< by set; empty: nothing was cleared yet
};

}  // namespace headroom
