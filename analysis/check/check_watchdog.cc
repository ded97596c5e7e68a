#include "analysis/check/check_watchdog.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bounds/group_fill.h"
#include "report/text/text_table.h"
#include "scenario/yaml/pattern.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// Full groups whose frames leave by one port.
struct Drain {
  Bytes held;
  Rate rate;
  Time takes;
};

/// The longest drain time of a switch, over all its classes and ports.
Drain LongestDrain(const Fabric& fabric, const SwitchClass& c) {
  Drain longest;
  for (const TrafficClass& traffic : fabric.scenario().classes) {
    if (traffic.name.empty() || !traffic.lossless) continue;
    for (const PortClass& port : c.ports) {
      // Slices are separate memories, which drain over the same port.
      Bytes held;
      for (uint8_t slice = 0; slice < c.parameters->buffer.slices; ++slice)
        held += FillBesides(fabric, c, traffic, port, slice).Total();
      const Time takes = SerializationTime(held, port.link.rate);
      if (takes > longest.takes) longest = {held, port.link.rate, takes};
    }
  }
  return longest;
}

const WatchdogParameters* WatchdogAt(const SwitchParameters& parameters, const std::string& port) {
  const WatchdogParameters* found = nullptr;
  for (const WatchdogParameters& w : parameters.pfc.watchdogs) {
    if (Matches(w.ports, port)) found = &w;
  }
  return found;
}

/// The neighbours of a class's example switch, with the port that leads to them.
std::vector<std::pair<std::string, NodeId>> NeighboursOf(const Fabric& fabric, NodeId node) {
  std::vector<std::pair<std::string, NodeId>> neighbours;
  for (const TopologyLink& link : fabric.topology().links) {
    if (link.a.node == node) neighbours.emplace_back(link.a.port, link.b.node);
    if (link.b.node == node) neighbours.emplace_back(link.b.port, link.a.node);
  }
  return neighbours;
}

void Judge(const WatchdogCheck& check, Findings& findings) {
  if (check.detection > check.longest_pause) return;
  findings.push_back(
      {Finding::Severity::warning,
       fmt::format("{} → {}, watchdog (as {})", check.at, check.to, check.example),
       fmt::format("the watchdog detects a storm after {}, but congestion alone can pause this port for "
                   "{} ms: the groups at the far end hold up to {}, which drain over {}",
                   FormatTime(check.detection), FormatReadable(InSeconds(check.longest_pause) * 1e3),
                   FormatBytes(static_cast<double>(check.held.v)), FormatRate(check.rate)),
       {Remedy{"switches.*.pfc.watchdog.detection=" +
               FormatTime(Milliseconds(check.longest_pause / Milliseconds(1) + 1))}}});
}

}  // namespace

std::vector<WatchdogCheck> CheckWatchdogs(const Fabric& fabric, const std::vector<SwitchClass>& switches,
                                          Findings& findings) {
  std::vector<WatchdogCheck> checks;
  for (const SwitchClass& c : switches) {
    if (c.parameters->pfc.watchdogs.empty()) continue;
    const size_t first = checks.size();
    for (const auto& [port, peer] : NeighboursOf(fabric, c.example)) {
      const WatchdogParameters* watchdog = WatchdogAt(*c.parameters, port);
      const auto far = std::ranges::find_if(switches, [&peer = peer](const SwitchClass& other) {
        return std::ranges::find(other.members, peer) != other.members.end();
      });
      // Hosts do not pause for congestion, and neither does a switch without PFC.
      if (watchdog == nullptr || far == switches.end() || !far->parameters->pfc.enabled) continue;
      const bool known =
          std::any_of(checks.begin() + static_cast<std::ptrdiff_t>(first), checks.end(),
                      [&](const auto& w) { return w.to == far->name && w.detection == watchdog->detection; });
      if (known) continue;
      const Drain drain = LongestDrain(fabric, *far);
      checks.push_back({.at = c.name,
                        .to = far->name,
                        .example = fabric.node(c.example).name + ":" + port,
                        .detection = watchdog->detection,
                        .held = drain.held,
                        .rate = drain.rate,
                        .longest_pause = drain.takes});
      Judge(checks.back(), findings);
    }
  }
  return checks;
}

}  // namespace headroom
