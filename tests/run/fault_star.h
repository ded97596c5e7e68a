// A star with two independent flows, for faults in complete runs.
#pragma once

#include <vector>

#include "run/storms.h"

namespace headroom {

inline constexpr NodeId kSwitch = 4;
inline const Time kEvery = Microseconds(100);
inline const Bytes kMessage(250'000);  ///< 20 Gb/s if one message comes every 100 µs

/// h0 sends to h2, h1 to h3; each flow has `count` messages.
inline Scenario Star(int count = 50) {
  Scenario s = StormStar(4, {});
  s.duration = s.deadline = Milliseconds(10);
  s.workloads = {Flow("a", 0, 2, kEvery, count, kMessage), Flow("other", 1, 3, kEvery, count, kMessage)};
  return s;
}

/// The switch's port towards h2 is blocked.
inline PortBlockedFault Blocked(Time start, Time stop) {
  PortBlockedFault blocked;
  blocked.node = kSwitch;
  blocked.port = 2;
  blocked.times.start = start;
  blocked.times.stop = stop;
  return blocked;
}

inline LinkDownFault Down(NodeId a, NodeId b, Time start, Time stop) {
  LinkDownFault down;
  down.a = a;
  down.b = b;
  down.times.start = start;
  down.times.stop = stop;
  return down;
}

inline std::vector<const PauseRecord*> PausesAt(const RunRecord& r, NodeId node, uint16_t port) {
  std::vector<const PauseRecord*> found;
  for (const PauseRecord& p : r.pauses) {
    if (p.node == node && p.port == port && p.direction == PauseRecord::Direction::rx) found.push_back(&p);
  }
  return found;
}

}  // namespace headroom
