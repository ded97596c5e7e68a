// Services in a check.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check/columns.h"
#include "cli/check/sections.h"

namespace headroom {
namespace {

/// For example "2.51", or "2.51–20.5".
std::string RangeText(Time least, Time most) {
  return least == most ? MicrosText(least) : MicrosText(least) + "–" + MicrosText(most);
}

const auto kServices = Columns<ServiceCheck>()
                           .Both("name", "service", &ServiceCheck::name, UpTo{16})
                           .Both("protocol", "over", &ServiceCheck::protocol)
                           .Both("class", "class", &ServiceCheck::traffic_class, UpTo{12})
                           .Both("compute", "hosts", &ServiceCheck::compute)
                           .Both("extent_nodes", "nodes", &ServiceCheck::extent_nodes)
                           .InJson("connections", &ServiceCheck::connections)
                           .InJson("node_receives", &ServiceCheck::receives)
                           .InJson("node_receive_bytes", &ServiceCheck::receive_bytes)
                           .InText("RECVs a node", std::identity(), [](const ServiceCheck& s) {
                             return fmt::format("{}, {}", CountText(s.receives), SizeText(s.receive_bytes));
                           });

const auto kKeyServices = Columns<KeyServiceCheck>()
                              .Both("service", "service of keys", &KeyServiceCheck::name, UpTo{16})
                              .Both("type", "type", &KeyServiceCheck::system)
                              .Both("class", "class", &KeyServiceCheck::traffic_class, UpTo{12})
                              .Both("servers", "servers", &KeyServiceCheck::servers)
                              .Both("processes", "processes", &KeyServiceCheck::processes)
                              .Both("clients", "clients", &KeyServiceCheck::clients)
                              .Both("client_processes", "processes", &KeyServiceCheck::client_processes)
                              .Both("cache_bytes", "caches, each server", &KeyServiceCheck::cache,
                                    [](Bytes cache) { return cache.v > 0 ? FormatBytes(cache) : "-"; });

const auto kMoves = Columns<FailoverCheck::Move>()
                        .InJson("at_us", &FailoverCheck::Move::at)
                        .InJson("share", &FailoverCheck::Move::share)
                        .InJson("connections", &FailoverCheck::Move::connections)
                        .InJson("first_told_us", &FailoverCheck::Move::first)
                        .InJson("all_told_us", &FailoverCheck::Move::told)
                        .InJson("cut_off", &FailoverCheck::Move::cut_off);

nlohmann::ordered_json FailoverJson(const FailoverCheck& f) {
  return {{"service", f.service},
          {"connections", f.connections},
          {"at_a_time", f.at_a_time},
          {"every_us", InMicroseconds(f.every)},
          {"main", f.main},
          {"standby", f.standby},
          {"schedule", kMoves.Json(f.moves)},
          {"detect_us", f.least_detect != kNever ? nlohmann::ordered_json{InMicroseconds(f.least_detect),
                                                                          InMicroseconds(f.most_detect)}
                                                 : nlohmann::ordered_json()},
          {"first_to_last_told_us", InMicroseconds(f.all_told)},
          {"back_us", InMicroseconds(f.least_back)}};
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
  return kServices.Text(checks.services) +
         "  every host has a connection to every extent node. RECVs a node: memory that an extent node\n"
         "  registers for messages\n" +
         MoveTable(checks.failovers);
}

}  // namespace

nlohmann::ordered_json ServicesJson(const ServicesChecks& checks) { return kServices.Json(checks.services); }

nlohmann::ordered_json KeyServicesJson(const ServicesChecks& checks) {
  return kKeyServices.Json(checks.keys);
}

nlohmann::ordered_json FailoversJson(const ServicesChecks& checks) {
  return JsonList(checks.failovers, FailoverJson);
}

std::string DescribeServices(const ServicesChecks& checks) {
  if (checks.keys.empty()) return StorageText(checks);
  return StorageText(checks) + (checks.services.empty() ? "" : "\n") + kKeyServices.Text(checks.keys);
}

}  // namespace headroom
