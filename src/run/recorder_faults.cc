// Converts the notes of faults and watchdogs to the record of the run.
#include <algorithm>
#include <tuple>

#include "run/recorder.h"

namespace headroom {

void Recorder::CollectFaults() {
  for (const Faults::Change& c : network_.faults().changes()) {
    const char* kind = c.start ? "fault_start" : "fault_stop";
    unordered_.faults.push_back({c.at, kind, c.node, c.port, c.priority, c.what});
  }
  unordered_.faults_order = network_.faults().order();
}

void Recorder::CollectWatchdogs() {
  constexpr const char* kActions[] = {"drop", "forward", "alert"};
  const auto packets = [](const WatchdogCounters::Packets& p) {
    return WatchdogRecord::Packets{p.tx_ok, p.tx_drop, p.rx_ok, p.rx_drop};
  };
  for (const Network::Watchdog& w : network_.watchdogs()) {
    if (!network_.IsHere(w.node)) continue;
    const PfcWatchdog& watchdog = *w.watchdog;
    const WatchdogParameters& p = watchdog.parameters();
    const std::string action = p.big_red_switch ? "drop" : kActions[static_cast<int>(p.action)];
    for (size_t i = 0; i < watchdog.size(); ++i) {
      const WatchdogCounters c = watchdog.counters(i);
      record_.watchdogs.push_back({w.node, watchdog.port_of(i), watchdog.priority_of(i), action, c.stormed,
                                   c.detected, c.restored, packets(c.all), packets(c.last)});
    }
    for (const PfcWatchdog::Change& c : watchdog.changes()) {
      const char* kind = !c.storm ? "watchdog_restored" : c.forced ? "watchdog_forced" : "watchdog_detected";
      unordered_.watchdogs.push_back(
          {c.at, kind, w.node, c.port, c.priority, c.why.empty() ? action : action + ", " + c.why});
    }
  }
  std::ranges::sort(record_.watchdogs, {},
                    [](const WatchdogRecord& w) { return std::tuple(w.node, w.port, w.priority); });
}

}  // namespace headroom
