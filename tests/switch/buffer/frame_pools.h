// A link and pools for tests of a switch that count in whole frames.
#pragma once

#include "net/topology/topology.h"
#include "switch/buffer/buffer_parameters.h"

namespace headroom {

/// 100 Gb/s and 10 ns: a frame of 1230 B takes 100 ns on the wire, a PFC frame 6.72 ns.
inline constexpr LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};
inline constexpr uint32_t kFrame = 1230;

/// Pools that never fill up, and "gl" for groups that pause at 20 frames and resume at 10, with headroom
/// for 4.
inline BufferParameters FramePools() {
  using Pool = BufferPool;
  BufferParameters b;
  b.size = Bytes(1'000'000);
  b.pools = {Pool{"in", Pool::Type::ingress, Pool::Mode::fixed, Bytes(800'000), Bytes(100'000)},
             Pool{"out", Pool::Type::egress, Pool::Mode::fixed, Bytes(900'000), Bytes()}};
  b.profiles = {
      {"gl", "in", Bytes(), {}, Bytes(20 * kFrame), Bytes(4 * kFrame), Bytes(kFrame), Bytes(10 * kFrame)}};
  return b;
}

}  // namespace headroom
