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
  TextTable table("lllrrrrrr", {"service", "over", "class", "hosts", "nodes", "RTT, µs", "BDP",
                                "RECVs a node", "data a core"});
  for (const ServiceCheck& s : services) {
    table.AddRow({Shorten(s.name, 16), s.protocol, Shorten(s.traffic_class, 12), std::to_string(s.compute),
                  std::to_string(s.extent_nodes), RangeText(s.least_rtt, s.most_rtt), SizeText(s.bdp),
                  fmt::format("{}, {}", CountText(s.receives), SizeText(s.receive_bytes)),
                  s.data_bytes.v > 0 ? SizeText(std::min(s.data_bytes, s.pool)) : "-"});
  }
  return table.ToString() +
         "  every host has a connection to every extent node. RTT: from a request to its ACK. RECVs a "
         "node:\n  memory that an extent node registers for messages. data a core: memory that a core "
         "registers for\n  data when all credits are in use\n";
}

const FailoverCheck* FailoverOf(const ServicesChecks& checks, const std::string& service) {
  const auto at = std::ranges::find(checks.failovers, service, &FailoverCheck::service);
  return at == checks.failovers.end() ? nullptr : &*at;
}

/// Applies f to the I/Os of a workload, first over its service's main legs, then over the standby.
template <class F>
void ForEachIo(const ServicesChecks& checks, F&& f) {
  for (const IoCheck& io : checks.ios) {
    f(io);
    const FailoverCheck* failover = FailoverOf(checks, io.service);
    if (failover != nullptr) f(*std::ranges::find(failover->ios, io.workload, &IoCheck::workload));
  }
}

std::string IoTable(const ServicesChecks& checks) {
  if (checks.ios.empty()) return "";
  TextTable table("lllrrrrrl", {"I/Os", "of service", "over", "mean size", "alone, µs", "asked, 1/s",
                                "at most, 1/s", "Gb/s", "limit"});
  ForEachIo(checks, [&](const IoCheck& io) {
    const IoCheck::Bound& least = io.Least();
    table.AddRow({Shorten(io.workload, 16), Shorten(io.service, 12), io.protocol, FormatBytes(io.mean_bytes),
                  io.most_alone.v > 0 ? RangeText(io.least_alone, io.most_alone) : "-",
                  io.rate > 0 ? CountText(io.rate) : "-", CountText(least.iops),
                  FormatReadable(least.iops * io.mean_bytes * 8 / 1e9), LimitName(least.limit)});
  });
  return "\n" + table.ToString() +
         "  for one disk, with only this workload. alone: time of an I/O without other traffic, from "
         "the\n  nearest host to the farthest; with a back leg, a lower bound. at most: the lowest limit "
         "of\n  protocols, disks, cores and lines on all legs\n";
}

/// Maximum number of a workload's sizes in the text.
constexpr size_t kSizes = 8;

std::string AloneTable(const ServicesChecks& checks) {
  TextTable table("lllrrrrrrr", {"alone, µs", "over", "", "size", "software", "t_reg", "lines", "distance",
                                 "device", "all"});
  bool tcp = false;
  ForEachIo(checks, [&](const IoCheck& io) {
    if (io.alone.size() > kSizes) return;
    tcp = tcp || io.protocol == ProtocolName(StorageProtocol::tcp);
    for (const IoCheck::Alone& alone : io.alone) {
      const IoParts& p = alone.parts;
      table.AddRow({Shorten(io.workload, 16), io.protocol, alone.writes ? "write" : "read",
                    SizeText(alone.size), MicrosText(p.software), MicrosText(p.registration),
                    MicrosText(p.serialisation), MicrosText(p.propagation), MicrosText(p.device),
                    MicrosText(p.all)});
    }
  });
  if (table.Empty()) return "";
  return "\n" + table.ToString() +
         "  time of an I/O between the nearest hosts. software: time of cores, except while the line "
         "is\n  busy; distance: propagation, and latencies of switches and NICs\n" +
         (tcp ? "  times over tcp are lower bounds: they leave out windows, waits for ACKs, and losses\n"
              : "");
}

std::string ShareText(double share) {
  return share > 0 ? FormatGrouped(100 * share, share < 0.1 ? 1 : 0) + " %" : "-";
}

