// The rate limiter of one queue pair: when its next frame may start.
//
// Granularity `packet` spaces single frames. `burst` sends a burst at line rate and then waits until the
// average is the rate again (Bai et al., NSDI 2023, on the generations' difference). `simulator` is the HPCC
// simulator's limiter: it spaces packets, and no packet makes up for lateness.
#pragma once

#include "dcqcn/parameters.h"
#include "net/oscillator.h"
#include "sim/whole_ns.h"

namespace headroom {

struct LimiterState {
  Time eligible;  ///< no frame starts before this
  Time burst_start;
  int64_t burst_bytes = 0;  ///< bytes sent in the current burst
};

/// The queue pair has data again. A burst ends if its rate has paid for it in the meantime.
inline void OnResumed(LimiterState& s, Time now, Rate rate) {
  if (s.burst_bytes == 0) return;
  if (s.burst_start + SerializationTime(Bytes(s.burst_bytes), rate) <= now) s.burst_bytes = 0;
}

/// A frame of `wire_bytes` starts now at the queue pair's rate. A new rate takes effect with the next frame,
/// or burst. `skew`: of the NIC's clock, which the limiter counts on: else it would delay a fast port that
/// sends at line rate.
inline void OnFrameStarted(const LimiterParameters& p, LimiterState& s, Time now, int64_t wire_bytes,
                           Rate rate, Skew skew = {}) {
  if (p.granularity == LimiterParameters::Granularity::packet) {
    const Time interval = skew.Stretch(SerializationTime(Bytes(wire_bytes), rate));
    // If a frame had to wait for the port, its successor is not delayed, for at most one interval.
    const Time base = s.eligible > now - interval ? s.eligible : now - interval;
    s.eligible = base + interval;
    return;
  }
  if (p.granularity == LimiterParameters::Granularity::simulator) {
    s.eligible = now + WholeNanoseconds(Bytes(wire_bytes), rate);
    return;
  }
  if (s.burst_bytes == 0) s.burst_start = now;
  s.burst_bytes += wire_bytes;
  if (s.burst_bytes < p.burst.v) return;
  s.eligible = s.burst_start + skew.Stretch(SerializationTime(Bytes(s.burst_bytes), rate));
  s.burst_bytes = 0;
}

}  // namespace headroom
