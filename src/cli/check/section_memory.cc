// Memory, watchdogs and deadlock in a check.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check/columns.h"
#include "cli/check/sections.h"

namespace headroom {
namespace {

const auto kMemory = Columns<MemoryCheck>()
                         .Both("at", "memory", &MemoryCheck::at, UpTo{12})
                         .InJson("switches", &MemoryCheck::switches)
                         .Both("memory_bytes", "size", &MemoryCheck::memory)
                         .Both("ingress_pools_bytes", "ingress pools", &MemoryCheck::ingress_pools)
                         .Both("shared_headroom_bytes", "shared hdrm", &MemoryCheck::shared_headroom)
                         .Both("own_headroom_bytes", "own hdrm", &MemoryCheck::own_headroom)
                         .Both("reserved_ingress_bytes", "reserved", &MemoryCheck::reserved_ingress)
                         .Both("egress_pools_bytes", "egress pools", &MemoryCheck::egress_pools)
                         .Both("reserved_egress_bytes", "reserved", &MemoryCheck::reserved_egress);

const auto kEgress =
    Columns<EgressCheck>()
        .InText("to one queue",
                [](const EgressCheck& e) { return Shorten(e.at, 12) + ", " + Shorten(e.traffic_class, 12); })
        .InJson("at", &EgressCheck::at)
        .InJson("class", &EgressCheck::traffic_class)
        .Both("groups", "groups", &EgressCheck::groups)
        .Both("before_xoff_bytes", "full", &EgressCheck::before_xoff)
        .Both("headroom_bytes", "in headroom", &EgressCheck::headroom)
        .Both("queue_limit_bytes", "queue takes", &EgressCheck::limit)
        .InJson("groups_beyond_limit", &EgressCheck::too_many);

const auto kWatchdogs =
    Columns<WatchdogCheck>()
        .InText("watchdog",
                [](const WatchdogCheck& w) { return Shorten(w.at, 10) + " → " + Shorten(w.to, 10); })
        .InJson("at", &WatchdogCheck::at)
        .InJson("to", &WatchdogCheck::to)
        .Both("detection_us", "detects after", &WatchdogCheck::detection)
        .Both("longest_pause_us", "longest pause, ms", &WatchdogCheck::longest_pause,
              [](Time t) { return FormatReadable(InSeconds(t) * 1e3); })
        .Both("held_bytes", "bytes held", &WatchdogCheck::held)
        .Both("rate_bps", "leave over", &WatchdogCheck::rate)
        .Both("as", "as", &WatchdogCheck::example, UpTo{24});

const auto kConfiguredPools = Columns<ConfiguredPool>()
                                  .Both("pool", "shared headroom of", &ConfiguredPool::pool, UpTo{22})
                                  .Both("headroom_bytes", "size", &ConfiguredPool::size)
                                  .Both("groups", "groups", &ConfiguredPool::groups)
                                  .Both("sum_xoff_bytes", "xoff", &ConfiguredPool::sum_xoff);

}  // namespace

nlohmann::ordered_json ConfigurationJson(const ConfigurationCheck& c) {
  return {{"at", c.at},
          {"switches", c.switches},
          {"ports", c.ports},
          {"linked", c.linked},
          {"pools", kConfiguredPools.Json(c.pools)}};
}

nlohmann::ordered_json MemoryJson(const MemoryChecks& checks) { return kMemory.Json(checks.memory); }

nlohmann::ordered_json EgressJson(const MemoryChecks& checks) { return kEgress.Json(checks.egress); }

nlohmann::ordered_json WatchdogsJson(const std::vector<WatchdogCheck>& watchdogs) {
  return kWatchdogs.Json(watchdogs);
}

nlohmann::ordered_json DeadlockJson(const DeadlockCheck& d) {
  return {
      {"possible", !d.cycle.empty() || !d.later.empty()},
      {"cycle", d.cycle},
      {"later", JsonList(d.later,
                         [](const DeadlockCheck::Later& at) -> nlohmann::ordered_json {
                           return {{"at_us", InMicroseconds(at.at)}, {"down", at.down}, {"cycle", at.cycle}};
                         })},
      {"changes", d.changes},
      {"all_changes", d.all_changes}};
}

std::string DescribeConfigurations(const std::vector<ConfigurationCheck>& checks) {
  if (checks.empty()) return "";
  TextTable table("lrrlrrr",
                  {"configuration", "ports", "linked", "shared headroom of", "size", "groups", "xoff"});
  for (const ConfigurationCheck& c : checks) {
    const std::vector<std::string> ports = {Shorten(c.at, 12), std::to_string(c.ports),
                                            std::to_string(c.linked)};
    for (size_t i = 0; i < std::max<size_t>(c.pools.size(), 1); ++i) {
      std::vector<std::string> cells = i == 0 ? ports : std::vector<std::string>{"", "", ""};
      if (c.pools.empty()) {
        cells.insert(cells.end(), {"-", "-", "-", "-"});
      } else {
        std::ranges::move(kConfiguredPools.Cells(c.pools[i]), std::back_inserter(cells));
      }
      table.AddRow(std::move(cells));
    }
  }
  return table.ToString() +
         "  groups: lossless groups of all ports; xoff: headroom of these groups if all peers are paused "
         "at\n  once. The lines below cover ports with a link; ports without one count only in reserves "
         "and own\n  headroom\n";
}

std::string DescribeMemory(const MemoryChecks& checks) {
  const std::string egress = kEgress.Text(checks.egress);
  return kMemory.Text(checks.memory) +
         "  hdrm: headroom; the ingress pools and their headroom together should fit "
         "into the memory\n" +
         (egress.empty() ? "" : "\n" + egress);
}

std::string DescribePauses(const std::vector<WatchdogCheck>& watchdogs, const DeadlockCheck& deadlock) {
  const std::string out = watchdogs.empty() ? "" : kWatchdogs.Text(watchdogs) + '\n';
  if (!deadlock.lossless) return out;
  const bool circle = !deadlock.cycle.empty() || !deadlock.later.empty();
  const std::string later =
      deadlock.changes == 0
          ? ""
          : fmt::format(", nor over the routes after each of {} changes by faults", deadlock.changes);
  return out + "deadlock   " +
         (circle ? "a deadlock is possible: see the findings\n"
          : !deadlock.all_changes
              ? "not known whether a deadlock is possible: see the findings\n"
              : "impossible: no cycle of lossless queues over the routes of any two hosts" + later + "\n");
}

}  // namespace headroom