std::string LoadTable(const std::vector<FailoverCheck>& failovers) {
  TextTable table("llrrrrrrrl", {"asked of", "over", "1/s", "cores", "line", "servers' cores", "lines",
                                 "disks", "at most, 1/s", "first"});
  bool others = false;
  for (const FailoverCheck& f : failovers) {
    if (f.by_standby.empty()) continue;
    others = others || f.others;
    for (const bool standby : {false, true}) {
      const IoLoads& loads = standby ? f.by_standby : f.by_main;
      const auto share = [&](IoLoad::Of of) { return ShareText(ShareOf(loads, of)); };
      table.AddRow({Shorten(f.service, 12), standby ? f.standby : f.main, CountText(f.asked),
                    share(IoLoad::Of::cores), share(IoLoad::Of::line), share(IoLoad::Of::server_cores),
                    share(IoLoad::Of::server_lines), share(IoLoad::Of::disks), CountText(f.Most(loads)),
                    LoadName(FirstOf(loads).of)});
    }
  }
  if (table.Empty()) return "";
  return "\n" + table.ToString() +
         "  minimum load by workloads that have a rate, at their peak. cores, line: of the busiest "
         "compute\n  host. servers' cores, lines, disks: of all servers. at most: the limit of the first "
         "resource\n  that runs out\n" +
         (others ? "  workloads without a rate add to these loads\n" : "");
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

std::string IncastTable(const std::vector<ServiceCheck>& services) {
  TextTable table("llrrrrl",
                  {"into one host", "as", "connections", "each", "in the buffer", "XOFF alone", "PFC"});
  for (const ServiceCheck& s : services) {
    for (const ServiceIncast& i : s.incasts)
      table.AddRow({fmt::format("{}, {}", Shorten(s.name, 16), i.to_nodes ? "writes" : "reads"),
                    Shorten(i.at, 20), std::to_string(i.connections), SizeText(i.each), SizeText(i.buffered),
                    SizeText(i.xoff), i.MayPause() ? "may fire" : "cannot fire"});
  }
  if (std::ranges::all_of(services, [](const ServiceCheck& s) { return s.incasts.empty(); })) return "";
  return "\n" + table.ToString() +
         "  maximum bytes that all connections send to one host at once: a chunk each, or all open "
         "I/Os.\n  Without other traffic, PFC cannot fire if these bytes stay below the threshold of one "
         "group\n";
}

std::string StorageText(const ServicesChecks& checks) {
  if (checks.services.empty()) return "";
  return ServiceTable(checks.services) + IoTable(checks) + AloneTable(checks) + LoadTable(checks.failovers) +
         MoveTable(checks.failovers) + IncastTable(checks.services);
}

std::string AloneText(const KeysCheck& w) {
  const std::string from = (w.exact ? "" : "≥ ") + MicrosText(w.alone), to = MicrosText(w.farthest);
  return MicrosText(w.alone) == to ? from : from + " – " + to;
}

std::string KeysText(const KeysChecks& checks) {
  TextTable services("lllrrrrr", {"service of keys", "type", "class", "servers", "processes", "clients",
                                  "processes", "caches, each server"});
  for (const KeyServiceCheck& s : checks.services)
    services.AddRow({Shorten(s.name, 16), s.system, Shorten(s.traffic_class, 12), std::to_string(s.servers),
                     std::to_string(s.processes), std::to_string(s.clients),
                     std::to_string(s.client_processes),
                     s.cache.v > 0 ? FormatBytes(static_cast<double>(s.cache.v)) : "-"});
  if (checks.workloads.empty()) return services.ToString();
  TextTable operations(
      "llrrrrl", {"operations", "of service", "open", "alone, µs", "asked, 1/s", "at most, 1/s", "limit"});
  for (const KeysCheck& w : checks.workloads) {
    const KeysCheck::Bound* const target = w.Find(KeysCheck::Limit::target);
    const double asked = target != nullptr ? target->a_second : w.rate;
    operations.AddRow({Shorten(w.workload, 16), Shorten(w.service, 16),
                       w.open > 0 ? std::to_string(w.open) : "-", AloneText(w),
                       asked > 0 ? CountText(asked) : "-", CountText(w.Least().a_second),
                       LimitName(w.Least().limit)});
  }
  return services.ToString() + "\n" + operations.ToString() +
         "  rates of all clients together, with only this workload, as means over random draws. alone: "
         "time\n  with one open operation, from the nearest hosts to the farthest; ≥: NICs or cache "
         "misses may\n  lengthen it. at most: lowest limit of open operations (Little's law with the "
         "minimum time),\n  processes and lines\n";
}

}  // namespace

std::string DescribeServices(const ServicesChecks& checks) {
  if (checks.keys.services.empty()) return StorageText(checks);
  return StorageText(checks) + (checks.services.empty() ? "" : "\n") + KeysText(checks.keys);
}

}  // namespace headroom
