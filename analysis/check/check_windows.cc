#include "analysis/check/check_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/bounds/flows.h"
#include "report/text/text_table.h"
#include "scenario/packet_headers.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

constexpr uint16_t kSourcePort = 0xC000;

struct Target {
  NodeId host = 0;
  WindowLimit limit;                    ///< infinite if there is none
  uint64_t least_packets = UINT64_MAX;  ///< minimum of the windows to all hosts
};

/// The host to which the window permits this one the lowest rate.
Target SlowestTarget(const Fabric& fabric, NodeId from) {
  Target slowest;
  for (NodeId to = 0; to < fabric.topology().hosts; ++to) {
    if (to == from) continue;
    const WindowLimit limit = WindowLimitOf(fabric, from, to, kSourcePort);
    slowest.least_packets = std::min(slowest.least_packets, limit.packets);
    if (limit.rate >= slowest.limit.rate) continue;
    slowest.host = to;
    slowest.limit = limit;
  }
  return slowest;
}

/// With a full window no packet follows a lost one.
void JudgePatience(const Scenario& s, NodeId from, uint64_t window, Findings& findings) {
  const RecoveryParameters& recovery = s.nics[from].transport.recovery;
  if (recovery.type != RecoveryParameters::Type::selective_repeat) return;
  const std::string where = fmt::format("nics (as {})", s.topology.nodes[from].name);
  if (!recovery.nack_after_time && static_cast<uint64_t>(recovery.nack_after) >= window) {
    findings.push_back(
        {Finding::Severity::warning,
         where,
         fmt::format("nack_after: {} is not below the window of {} packets to some host, so only "
                     "timeouts detect losses there",
                     recovery.nack_after, window),
         {Remedy{fmt::format("nics.*.transport.recovery.nack_after={}", window - 1)}}});
  } else if (recovery.nack_after_time && *recovery.nack_after_time >= recovery.rto_low) {
    findings.push_back(
        {Finding::Severity::warning,
         where,
         fmt::format("nack_after: {} is not below rto_low, {}, so timeouts happen first",
                     FormatTime(*recovery.nack_after_time), FormatTime(recovery.rto_low)),
         {Remedy{"nics.*.transport.recovery.nack_after=" + FormatTime(recovery.rto_low / 2)}}});
  }
}

}  // namespace

void JudgeWindows(const Fabric& fabric, bool ordered, Findings& findings) {
  const Scenario& s = fabric.scenario();
  std::set<std::pair<int64_t, int64_t>> seen;  // windows, and line rates
  for (NodeId from = 0; from < s.topology.hosts; ++from) {
    const SendWindow& window = s.nics[from].transport.window;
    const Rate line = fabric.LineRate(from);
    if (window.kind == SendWindow::Kind::none || !seen.insert({window.bytes.v, line.v}).second) continue;
    const auto [to, limit, least] = SlowestTarget(fabric, from);
    JudgePatience(s, from, least, findings);
    if (limit.rate >= static_cast<double>(line.v)) continue;
    // Whole groups of packets between two ACKs, enough to fill the line until the ACK of a group's first
    // packet.
    const int64_t every = s.nics[to].transport.ack_every;
    const FrameFormat frames = FramesOf(s, from);
    const int64_t frame = frames.OnWire(frames.Data(s.mtu, false)).v;
    const int64_t carried = BytesIn(limit.base_rtt, line).v + (every - 1) * frame;
    const int64_t fills = (carried + every * frame - 1) / (every * frame) * every * s.mtu;
    const bool bytes = window.kind == SendWindow::Kind::bytes;
    findings.push_back(
        {Finding::Severity::note,
         fmt::format("window {}, {} (as {})", bytes ? FormatSize(window.bytes) : "bdp", FormatRate(line),
                     fabric.node(from).name),
         fmt::format("a queue pair to {} sends at most {} Gb/s on the wire: {} packets of {} B per base "
                     "RTT of {} µs{}",
                     fabric.node(to).name, FormatReadable(limit.rate / 1e9), limit.packets, s.mtu,
                     FormatReadable(InMicroseconds(limit.base_rtt)),
                     every > 1 ? fmt::format(", with an ACK for every {} packets", every) : ""),
         {}});
    if (ordered) findings.back().remedies = {Remedy{"nics.*.transport.window=" + FormatSize(Bytes(fills))}};
  }
}

}  // namespace headroom
