// Traffic in a check.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check/columns.h"
#include "cli/check/sections.h"

namespace headroom {
namespace {

std::string Gigabits(double bps) { return FormatReadable(bps / 1e9); }
std::string Percent(double share) { return fmt::format("{:.1f} %", share * 100); }

const auto kWorkloads =
    Columns<WorkloadCheck>()
        .Both("name", "workload", &WorkloadCheck::name, UpTo{20})
        .Both("type", "type", &WorkloadCheck::type)
        .Both("class", "class", &WorkloadCheck::traffic_class, UpTo{12})
        .Both("messages", "messages", &WorkloadCheck::messages,
              [](double messages) { return FormatGrouped(messages, 0); })
        .Both(
            "mean_bytes", "mean size", [](const WorkloadCheck& w) { return w.each.payload; },
            [](double bytes) { return FormatBytes(bytes); })
        .InJson("mean_packets", [](const WorkloadCheck& w) { return w.each.packets; })
        .Both("offered_bps", "offered, Gb/s", &WorkloadCheck::offered_bps,
              [](const std::optional<double>& bps) { return bps ? Gigabits(*bps) : "-"; })
        .Both("mean_hops", "hops", &WorkloadCheck::hops,
              [](double hops) { return fmt::format("{:.2f}", hops); })
        .Both("packet_hops", "packet-hops", &WorkloadCheck::packet_hops, CountText);

const auto kLoads = Columns<LinkLoad>()
                        .InText("offered load", [](const LinkLoad& l) { return l.from + " → " + l.to; })
                        .InJson("from", &LinkLoad::from)
                        .InJson("to", &LinkLoad::to)
                        .Both("rate_bps", "rate", &LinkLoad::rate)
                        .Both("links", "links", &LinkLoad::links)
                        .Both("mean_load", "mean", &LinkLoad::Mean, Percent)
                        .Both("most_load", "fullest", &LinkLoad::Most, Percent)
                        .Both("fullest", "which", &LinkLoad::fullest, UpTo{34});

const auto kBursts =
    Columns<Burst>()
        .Both("workload", "burst", &Burst::workload, UpTo{24})
        .Both("fan_in", "senders", &Burst::fan_in)
        .InJson("targets", &Burst::targets)
        .Both("bytes", "bytes", &Burst::bytes)
        .Both("target_rate_bps", "target's link", &Burst::rate)
        .Both("drain_us", "drains in, µs", &Burst::drain, MicrosText)
        .InJson("every_us",
                [](const Burst& b) { return b.every.v > 0 ? std::optional(b.every) : std::nullopt; })
        .InText("every, µs", &Burst::every,
                [](Time every) { return every.v > 0 ? MicrosText(every) : "once"; });

const auto kFlows =
    Columns<FlowsCheck>()
        .Both("workload", "all at once", &FlowsCheck::workload, UpTo{18})
        .Both("flows", "flows", &FlowsCheck::flows)
        .InJson("goodput_bps",
                [](const FlowsCheck& f) -> nlohmann::ordered_json {
                  return {{"least", f.least_bps}, {"median", f.median_bps}, {"most", f.most_bps}};
                })
        .InText("Gb/s least", &FlowsCheck::least_bps, Gigabits)
        .InText("median", &FlowsCheck::median_bps, Gigabits)
        .InText("most", &FlowsCheck::most_bps, Gigabits)
        .InJson("split_flows", &FlowsCheck::split)
        .Both("most_on_a_link", "on a link", &FlowsCheck::most_on_a_link,
              [](size_t flows) { return flows > 0 ? std::to_string(flows) : "-"; })
        .InJson("fullest", &FlowsCheck::fullest)
        .InText("which",
                [](const FlowsCheck& f) { return f.most_on_a_link > 0 ? Shorten(f.fullest, 20) : "-"; })
        .InJson("slowest_us",
                [](const FlowsCheck& f) {
                  return f.slowest_seconds > 0 ? std::optional(f.slowest_seconds * 1e6) : std::nullopt;
                })
        .InText("slowest, µs", &FlowsCheck::slowest_seconds,
                [](double seconds) { return seconds > 0 ? FormatReadable(seconds * 1e6) : "-"; });

std::string Loads(const TrafficCheck& traffic) {
  if (traffic.loads.empty()) return "";
  return kLoads.Text(traffic.loads) +
         "  average load on the wire by workloads that have a rate. It counts requests, answers and ACKs "
         "of\n  every leg and copy, spread evenly by ECMP and over extents. Not counted: "
         "retransmissions, CNPs,\n  hedged reads, and traffic that a failover moves\n";
}

std::string Flows(const FlowsChecks& flows) {
  std::string out;
  if (!flows.workloads.empty()) {
    out = kFlows.Text(flows.workloads) +
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

nlohmann::ordered_json TrafficJson(const TrafficCheck& t) {
  return {{"workloads", kWorkloads.Json(t.workloads)},
          {"loads", kLoads.Json(t.loads)},
          {"bursts", kBursts.Json(t.bursts)}};
}

nlohmann::ordered_json FlowsJson(const FlowsChecks& flows) { return kFlows.Json(flows.workloads); }

std::string DescribeTraffic(const TrafficCheck& traffic, const FlowsChecks& flows) {
  std::string out;
  for (const std::string& part :
       {kWorkloads.Text(traffic.workloads), Loads(traffic), kBursts.Text(traffic.bursts), Flows(flows)})
    if (!part.empty()) out += (out.empty() ? "" : "\n") + part;
  return out;
}

}  // namespace headroom
