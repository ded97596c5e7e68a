// What lines of hosts, round trips and processors let through of a workload, estimated before a run.
#pragma once

#include <optional>
#include <vector>

#include "scenario/scenario.h"
#include "workload/arrivals.h"

namespace headroom {

/// A number that is drawn with this mean, at most: six standard deviations of Poisson's more.
Forecast Drawn(double mean);

/// Switches on the longest path, at most, without faults.
double SwitchesOnPath(const Topology& topology);

/// A message from any of `from` to any of `to`.
LoneMessage Alone(const HostView& hosts, Bytes size, Time start, const std::vector<NodeId>& from,
                  const std::vector<NodeId>& to);

/// Bytes that the lines of these hosts carry in so much time.
double LineBytes(const std::vector<NodeId>& hosts, Time span, const Scenario& scenario);

/// From the start to the stop, or to the end of the arrivals.
Time SpanOf(Time start, const std::optional<Time>& stop, const Scenario& scenario);

/// Messages with so much payload that the lines of both sides let through.
double ThroughLines(const std::vector<NodeId>& from, const std::vector<NodeId>& to, double payload, Time span,
                    const Scenario& scenario);

/// Throughput of a closed loop with this many open, as limited by round trips: each takes this many of them.
double ThroughRoundTrips(double open, double trips, Time span, const Scenario& scenario);

/// How much more than its line a host may send to itself: 1 where nobody does, or its NIC has no resources.
double Loopback(const std::vector<NodeId>& from, const std::vector<NodeId>& to, const Scenario& scenario);

}  // namespace headroom
