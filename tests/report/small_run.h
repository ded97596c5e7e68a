// A run that is small enough to add up by hand. Hosts a and b are on switch t0, with one workload and
// lossless priority 3.
#pragma once

#include "run/recording/records.h"
#include "scenario/scenario.h"
#include "workload/types/list.h"

namespace headroom {

/// The network and classes of SmallScenario, in a scenario's text.
inline const char* const kSmallNetworkYaml = R"(topology:
  type: custom
  hosts: [a, b]
  switches: [t0]
  links:
    - {ends: [a, "t0:Ethernet4"], rate: 100Gbps, length: 3m}
    - {ends: [b, t0], rate: 100Gbps, length: 3m}
priorities:
  storage: {priority: 3, dscp: 3, lossless: true, weight: 1}
  cnp: {priority: 6, dscp: 48, lossless: false, strict: true}
)";

inline Scenario SmallScenario() {
  Scenario s;
  s.name = "small";
  s.seed = 7;
  s.duration = Milliseconds(1);
  s.deadline = Milliseconds(10);
  s.topology.nodes = {
      {"a", "host", true, {0, 0, 0}}, {"b", "host", true, {0, 0, 1}}, {"t0", "t0", false, {0, 0, 0}}};
  s.topology.hosts = 2;
  const LinkSpec link{GigabitsPerSecond(100), Nanoseconds(15), Time(0), 0.0};
  s.topology.links = {{{0, "p0", 0}, {2, "Ethernet4", 0}, link}, {{1, "p0", 0}, {2, "p1", 1}, link}};
  s.classes[3] = {"storage", 3, 3, true, 1, false};
  s.classes[6] = {"cnp", 6, 48, false, 1, true};
  s.switches.resize(1);
  s.nics.resize(2);
  WorkloadParameters w;
  w.name = "pair";
  w.type = "list";
  w.priority = 3;
  w.arrivals = ListArrivals{};
  s.workloads = {w};
  return s;
}

inline MessageRecord SmallMessage(NodeId src, NodeId dst, uint32_t number, Time start, Time completed) {
  MessageRecord m;
  m.src = src;
  m.dst = dst;
  m.number = number;
  m.priority = 3;
  m.size = Bytes(1000);
  m.start = start;
  m.completed = completed;
  m.delivered = completed == kNever ? kNever : completed - Nanoseconds(100);
  m.ideal = Microseconds(1);
  return m;
}

/// The causes of its pause: t0's queue towards b, and a little of its queue towards a.
inline std::vector<PauseCause> SmallCauses() {
  return {{1, {PauseRoot::Kind::queue, 2, 1, 3, 1}, 0.75},
          {1, {PauseRoot::Kind::receiver, 0, 0, 3, 1}, 0.2},
          {1, {PauseRoot::Kind::queue, 2, 0, 3, 0}, 0.0499996},
          {1, {PauseRoot::Kind::rest, 0, 0, 0, 0}, 0.0000004}};
}

/// There are three messages (the last is unfinished at the end, 100 µs), one pause of 3 µs by t0 towards a,
/// and one lossy drop.
inline RunRecord SmallRecord() {
  RunRecord r;
  r.status = RunStatus::deadline;
  r.end = Microseconds(100);
  r.events = 50;
  r.packet_hops = 20;
  r.data_packet_hops = 10;
  r.messages = {SmallMessage(0, 1, 1, Microseconds(20), kNever),
                SmallMessage(1, 0, 0, Microseconds(10), Microseconds(14)),
                SmallMessage(0, 1, 0, Microseconds(10), Microseconds(12))};
  PauseRecord at_switch{Microseconds(11), Microseconds(14), 2, 0, 3, PauseRecord::Direction::tx, 1,
                        Bytes(4160)};
  PauseRecord at_host{Microseconds(11) + Nanoseconds(20), kNever, 0,       0, 3,
                      PauseRecord::Direction::rx,         1,      Bytes(0)};
  r.pauses = {at_host, at_switch};
  r.events_log = {{Microseconds(11), "first_mark", 2, 1, 3, "queue at 5, above \"kmin\""},
                  {Microseconds(10), "fault_start", 2, EventRecord::kNone, EventRecord::kNone, ""}};
  r.ports.resize(4);
  for (uint16_t i = 0; i < 4; ++i) {
    r.ports[i].node = i < 2 ? i : 2;
    r.ports[i].port = i == 3 ? 1 : 0;
    r.ports[i].rate = GigabitsPerSecond(100);
  }
  PortPriorityCounters& c = r.ports[2].priority[3];  // t0 towards a
  c.tx_bytes = 2000;
  c.tx_packets = 2;
  c.tx_wire_bytes = 125'000;  // 10 µs at 100 Gb/s
  c.pauses_tx = 1;
  c.pause_frames_tx = 2;
  c.resume_frames_tx = 1;
  c.pfc_frames_rx = 5;
  c.paused_tx = Microseconds(3);
  c.peak_group = Bytes(4160);
  c.headroom_configured = Bytes(9000);
  c.peak_group_shared = Bytes(2912);
  r.ports[3].priority[6].drops[static_cast<int>(DropReason::egress_limit)] = 1;
  r.switches = {{2,
                 Bytes(5000),
                 Bytes(600),
                 Bytes(9000),
                 Bytes(4500),
                 1.0,
                 {{"in", Bytes(4000), Bytes(500), {}}, {"both", Bytes(1), Bytes(2), Bytes(3)}}}};
  r.data_packets_delivered = 8;
  r.marked_packets = 2;
  r.cnp_sent = 2;
  r.cnp_handled = 1;
  r.cnp_ignored = 1;
  r.conservation = {1000, 800, 150, 50, true};
  return r;
}

}  // namespace headroom
