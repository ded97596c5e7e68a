// Conditions on the record of any run.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "run/recording/records.h"
#include "scenario/paths/flow_paths.h"
#include "scenario/scenario.h"
#include "support/operation_parts.h"

namespace headroom {

/// Sent bytes are delivered, dropped or under way, and the bytes of every pool add up likewise.
inline void ExpectConservation(const Scenario& s, const RunRecord& r) {
  const Conservation& c = r.conservation;
  EXPECT_TRUE(c.Ok()) << c.sent << " sent, " << c.delivered << " delivered, " << c.dropped << " dropped, "
                      << c.in_flight << " in flight, pools " << c.pools_ok;
  // A service may send when its last operation ends: a credit, for example.
  if (r.status == RunStatus::complete && s.services.size() == 0) {
    EXPECT_EQ(c.in_flight, 0u);
  }
}

/// The parts of each message's and operation's time sum to it, to the picosecond. Only posting loops have
/// `other`, and waits for overtaken packets.
inline void ExpectParts(const Scenario& s, const RunRecord& r) {
  for (const MessageRecord& m : r.messages) {
    if (!m.Finished()) continue;
    // Posting loops on connections without ACKs complete when they send; a NIC with resources sends its ACK
    // before the data are in memory.
    const bool posted = s.workloads[m.workload].arrivals->OnVerbs();
    EXPECT_TRUE(posted || !s.nics[m.dst].resources.Ideal() || m.delivered <= m.completed)
        << m.delivered.v << " " << m.completed.v;
    if (!s.observe.parts) continue;
    const MessageParts& parts = r.PartsOf(m);
    EXPECT_EQ(parts.Sum(), m.completed - m.start);
    EXPECT_TRUE(posted || MayOvertake(s) || parts[MessagePart::other] == Time{})
        << parts[MessagePart::other].v;
    for (const Time part : parts.of) EXPECT_GE(part, Time{});
  }
  for (const OperationRecord& o : r.operations) {
    if (!o.Finished() || !s.observe.parts) continue;
    EXPECT_EQ(Sum(o), o.completed - o.start);
    for (const Time part : o.parts) EXPECT_GE(part, Time{});
  }
}

/// A core works at most for the time between the warm-up and the end.
inline void ExpectCores(const Scenario& s, const RunRecord& r) {
  for (const CoreRecord& core : r.cores) {
    EXPECT_LE(core.span, std::max(r.end - s.warmup, Time{}));
    EXPECT_LE(core.busy(), core.span) << s.topology.nodes[core.host].name << ' ' << core.core;
    for (const Time busy : core.busy_for) EXPECT_GE(busy, Time{});
  }
}

/// On one queue pair messages complete in the order in which they were posted.
inline void ExpectOrder(const Scenario& s, const RunRecord& r) {
  std::map<std::tuple<uint32_t, NodeId, NodeId, uint16_t>, Time> last;
  for (const MessageRecord& m : r.messages) {
    const WorkloadParameters& w = s.workloads[m.workload];
    if (w.qp_per_message || w.arrivals->OnVerbs()) continue;
    Time& before = last[{m.workload, m.src, m.dst, m.source_port}];
    EXPECT_LE(before, m.completed);
    before = m.completed;
  }
}

inline void ExpectAccounts(const Scenario& s, const RunRecord& r) {
  ExpectConservation(s, r);
  ExpectParts(s, r);
  ExpectCores(s, r);
  ExpectOrder(s, r);
  for (const PortRecord& p : r.ports)
    for (size_t q = 0; q < kPriorities; ++q) EXPECT_LE(p.priority[q].paused_rx, r.end);
}

}  // namespace headroom
