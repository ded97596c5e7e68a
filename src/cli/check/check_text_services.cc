// Services and their I/Os in the text of a check.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check/check_text.h"
#include "cli/quantity_text.h"

namespace headroom {
namespace {

/// "2.51", "2.51–20.5"
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
         "  every host has a connection to every node. RTT: of a request and its ACK; RECVs, data: what an\n"
         "  extent node has registered, for messages and, with all credits in use, of one core for data\n";
}

std::string IoTable(const std::vector<IoCheck>& ios) {
  if (ios.empty()) return "";
  TextTable table("llrrrrrl", {"I/Os", "of service", "mean size", "alone, µs", "asked, 1/s", "at most, 1/s",
                               "Gb/s", "limit"});
  for (const IoCheck& io : ios) {
    const IoCheck::Bound& least = io.Least();
    table.AddRow({Shorten(io.workload, 16), Shorten(io.service, 12), FormatBytes(io.mean_bytes),
                  io.most_alone.v > 0 ? RangeText(io.least_alone, io.most_alone) : "-",
                  io.rate > 0 ? CountText(io.rate) : "-", CountText(least.iops),
                  FormatReadable(least.iops * io.mean_bytes * 8 / 1e9), LimitName(least.limit)});
  }
  return "\n" + table.ToString() +
         "  of one disk, the workload alone. alone: an I/O with nothing in its way, by distance; at most: "
         "what\n"
         "  protocol, disks, cores and lines let through, with a back leg disks and lines\n";
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
         "  the most that all connections bring at once: a chunk each, or all open I/Os; PFC cannot fire "
         "where it\n"
         "  stays below the threshold of one group, and nothing else is there\n";
}

}  // namespace

std::string DescribeServices(const ServicesChecks& checks) {
  if (checks.services.empty()) return "";
  return ServiceTable(checks.services) + IoTable(checks.ios) + IncastTable(checks.services);
}

}  // namespace headroom
