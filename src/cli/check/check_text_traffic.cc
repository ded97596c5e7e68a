// Traffic in the text of a check.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check/check_text.h"
#include "cli/quantity_text.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

std::string Gigabits(double bps) { return FormatReadable(bps / 1e9); }
std::string Percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string Workloads(const TrafficCheck& traffic) {
  TextTable table("lllrrrrr", {"workload", "type", "class", "messages", "mean size", "offered, Gb/s", "hops",
                               "packet-hops"});
  for (const WorkloadCheck& w : traffic.workloads) {
    table.AddRow({Shorten(w.name, 20), w.type, Shorten(w.traffic_class, 12), FormatGrouped(w.messages, 0),
                  FormatBytes(w.each.payload), w.offered_bps ? Gigabits(*w.offered_bps) : "-",
                  fmt::format("{:.2f}", w.hops), CountText(w.packet_hops)});
  }
  return table.ToString();
}

std::string Loads(const TrafficCheck& traffic) {
  if (traffic.loads.empty()) return "";
  TextTable table("lrrrrl", {"offered load", "rate", "links", "mean", "fullest", "which"});
  for (const LinkLoad& l : traffic.loads) {
    table.AddRow({l.from + " → " + l.to, FormatRate(l.rate), std::to_string(l.links), Percent(l.Mean()),
                  Percent(l.Most()), Shorten(l.fullest, 34)});
  }
  return "\n" + table.ToString() +
         "  average load on the wire by workloads that have a rate. It counts requests, answers and ACKs "
         "of\n  every leg and copy, spread evenly by ECMP and over extents. Not counted: "
         "retransmissions, CNPs,\n  hedged reads, and traffic that a failover moves\n";
}

std::string Bursts(const TrafficCheck& traffic) {
  if (traffic.bursts.empty()) return "";
  TextTable table("lrrrrr", {"burst", "senders", "bytes", "target's link", "drains in, µs", "every, µs"});
  for (const Burst& b : traffic.bursts) {
    table.AddRow({Shorten(b.workload, 24), std::to_string(b.fan_in), SizeText(b.bytes), FormatRate(b.rate),
                  MicrosText(b.drain), b.every.v > 0 ? MicrosText(b.every) : "once"});
  }
  return "\n" + table.ToString();
}

std::string Flows(const FlowsChecks& flows) {
  std::string out;
  if (!flows.workloads.empty()) {
    TextTable table("lrrrrrlr", {"all at once", "flows", "Gb/s least", "median", "most", "on a link", "which",
                                 "slowest, µs"});
    for (const FlowsCheck& f : flows.workloads) {
      table.AddRow({Shorten(f.workload, 18), std::to_string(f.flows), Gigabits(f.least_bps),
                    Gigabits(f.median_bps), Gigabits(f.most_bps),
                    f.most_on_a_link > 0 ? std::to_string(f.most_on_a_link) : "-",
                    f.most_on_a_link > 0 ? Shorten(f.fullest, 20) : "-",
                    f.slowest_seconds > 0 ? FormatReadable(f.slowest_seconds * 1e6) : "-"});
    }
    out = "\n" + table.ToString() +
          "  max-min fair goodput over the paths of the routes, with only this workload in the network\n";
    for (const FlowsCheck& f : flows.workloads) {
      if (f.split > 0)
        out += fmt::format(
            "  {}: packets of {} flows may take several paths; the flow counts on each path with its share\n",
            f.workload, FormatGrouped(static_cast<double>(f.split), 0));
    }
  }
  for (const std::string& name : flows.too_many)
    out +=
        fmt::format("  {}: no shares, because there are too many flows to compute them one by one\n", name);
  return out;
}

}  // namespace

std::string DescribeTraffic(const TrafficCheck& traffic, const FlowsChecks& flows) {
  return Workloads(traffic) + Loads(traffic) + Bursts(traffic) + Flows(flows);
}

}  // namespace headroom
