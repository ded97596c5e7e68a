// Memory, watchdogs and deadlock in the text of a check.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check/check_text.h"
#include "cli/quantity_text.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

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
        const ConfiguredPool& pool = c.pools[i];
        cells.insert(cells.end(), {Shorten(pool.pool, 22), SizeText(pool.size), std::to_string(pool.groups),
                                   SizeText(pool.sum_xoff)});
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
  TextTable memory("lrrrrrrr", {"memory", "size", "ingress pools", "shared hdrm", "own hdrm", "reserved",
                                "egress pools", "reserved"});
  for (const MemoryCheck& m : checks.memory) {
    memory.AddRow({Shorten(m.at, 12), SizeText(m.memory), SizeText(m.ingress_pools),
                   SizeText(m.shared_headroom), SizeText(m.own_headroom), SizeText(m.reserved_ingress),
                   SizeText(m.egress_pools), SizeText(m.reserved_egress)});
  }
  TextTable egress("lrrrr", {"to one queue", "groups", "full", "in headroom", "queue takes"});
  for (const EgressCheck& e : checks.egress) {
    egress.AddRow({Shorten(e.at, 12) + ", " + Shorten(e.traffic_class, 12), std::to_string(e.groups),
                   SizeText(e.before_xoff), SizeText(e.headroom), SizeText(e.limit)});
  }
  return memory.ToString() +
         "  hdrm: headroom; the ingress pools and their headroom together should fit "
         "into the memory\n" +
         (egress.Empty() ? "" : "\n" + egress.ToString());
}

std::string DescribePauses(const std::vector<WatchdogCheck>& watchdogs, const DeadlockCheck& deadlock) {
  std::string out;
  if (!watchdogs.empty()) {
    TextTable table("lrrrrl",
                    {"watchdog", "detects after", "longest pause, ms", "bytes held", "leave over", "as"});
    for (const WatchdogCheck& w : watchdogs) {
      table.AddRow({Shorten(w.at, 10) + " → " + Shorten(w.to, 10), FormatTime(w.detection),
                    FormatReadable(InSeconds(w.longest_pause) * 1e3), SizeText(w.held), FormatRate(w.rate),
                    Shorten(w.example, 24)});
    }
    out += table.ToString() + '\n';
  }
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
