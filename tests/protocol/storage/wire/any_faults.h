// Faults of hosts on a switch during a random schedule, in addition to losses.
#pragma once

#include <random>

#include "support/scenarios.h"

namespace headroom {

/// Pause storms at hosts and at the switch's ports, and hosts that change bytes behind all checks; all faults
/// end by `end`.
inline void AddAnyFaults(Scenario& s, std::mt19937& random, Time end) {
  const auto draw = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const NodeId hosts = s.topology.hosts;
  const auto times = [&] {
    FaultTimes t;
    t.start = end * int64_t{draw(100)} / 100;
    t.stop = t.start + (end - t.start) * int64_t{1 + draw(99)} / 100;
    return t;
  };
  for (uint32_t storms = draw(3); storms > 0; --storms) {
    PauseStormFault f;
    const NodeId host = draw(hosts);
    f.node = draw(2) == 0 ? host : hosts;
    f.port = f.node == hosts ? host : 0;
    f.storm.priorities = 1u << 3;
    f.times = times();
    s.faults.emplace_back(f);
  }
  constexpr double kProbabilities[] = {0.001, 0.01, 0.1};
  for (uint32_t broken = draw(3); broken > 0; --broken)
    s.faults.emplace_back(CorruptFault{draw(hosts), kProbabilities[draw(3)], times()});
}

}  // namespace headroom
