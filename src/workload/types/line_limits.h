// The throughput of a workload that lines of hosts, round trips and processors permit, estimated before a
// run.
#pragma once

#include <optional>
#include <vector>

#include "scenario/scenario.h"
#include "workload/arrivals.h"

namespace headroom {

/// The maximum of a random number with this mean: six standard deviations of a Poisson distribution more.
Forecast Drawn(double mean);

/// An upper bound of the switches on the longest path, without faults.
double SwitchesOnPath(const Topology& topology);

/// The longest message from any of `from` to any of `to`.
LoneMessage Alone(const HostView& hosts, Bytes size, Time start, const std::vector<NodeId>& from,
                  const std::vector<NodeId>& to);

/// The bytes that the lines of these hosts carry in this time: one line each, or those that the rule may use.
double LineBytes(const std::vector<NodeId>& hosts, Time span, const Scenario& scenario,
                 const NicRule& nic = {NicRule::Kind::named});

/// The span from the start to the stop, or to the end of the arrivals.
Time SpanOf(Time start, const std::optional<Time>& stop, const Scenario& scenario);

/// The number of messages with this payload that the lines of both sides permit.
double ThroughLines(const std::vector<NodeId>& from, const std::vector<NodeId>& to, double payload, Time span,
                    const Scenario& scenario, const NicRule& nic = {NicRule::Kind::named});

/// Throughput of a closed loop with this many open, limited by round trips: each operation takes this many of
/// them.
double ThroughRoundTrips(double open, double trips, Time span, const Scenario& scenario);

/// The factor by which a host's traffic to itself may exceed its line rate: 1 if no host sends to itself, or
/// if its NIC has no resources.
double Loopback(const std::vector<NodeId>& from, const std::vector<NodeId>& to, const Scenario& scenario);

}  // namespace headroom
