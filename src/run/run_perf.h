// A run of perftest's loops instead of a scenario's workloads.
#pragma once

#include "protocol/perftest/perf.h"
#include "scenario/scenario.h"

namespace headroom {

/// Runs the test on the scenario's network without the scenario's workloads. May be called once per process.
/// REQUIRES: from != to; the connection has the verb; a message of UD is at most one mtu; iterations > 0, for
/// a latency test > 1.
PerfTimes RunPerf(const Scenario& scenario, const PerfTest& test);

}  // namespace headroom
