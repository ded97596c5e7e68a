// Relations between a record's numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "run/busy.h"
#include "run/run.h"
#include "support/in_child.h"

namespace headroom::accounts_test {
namespace {

uint64_t Drops(const RunRecord& r, int priority, DropReason reason) {
  uint64_t sum = 0;
  for (const PortRecord& p : r.ports) sum += p.priority[priority].drops[static_cast<int>(reason)];
  return sum;
}

TEST(Accounts, BytesSentAreDeliveredOrDroppedOrUnderWay) {
  // The run goes to its end, or is cut off in the middle, and every change of a buffer is checked.
  for (const Time deadline : {Milliseconds(100), Microseconds(123), Nanoseconds(50'001), Nanoseconds(1)}) {
    for (const uint64_t seed : {1u, 2u}) {
      InChild([&] {
        Scenario s = Busy(seed);
        s.deadline = deadline;
        RunOptions options;
        options.check = true;
        const RunRecord r = headroom::Run(s, options);
        const Conservation& c = r.conservation;
        EXPECT_TRUE(c.Ok()) << c.sent << " " << c.delivered << " " << c.dropped << " " << c.in_flight;
        if (deadline == Milliseconds(100)) {
          EXPECT_EQ(r.status, RunStatus::complete);
          EXPECT_EQ(c.in_flight, 0u);
          EXPECT_GT(c.dropped, 0u);
          EXPECT_GT(r.pauses.size(), 10u);
          EXPECT_GT(Drops(r, 0, DropReason::egress_limit), 0u);
          EXPECT_GT(Drops(r, 3, DropReason::link_loss), 0u);
          EXPECT_EQ(Drops(r, 3, DropReason::group_cap) + Drops(r, 3, DropReason::headroom_full), 0u);
        } else {
          EXPECT_EQ(r.status, RunStatus::deadline);
          EXPECT_EQ(r.end, deadline);
        }
      });
    }
  }
}

TEST(Accounts, WhatOneEndOfALinkSendsTheOtherReceivesOrLoses) {
  InChild([] {
    const Scenario s = Busy();
    const RunRecord r = headroom::Run(s, {});
    std::map<std::pair<NodeId, uint32_t>, const PortRecord*> at;
    for (const PortRecord& p : r.ports) at[{p.node, p.port}] = &p;
    const auto loses = [&](NodeId from, NodeId to) {
      return std::any_of(s.faults.begin(), s.faults.end(), [&](const Fault& fault) {
        const auto* loss = std::get_if<LossFault>(&fault);
        return loss && loss->from == from && loss->to == to;
      });
    };
    uint64_t hops = 0, pfc_frames = 0;
    for (const TopologyLink& l : s.topology.links) {
      for (const auto& [from, to] : {std::pair(l.a, l.b), std::pair(l.b, l.a)}) {
        const PortRecord& tx = *at.at({from.node, from.port_index});
        const PortRecord& rx = *at.at({to.node, to.port_index});
        for (int p = 0; p < kPriorities; ++p) {
          hops += tx.priority[p].tx_packets;
          EXPECT_EQ(
              tx.priority[p].tx_packets,
              rx.priority[p].rx_packets + rx.priority[p].drops[static_cast<int>(DropReason::link_loss)]);
          // No frame is under way at the end, but a link that loses frames also loses PFC frames.
          const uint64_t pfc = tx.priority[p].pause_frames_tx + tx.priority[p].resume_frames_tx;
          EXPECT_LE(rx.priority[p].pfc_frames_rx, pfc);
          if (!loses(from.node, to.node)) {
            EXPECT_EQ(rx.priority[p].pfc_frames_rx, pfc);
            pfc_frames += pfc;
          }
          EXPECT_EQ(tx.priority[p].tx_wire_bytes, tx.priority[p].tx_bytes + 20 * tx.priority[p].tx_packets);
        }
      }
    }
    EXPECT_EQ(hops, r.packet_hops);
    EXPECT_GT(pfc_frames, 10u);
    EXPECT_LT(r.data_packet_hops, r.packet_hops);
    EXPECT_GT(r.data_packet_hops, r.packet_hops / 3);
  });
}

TEST(Accounts, CountersOfMessagesPortsAndNicsAgree) {
  InChild([] {
    const Scenario s = Busy();
    const RunRecord r = headroom::Run(s, {});
    uint64_t marked = 0, again = 0;
    for (const MessageRecord& m : r.messages) {
      EXPECT_TRUE(m.Finished());
      EXPECT_LT(m.start, m.delivered);
      EXPECT_LT(m.delivered, m.completed);
      EXPECT_LE(m.completed, r.end);
      marked += m.marked_packets;
      again += m.retransmitted_packets;
    }
    EXPECT_EQ(marked, r.marked_packets);
    EXPECT_EQ(again, r.retransmitted_packets);
    EXPECT_GT(again, 0u);
    EXPECT_GT(r.cnp_handled, 0u);
    EXPECT_GT(r.naks, 0u);
    uint64_t marked_at_switches = 0, lost_cnps = 0;  // CNPs alone have priority 6
    for (const PortRecord& p : r.ports) {
      for (const uint64_t drops : p.priority[6].drops) lost_cnps += drops;
      for (int q = 0; q < kPriorities; ++q) marked_at_switches += p.priority[q].marked_packets;
    }
    EXPECT_EQ(r.cnp_sent, r.cnp_handled + r.cnp_ignored + lost_cnps);
    EXPECT_GE(marked_at_switches, marked);  // some frames are lost after their mark
    EXPECT_LE(marked_at_switches, marked + 100);
  });
}

using PauseKey = std::tuple<NodeId, uint32_t, int>;

TEST(Accounts, BothEndsOfALinkTellOfTheSamePauses) {
  // The paused end sees a pause later, by a frame before it (1122 B, 89.76 ns), the PFC frame (6.72 ns), the
  // cable and transceivers (45 or 200 ns) and the response (100 ns).
  InChild([] {
    const Scenario s = Busy();
    const RunRecord r = headroom::Run(s, {});
    std::map<PauseKey, std::vector<PauseRecord>> tx, rx;
    for (const PauseRecord& p : r.pauses) {
      (p.direction == PauseRecord::Direction::tx ? tx : rx)[{p.node, p.port, p.priority}].push_back(p);
    }
    size_t compared = 0;
    for (const TopologyLink& l : s.topology.links) {
      for (const auto& [from, to] : {std::pair(l.a, l.b), std::pair(l.b, l.a)}) {
        const auto& sent = tx[{from.node, from.port_index, 3}];
        const auto& received = rx[{to.node, to.port_index, 3}];
        const Time wire = l.spec.delay + l.spec.phy + Picoseconds(6'720) + Nanoseconds(100);
        const Time longest = wire + Picoseconds(89'760);
        // If an XOFF follows an XON within a frame's time, the other end sees one pause instead of two.
        EXPECT_LE(received.size(), sent.size());
        for (const PauseRecord& p : received) {
          EXPECT_TRUE(std::any_of(sent.begin(), sent.end(), [&](const PauseRecord& q) {
            return p.start >= q.start + wire && p.start <= q.start + longest;
          }));
          EXPECT_TRUE(std::any_of(sent.begin(), sent.end(), [&](const PauseRecord& q) {
            return p.end >= q.end + wire && p.end <= q.end + longest;
          }));
          ++compared;
        }
        for (const PauseRecord& q : sent) EXPECT_GT(q.group_bytes, Bytes(0));
      }
    }
    EXPECT_GT(compared, 10u);
    for (const auto& [key, pauses] : rx) EXPECT_EQ(std::get<2>(key), 3);
  });
}

TEST(Accounts, CountersStartAtTheEndOfTheWarmup) {
  InChild([] {
    // Two halves of one run: the counts of the whole run less those of the first half.
    const auto sums = [](const RunRecord& r) {
      std::vector<uint64_t> v = {r.data_packets_delivered,
                                 r.marked_packets,
                                 r.cnp_sent,
                                 r.cnp_handled,
                                 r.retransmitted_packets,
                                 r.naks};
      for (const PortRecord& p : r.ports) {
        for (const auto& c : p.priority) {
          v.insert(v.end(), {c.tx_bytes, c.tx_packets, c.rx_bytes, c.marked_packets, c.pause_frames_tx,
                             c.resume_frames_tx, c.pfc_frames_rx, static_cast<uint64_t>(c.paused_rx.v),
                             static_cast<uint64_t>(c.paused_tx.v)});
          for (const uint64_t d : c.drops) v.push_back(d);
        }
      }
      return v;
    };
    const auto run = [&](Time warmup, Time deadline) {
      const std::string text = TextFromChild([&] {
        Scenario s = Busy();
        s.warmup = warmup;
        s.deadline = deadline;
        std::string t;
        for (const uint64_t n : sums(headroom::Run(s, {}))) t += std::to_string(n) + " ";
        return t;
      });
      std::vector<uint64_t> v;
      for (size_t at = 0; at < text.size(); at = text.find(' ', at) + 1)
        v.push_back(std::stoull(text.substr(at)));
      return v;
    };
    const Time middle = Nanoseconds(123'457), end = Milliseconds(50);
    const auto whole = run(Time{}, end), first = run(Time{}, middle), second = run(middle, end);
    ASSERT_EQ(whole.size(), first.size());
    ASSERT_EQ(whole.size(), second.size());
    uint64_t counted = 0;
    for (size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(first[i] + second[i], whole[i]) << "number " << i;
      counted += first[i] > 0 && second[i] > 0;
    }
    EXPECT_GT(counted, 100u);
  });
}

TEST(Accounts, ARunThatEndsBeforeItsWarmupCountsNothing) {
  InChild([] {
    Scenario s = Busy();
    s.warmup = Milliseconds(90);
    const RunRecord r = headroom::Run(s, {});
    ASSERT_EQ(r.status, RunStatus::complete);
    EXPECT_LT(r.end, s.warmup);
    EXPECT_TRUE(r.conservation.Ok());
    EXPECT_GT(r.packet_hops, 0u);
    EXPECT_EQ(r.data_packets_delivered + r.marked_packets + r.cnp_sent + r.cnp_handled +
                  r.retransmitted_packets + r.naks + r.timeouts,
              0u);
    for (const PortRecord& p : r.ports) {
      for (const PortPriorityCounters& c : p.priority) {
        EXPECT_EQ(c.tx_bytes + c.rx_packets + c.tx_wire_bytes + c.marked_packets, 0u);
        EXPECT_EQ(c.pauses_tx + c.pauses_rx + c.pause_frames_tx + c.resume_frames_tx + c.pfc_frames_rx, 0u);
        EXPECT_EQ(c.paused_tx + c.paused_rx, Time{});
        EXPECT_EQ(c.peak_queue + c.peak_group + c.peak_headroom, Bytes(0));
        for (const uint64_t d : c.drops) EXPECT_EQ(d, 0u);
      }
    }
    for (const SwitchRecord& sw : r.switches) {
      EXPECT_EQ(sw.peak + sw.peak_headroom + sw.peak_ingress_pool, Bytes(0));
      EXPECT_EQ(sw.closest_to_xoff, 0);
    }
  });
}

}  // namespace
}  // namespace headroom::accounts_test
