// A run's entire record as text: two runs are equal if their texts are.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "run/recording/records.h"

namespace headroom {

inline std::string MessagesText(const RunRecord& r) {
  std::string text;
  for (const MessageRecord& m : r.messages) {
    text += fmt::format(
        "message {}/{}/{} to {} priority {} port {} bytes {} start {} delivered {} completed {} marked {} "
        "again {}\n",
        m.workload, m.src, m.number, m.dst, m.priority, m.source_port, m.size.v, m.start.v, m.delivered.v,
        m.completed.v, m.marked_packets, m.retransmitted_packets);
  }
  return text;
}

inline std::string PausesText(const RunRecord& r) {
  std::string text;
  for (const PauseRecord& p : r.pauses) {
    text += fmt::format("pause {} of {}:{} priority {} from {} to {} refreshes {} group {}\n",
                        p.direction == PauseRecord::Direction::rx ? "rx" : "tx", p.node, p.port, p.priority,
                        p.start.v, p.end.v, p.refreshes, p.group_bytes.v);
  }
  return text;
}

inline std::string OperationsText(const RunRecord& r) {
  std::string text;
  for (const OperationRecord& o : r.operations) {
    text +=
        fmt::format("operation {}/{}/{} at {} {} {} bytes {} start {} completed {} retries {}", o.workload,
                    o.client, o.number, o.participants.Last(o.client), OperationKindName(o.kind),
                    OperationStatusName(o.status), o.bytes.v, o.start.v, o.completed.v, o.retries);
    for (const Time part : o.parts) text += fmt::format(" {}", part.v);
    text += '\n';
  }
  return text;
}

/// All except the number of events.
inline std::string RecordText(const RunRecord& r) {
  std::string text = fmt::format("{} at {}, {} hops, {} of data\n", RunStatusName(r.status), r.end.v,
                                 r.packet_hops, r.data_packet_hops);
  text += MessagesText(r) + OperationsText(r) + PausesText(r);
  for (const MessageParts& parts : r.message_parts) {
    text += "parts";
    for (const Time part : parts.of) text += fmt::format(" {}", part.v);
    text += '\n';
  }
  for (const EventRecord& e : r.events_log) {
    text += fmt::format("event {} {} {}:{}/{} {}\n", e.time.v, e.kind, e.node, e.port, e.priority, e.detail);
  }
  for (const PortRecord& p : r.ports) {
    for (int q = 0; q < kPriorities; ++q) {
      const PortPriorityCounters& c = p.priority[q];
      text += fmt::format(
          "port {}:{}/{} tx {} {} {} rx {} {} marked {} drops {} pauses {} {} {} {} {} {} {} peaks {} {} "
          "{}\n",
          p.node, p.port, q, c.tx_bytes, c.tx_packets, c.tx_wire_bytes, c.rx_bytes, c.rx_packets,
          c.marked_packets, fmt::join(c.drops, ","), c.pauses_tx, c.pauses_rx, c.pause_frames_tx,
          c.resume_frames_tx, c.pfc_frames_rx, c.paused_tx.v, c.paused_rx.v, c.peak_queue.v, c.peak_group.v,
          c.peak_headroom.v);
    }
  }
  for (const SwitchRecord& s : r.switches) {
    text += fmt::format("switch {} peaks {} {} {} closest {}\n", s.node, s.peak.v, s.peak_headroom.v,
                        s.peak_ingress_pool.v, s.closest_to_xoff);
  }
  for (const QueueSample& s : r.queues) {
    text += fmt::format("queue {} {}:{}/{} {}\n", s.time.v, s.node, s.port, s.queue, s.bytes.v);
  }
  for (const GroupSample& s : r.groups) {
    text +=
        fmt::format("group {} {}:{}/{} {} {}\n", s.time.v, s.node, s.port, s.group, s.shared.v, s.headroom.v);
  }
  for (const RateSample& s : r.rates)
    text += fmt::format("rate {} {}/{} {}\n", s.time.v, s.host, s.qp, s.rate.v);
  for (const GoodputSample& s : r.goodput) {
    text += fmt::format("goodput {} {} {}\n", s.time.v, s.workload, s.delivered.v);
  }
  const Conservation& c = r.conservation;
  text += fmt::format("packets {} marked {} cnp {} {} {} again {} naks {} timeouts {} bytes {} {} {} {} {}\n",
                      r.data_packets_delivered, r.marked_packets, r.cnp_sent, r.cnp_handled, r.cnp_ignored,
                      r.retransmitted_packets, r.naks, r.timeouts, c.sent, c.delivered, c.dropped,
                      c.in_flight, c.pools_ok);
  return text;
}

/// Names the first line that differs; the texts are too long to print.
inline void ExpectSameText(const std::string& got, const std::string& expected) {
  if (got == expected) return;
  const auto first = static_cast<size_t>(
      std::mismatch(got.begin(), got.end(), expected.begin(), expected.end()).first - got.begin());
  const size_t line = first == 0 ? 0 : got.rfind('\n', first - 1) + 1;
  ADD_FAILURE() << "got:      " << got.substr(line, got.find('\n', first) - line)
                << "\nexpected: " << expected.substr(line, expected.find('\n', first) - line);
}

}  // namespace headroom
