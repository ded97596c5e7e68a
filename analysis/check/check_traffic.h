// The offered traffic: messages, load on links, bursts, and the cost of simulating them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/message_cost.h"
#include "analysis/check/check_flows.h"
#include "scenario/memory/memory.h"
#include "sim/finding.h"

namespace headroom {

struct WorkloadCheck {
  std::string name, type, traffic_class;
  double messages = 0;     ///< expected number; for a stream: as many as it completes at its fair rate; for a
                           ///< closed loop of operations: as many as memory is estimated for
  MessageCost each;        ///< average cost of a message
  double hops = 0;         ///< average number of hops
  double packet_hops = 0;  ///< packet-hops of data and ACKs of all messages
  /// Average offered payload while it lasts, in bit/s over all senders; none for single messages or closed
  /// loops.
  std::optional<double> offered_bps;
};

/// Links between two tiers, in one direction, under the average of all traffic offered at a rate.
struct LinkLoad {
  std::string from, to;
  Rate rate;
  uint32_t links = 0;
  double mean_bps = 0, most_bps = 0;  ///< bit/s on the wire, ACKs included
  std::string fullest;                ///< "dc0-c0-r0-t0:p4"
  /// The most loaded link that bursts cross, without the bursts; `burst`: the largest burst. Empty if there
  /// is none.
  std::string burst, burst_at;
  double under_burst_bps = 0;

  double Mean() const { return mean_bps / static_cast<double>(rate.v); }
  double Most() const { return most_bps / static_cast<double>(rate.v); }
  double UnderBurst() const { return under_burst_bps / static_cast<double>(rate.v); }
};

/// A burst of an incast at its target.
struct Burst {
  std::string workload;
  size_t fan_in = 0, targets = 0;
  Bytes bytes;  ///< total payload of all senders
  Rate rate;    ///< rate of the target's link
  Time drain;   ///< time of the whole burst on that link, headers included
  Time every;   ///< interval; 0: once
};

struct TrafficCheck {
  std::vector<WorkloadCheck> workloads;
  std::vector<LinkLoad> loads;  ///< empty if no traffic is offered at a rate
  std::vector<Burst> bursts;
  double packet_hops = 0;
  double tcp_packets = 0;  ///< packets of TCP, ACKs among them
  Forecast memory;         ///< memory of a run, in bytes
  std::vector<MemoryPart> memory_parts;
  /// At the usual speed of one core: kUsualSpeed, and kUsualTcpSpeed for packets of TCP.
  double run_seconds = 0;
};

/// Packet-hops per CPU second that a run reaches on a common machine; and packets of ns-3's TCP. They cost
/// most in the hosts. Measured with storage, Redis and bRPC over paths of two and four hops: a packet of TCP
/// costs as much as 106 to 190 packet-hops.
inline constexpr double kUsualSpeed = 5e6, kUsualTcpSpeed = 40e3;

/// `flows`: the streams' rates in the network.
TrafficCheck CheckTraffic(const Fabric& fabric, const FlowsChecks& flows, Findings& findings);

}  // namespace headroom
