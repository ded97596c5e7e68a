// The clock of a node's ports. Two devices never share a clock: equal senders that stay in step for a whole
// run would make ties that no network has. One of them could then win each place in a full queue.
//
// Frequency: a node's oscillator deviates by up to `ppm`, drawn once. All times that frames take on the
// node's wires deviate by it. IEEE 802.3 allows ± 100 ppm; Intel recommends ± 30 ppm to those who design with
// its controllers (82575 Ethernet Controller Design Guide, 5.11.1).
//
// Jitter: within a run of frames without a gap, the wire lags behind the oscillator. The lag is uniform up to
// `jitter`, and below the frame's own time. It is drawn again for one frame in 21, and for the next frame
// after one was lost in a full buffer, where the exact times decide which senders lose. So the mean rate
// stays the oscillator's, and no frame of a run is ahead of it. The first frame after a gap has no lag. This
// is calibrated, not measured: lags up to a frame's time split the loss of equal senders at a full queue
// evenly, as real senders split it (within 0.5 %), whatever their phases.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "sim/units.h"

namespace headroom {

struct OscillatorParameters {
  static constexpr double kMostPpm = 400;
  static constexpr Time kMostJitter = Microseconds(4);

  double ppm = 30;       ///< largest deviation, in either direction
  Time jitter = kNever;  ///< largest lag; kNever: only the frame's time bounds it
  bool operator==(const OscillatorParameters&) const = default;

  static constexpr OscillatorParameters Exact() { return {0, {}}; }
};

/// Relative excess of times on a node's clock over nominal times. Zero: the clock is exact.
class Skew {
 public:
  constexpr Skew() = default;
  /// Draws from the run's seed. `name`: the node's.
  Skew(const OscillatorParameters& parameters, const std::string& name);
  constexpr explicit Skew(int16_t v) : v_(v) {}

  [[gnu::always_inline]] constexpr Time Stretch(Time nominal) const {
    return nominal + Time((nominal.v * v_) >> kBits);
  }
  constexpr int16_t v() const { return v_; }

 private:
  static constexpr int kBits = 26;  ///< steps of 0.015 ppm, and room for kMostPpm
  int16_t v_ = 0;
};

/// Lags of a port, from few instructions.
class Jitter {
 public:
  static constexpr int64_t kUnit = 64;  ///< a lag is a multiple of this many picoseconds
  static constexpr int64_t kMostLag = kUnit * UINT16_MAX;

  /// Whether the lag is drawn again at this instant, at the port with this salt: one frame in 21.
  [[gnu::always_inline]] static constexpr bool Redraws(Time now, uint64_t salt) {
    return Mixed(now, salt) >> 58 < 3;
  }
  /// The new lag in units. `lag`: the present one. Frames keep a quarter of their time on the wire.
  static constexpr uint16_t Drawn(Time now, uint64_t salt, Time serialization, Time jitter, uint16_t lag) {
    uint64_t h = Mixed(now, salt);
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;  // splitmix64
    const int64_t most = std::min({jitter.v, serialization.v, kMostLag}) / kUnit;
    const auto drawn = static_cast<int64_t>((h >> 32) * static_cast<uint64_t>(most) >> 32);
    const int64_t least = lag - serialization.v * 3 / 4 / kUnit;
    return static_cast<uint16_t>(std::max(drawn, least));
  }
  /// No frame of this time takes less, on any clock.
  static constexpr Time Least(Time serialization) { return Time(serialization.v / 5); }

 private:
  [[gnu::always_inline]] static constexpr uint64_t Mixed(Time now, uint64_t salt) {
    return (static_cast<uint64_t>(now.v) + salt) * 0x9e3779b97f4a7c15u;
  }
};

}  // namespace headroom
