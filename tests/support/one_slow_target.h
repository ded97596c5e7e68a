// A sender whose limiter delays one of its queue pairs, and with congestion_leaking also the others.
#pragma once

#include "support/scenarios.h"

namespace headroom {

/// A star in which host 0 sends in bursts of 16 KiB. Its traffic to host 1 is marked once and leaves at 10
/// Gb/s from then on.
inline Scenario OneSlowTarget(int hosts, const LinkSpec& link, bool leaks) {
  Scenario s = StarScenario(hosts, link);
  s.faults = {MarkFault{static_cast<NodeId>(hosts), 1, {0}, 0}};
  NicParameters& nic = s.nics[0];
  nic.congestion_leaking = leaks;
  nic.dcqcn.limiter.granularity = LimiterParameters::Granularity::burst;
  nic.dcqcn.rp = FindGeneration("connectx-default")->dcqcn.rp;
  nic.dcqcn.rp.rate_on_first_cnp = GigabitsPerSecond(10);
  nic.dcqcn.rp.increase_timer = Seconds(1);
  nic.dcqcn.rp.byte_counter = Bytes(0);
  return s;
}

}  // namespace headroom
