// The latency of an extent node's disk, and named disks with their sources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/random.h"
#include "sim/units.h"

namespace headroom {

/// A distribution of times: constant, or lognormal between its median and 99th percentile. A small share is
/// drawn uniformly from a separate range.
struct TimeLaw {
  Time median;
  Time p99;         ///< 0: always the median
  double tail = 0;  ///< share of times in the tail
  Time tail_from, tail_to;

  TimeLaw() = default;
  TimeLaw(Time always) : median(always) {}  // NOLINT: a time converts to a law
  TimeLaw(Time half, Time most, double rare = 0, Time from = {}, Time to = {})
      : median(half), p99(most), tail(rare), tail_from(from), tail_to(to) {}
  bool varies() const { return p99.v > 0; }
  Time Mean() const;
  /// Uses no random number if the time is constant.
  Time Draw(RandomStream& random) const;
  bool operator==(const TimeLaw&) const = default;
};

/// An I/O waits for its turn (iops), then takes `read` or `write`. In addition its bytes use the bandwidth
/// one after the other. A write's bytes do so once the protected cache is full, which drains at the
/// bandwidth.
struct DiskParameters {
  TimeLaw read, write;
  double iops = 0;                           ///< maximum; 0: no limit
  Rate read_bandwidth{}, write_bandwidth{};  ///< 0: no limit
  Bytes cache{int64_t{4} << 20};             ///< for writes; without write_bandwidth it is never full
  std::string device = "none";               ///< the named device whose other values were used

  /// Average time of a read or write of this size on an idle disk.
  Time Alone(bool reads, Bytes bytes) const;
  bool operator==(const DiskParameters&) const = default;
};

/// REQUIRES: one of DeviceNames().
DiskParameters FindDevice(std::string_view name);
std::vector<std::string> DeviceNames();

}  // namespace headroom
