#include "run/run_perf.h"

#include <fmt/format.h>
#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <memory>

#include "protocol/perftest/perf_bandwidth.h"
#include "protocol/perftest/perf_latency.h"
#include "run/network.h"
#include "sim/simulator.h"

namespace headroom {

PerfTimes RunPerf(const Scenario& scenario, const PerfTest& test) {
  constexpr Time kMost = Seconds(1000);  // if messages are lost for ever, only watchdogs and faults continue
  StartSimulator(scenario.seed);
  Network network(scenario);
  PerfTimes times;
  const auto run = [&](auto loop) {
    loop->Start();
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(kMost.v)));
    ns3::Simulator::Run();
  };
  if (test.latency) {
    run(std::make_unique<LatencyLoop>(network.nic(test.from), network.nic(test.to), test, times));
  } else {
    run(std::make_unique<BandwidthLoop>(network.nic(test.from), network.nic(test.to), test, times));
  }
  const bool done = test.latency ? times.posted.size() == static_cast<size_t>(test.iterations)
                                 : times.completed.back() != kNever;
  if (!done && times.failure.empty()) {
    times.failure = fmt::format("message {} was lost, or got no answer", times.posted.size());
  }
  return times;
}

}  // namespace headroom
