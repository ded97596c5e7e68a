// A small network with everything: two leaves of four hosts, lossless and lossy traffic, an incast that
// causes pauses, marks, losses on two links.
#pragma once

#include "support/scenarios.h"
#include "workload/types/incast.h"
#include "workload/types/poisson.h"

namespace headroom {

/// 1 MB: 600 kB shared, 300 kB of headroom, 30 kB for each group.
inline BufferParameters BusyBuffer() {
  BufferParameters b = *FindBufferProfile("azure-24mb");
  b.size = Bytes(1'000'000);
  b.pools[0].size = Bytes(600'000);
  b.pools[0].xoff = Bytes(300'000);
  b.pools[1].size = Bytes(400'000);
  b.profiles[0].xoff = Bytes(30'000);
  b.headroom.clear();
  return b;
}

inline Scenario Busy(uint64_t seed = 1) {
  const LinkSpec host{GigabitsPerSecond(100), Nanoseconds(15), Nanoseconds(30), 0.0};
  const LinkSpec fabric{GigabitsPerSecond(100), Nanoseconds(200), Time{}, 0.0};
  Scenario s = ScenarioOf(BuildLeafSpine(2, 2, 4, host, fabric));
  s.seed = seed;
  s.duration = Microseconds(300);
  for (SwitchParameters& sw : s.switches) {
    sw.buffer = BusyBuffer();
    sw.ecn[3] = Ecn(20'000, 80'000, 0.05);
    sw.ecn[0] = Ecn(20'000, 80'000, 0.05);
    sw.pfc.response = Nanoseconds(100);
  }
  for (NicParameters& nic : s.nics) {
    nic.tx_latency = Nanoseconds(200);
    nic.rx_latency = Nanoseconds(300);
    nic.transport.rto = Microseconds(500);
  }
  s.nics[1].dcqcn = FindGeneration("gen2")->dcqcn;
  s.nics[2].dcqcn = FindGeneration("gen1")->dcqcn;
  PoissonArrivals poisson;
  poisson.size = Bytes(30'000);
  poisson.load = 0.3;
  poisson.from = poisson.to = Hosts(0, 8);
  IncastArrivals incast;
  incast.size = Bytes(200'000);
  incast.from = Hosts(0, 8);
  incast.to = {7};
  incast.at = Microseconds(50);
  incast.every = Microseconds(100);
  incast.count = 2;
  s.workloads = {WorkloadOf("background", poisson), WorkloadOf("burst", incast),
                 WorkloadOf("other", poisson, 0)};
  s.workloads[2].qp_per_message = true;
  s.faults = {LossFault{0, 8, 0.001}, LossFault{8, 10, 0.001}};
  return s;
}

}  // namespace headroom
