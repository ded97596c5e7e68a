// Services and their I/Os in the text of a check.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check/check_text.h"
#include "cli/quantity_text.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// For example "2.51", or "2.51–20.5".
std::string RangeText(Time least, Time most) {
  return least == most ? MicrosText(least) : MicrosText(least) + "–" + MicrosText(most);
}

std::string ServiceTable(const std::vector<ServiceCheck>& services) {
  TextTable table("lllrrr", {"service", "over", "class", "hosts", "nodes", "RECVs a node"});
  for (const ServiceCheck& s : services) {
    table.AddRow({Shorten(s.name, 16), s.protocol, Shorten(s.traffic_class, 12), std::to_string(s.compute),
                  std::to_string(s.extent_nodes),
                  fmt::format("{}, {}", CountText(s.receives), SizeText(s.receive_bytes))});
  }
  return table.ToString() +
         "  every host has a connection to every extent node. RECVs a node: memory that an extent node\n"
         "  registers for messages\n";
}

std::string MoveTable(const std::vector<FailoverCheck>& failovers) {
  if (failovers.empty()) return "";
  TextTable table("llrrrr",
                  {"failover", "when", "connections", "at a time", "first moved, µs", "all moved, µs"});
  for (const FailoverCheck& f : failovers) {
    const auto add = [&](const std::string& when, size_t connections, const std::string& first, Time all) {
      table.AddRow({Shorten(f.service, 16), when, std::to_string(connections), std::to_string(f.at_a_time),
                    first, MicrosText(all)});
    };
    for (const FailoverCheck::Move& move : f.moves)
      add(fmt::format("schedule, {} % at {}", FormatReadable(100 * move.share), FormatTime(move.at)),
          move.connections, MicrosText(move.first), move.told);
    if (f.least_detect != kNever)
      add("calls get no answer", f.connections, RangeText(f.least_detect, f.most_detect),
          f.least_detect + f.all_told);
    add("queue pairs fail", f.connections, RangeText(Time(), f.every), f.all_told);
    add("queue pairs up again", f.connections, MicrosText(f.least_back), f.least_back + f.all_told);
  }
  return "\n" + table.ToString() +
         "  minimum time from the event to the orders to move connections. Each period orders \"at a "
         "time\"\n  moves at most. The time of a move itself is not included\n";
}

std::string StorageText(const ServicesChecks& checks) {
  if (checks.services.empty()) return "";
  return ServiceTable(checks.services) + MoveTable(checks.failovers);
}

std::string KeysText(const std::vector<KeyServiceCheck>& checks) {
  TextTable services("lllrrrrr", {"service of keys", "type", "class", "servers", "processes", "clients",
                                  "processes", "caches, each server"});
  for (const KeyServiceCheck& s : checks)
    services.AddRow({Shorten(s.name, 16), s.system, Shorten(s.traffic_class, 12), std::to_string(s.servers),
                     std::to_string(s.processes), std::to_string(s.clients),
                     std::to_string(s.client_processes),
                     s.cache.v > 0 ? FormatBytes(static_cast<double>(s.cache.v)) : "-"});
  return services.ToString();
}

}  // namespace

std::string DescribeServices(const ServicesChecks& checks) {
  if (checks.keys.empty()) return StorageText(checks);
  return StorageText(checks) + (checks.services.empty() ? "" : "\n") + KeysText(checks.keys);
}

}  // namespace headroom
