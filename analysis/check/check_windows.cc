#include "analysis/check/check_windows.h"

#include <fmt/format.h>

#include <set>

#include "analysis/bounds/flows.h"
#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

constexpr uint16_t kSourcePort = 0xC000;

struct Target {
  NodeId host = 0;
  WindowLimit limit;  ///< infinite: there is none
};

/// The host to which the window lets this one send least.
Target SlowestTarget(const Fabric& fabric, NodeId from) {
  Target slowest;
  for (NodeId to = 0; to < fabric.topology().hosts; ++to) {
    if (to == from) continue;
    const WindowLimit limit = WindowLimitOf(fabric, from, to, kSourcePort);
    if (limit.rate < slowest.limit.rate) slowest = {to, limit};
  }
  return slowest;
}

}  // namespace

void JudgeWindows(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  std::set<std::pair<int64_t, int64_t>> seen;  // windows, and rates of lines
  for (NodeId from = 0; from < s.topology.hosts; ++from) {
    const SendWindow& window = s.nics[from].transport.window;
    const Rate line = fabric.LineRate(from);
    if (window.kind == SendWindow::Kind::none || !seen.insert({window.bytes.v, line.v}).second) continue;
    const auto [to, limit] = SlowestTarget(fabric, from);
    if (limit.rate >= static_cast<double>(line.v)) continue;
    // Whole groups of packets between two ACKs, enough for the line until the ACK of a group's first packet.
    const int64_t every = s.nics[to].transport.ack_every;
    const int64_t frame = s.frames.OnWire(s.frames.Data(s.mtu, false)).v;
    const int64_t carried = BytesIn(limit.base_rtt, line).v + (every - 1) * frame;
    const int64_t fills = (carried + every * frame - 1) / (every * frame) * every * s.mtu;
    const bool bytes = window.kind == SendWindow::Kind::bytes;
    findings.push_back(
        {Finding::Severity::note,
         fmt::format("window {}, {} (as {})", bytes ? FormatSize(window.bytes) : "bdp", FormatRate(line),
                     fabric.node(from).name),
         fmt::format("a queue pair to {} sends at most {} Gb/s on the wire: {} packets of {} B in a base RTT "
                     "of {} µs{}",
                     fabric.node(to).name, FormatReadable(limit.rate / 1e9), limit.packets, s.mtu,
                     FormatReadable(InMicroseconds(limit.base_rtt)),
                     every > 1 ? fmt::format(", with an ACK for every {} packets", every) : ""),
         fmt::format("transport: {{window: {}}} or more", FormatSize(Bytes(fills)))});
  }
}

}  // namespace headroom
