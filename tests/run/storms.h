// Networks under storms of pauses, and values to read from their records.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "run/run.h"
#include "support/in_child.h"
#include "support/scenarios.h"
#include "workload/types/list.h"

namespace headroom {

inline constexpr LinkSpec kStormLink{GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0};

/// Detection and restoration take 2 ms, with a poll every ms: the shortest times that SONiC allows are a
/// hundred times as long.
inline WatchdogParameters Watchdog(WatchdogAction action = WatchdogAction::drop,
                                   WatchdogVendor vendor = WatchdogVendor::broadcom) {
  WatchdogParameters w;
  w.detection = Milliseconds(2);
  w.restoration = Milliseconds(2);
  w.poll = Milliseconds(1);
  w.action = action;
  w.vendor = vendor;
  w.limits = false;
  return w;
}

/// A star without congestion control. Host h has port h of switch `hosts`.
inline Scenario StormStar(int hosts, const std::vector<WatchdogParameters>& watchdogs,
                          const LinkSpec& link = kStormLink) {
  Scenario s = StarScenario(hosts, link);
  s.switches[0].pfc.watchdogs = watchdogs;
  for (NicParameters& nic : s.nics) {
    nic.congestion_control = NicParameters::CongestionControl::none;
    nic.transport.rto = Seconds(1);
  }
  s.duration = s.deadline = Milliseconds(20);
  return s;
}

/// Host `node` pauses its switch in priority 3.
inline PauseStormFault StormFrom(NodeId node, Time start, Time stop) {
  PauseStormFault f;
  f.node = node;
  f.storm.priorities = 1u << 3;
  f.times.start = start;
  f.times.stop = stop;
  return f;
}

/// Messages of `size`, one after the other, for the entire run: at a rate that no pause, loss or ACK changes,
/// like a traffic generator's. A queue pair sends its posted messages at line rate.
inline WorkloadParameters Flow(const std::string& name, NodeId from, NodeId to, Time every, int count,
                               Bytes size, uint8_t priority = 3) {
  ListArrivals a;
  for (int i = 0; i < count; ++i) a.messages.push_back({every * i, from, to, size, {}});
  WorkloadParameters w = WorkloadOf(name, a, priority);
  w.qp_per_message = true;
  return w;
}

inline std::vector<EventRecord> EventsOf(const RunRecord& r, const std::string& kind) {
  std::vector<EventRecord> found;
  for (const EventRecord& e : r.events_log) {
    if (e.kind == kind) found.push_back(e);
  }
  return found;
}

inline const PortPriorityCounters& At(const RunRecord& r, NodeId node, uint16_t port, int priority = 3) {
  const auto found = std::find_if(r.ports.begin(), r.ports.end(),
                                  [&](const PortRecord& p) { return p.node == node && p.port == port; });
  return found->priority[priority];
}

inline uint64_t Drops(const PortPriorityCounters& c, DropReason reason) {
  return c.drops[static_cast<int>(reason)];
}

/// All drops of the run, for any reason.
inline uint64_t AllDrops(const RunRecord& r) {
  uint64_t sum = 0;
  for (const PortRecord& port : r.ports) {
    for (const PortPriorityCounters& c : port.priority) {
      for (const uint64_t d : c.drops) sum += d;
    }
  }
  return sum;
}

/// The number of messages of a workload, and how many of them have finished.
inline std::pair<int, int> Finished(const RunRecord& r, uint32_t workload) {
  std::pair<int, int> count;
  for (const MessageRecord& m : r.messages) {
    if (m.workload != workload) continue;
    ++count.first;
    count.second += m.Finished();
  }
  return count;
}

inline const WatchdogRecord& WatchdogAt(const RunRecord& r, NodeId node, uint16_t port) {
  return *std::find_if(r.watchdogs.begin(), r.watchdogs.end(),
                       [&](const WatchdogRecord& w) { return w.node == node && w.port == port; });
}

inline RunRecord Checked(const Scenario& s) {
  RunOptions options;
  options.check = true;
  RunRecord r = Run(s, options);
  EXPECT_TRUE(r.conservation.Ok());
  return r;
}

}  // namespace headroom
