// What a disk of an extent node takes, and named disks with their sources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/random.h"
#include "sim/units.h"

namespace headroom {

/// How long something takes: always the same, or lognormal between its median and 99th percentile, of which a
/// rare share is drawn evenly from a range of its own.
struct TimeLaw {
  Time median;
  Time p99;         ///< 0: always the median
  double tail = 0;  ///< share
  Time tail_from, tail_to;

  TimeLaw() = default;
  TimeLaw(Time always) : median(always) {}  // NOLINT: a time is a law
  TimeLaw(Time half, Time most, double rare = 0, Time from = {}, Time to = {})
      : median(half), p99(most), tail(rare), tail_from(from), tail_to(to) {}
  bool varies() const { return p99.v > 0; }
  Time Mean() const;
  /// Draws nothing if it does not vary.
  Time Draw(RandomStream& random) const;
  bool operator==(const TimeLaw&) const = default;
};

/// An I/O waits for its turn (iops), then takes `read` or `write`. In addition its bytes take the bandwidth
/// one after the other; a write's do so once the protected cache is full, which drains at the bandwidth.
struct DiskParameters {
  TimeLaw read, write;
  double iops = 0;                           ///< at most; 0: no limit
  Rate read_bandwidth{}, write_bandwidth{};  ///< 0: no limit
  Bytes cache{int64_t{4} << 20};             ///< of writes; without write_bandwidth it is never full
  std::string device = "none";               ///< the named one that the rest was taken from

  /// Average time of a read or write of this size on an idle disk.
  Time Alone(bool reads, Bytes bytes) const;
  bool operator==(const DiskParameters&) const = default;
};

/// REQUIRES: one of DeviceNames().
DiskParameters FindDevice(std::string_view name);
std::vector<std::string> DeviceNames();

}  // namespace headroom
