// Part of human_sections.h: results of the network.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/text/human_sections.h"
#include "report/text/metric_text.h"

namespace headroom {

using nlohmann::ordered_json;

/// The switch whose lossless groups came nearest to their pause threshold.
static std::string NearestToPause(const ordered_json& buffers) {
  std::string name;
  double closest = 0;
  for (const auto& [node, buffer] : buffers.items()) {
    const double here = buffer.value("closest_to_xoff", 0.0);
    if (here > closest) {
      closest = here;
      name = node;
    }
  }
  if (name.empty()) return "no lossless group held a byte";
  return fmt::format("the closest was {}, at {:.1f} % of a group's pause threshold", name, closest * 100);
}

/// Describes a kind of root within a sentence.
static std::string RootWords(const std::string& kind) {
  if (kind == "receiver") return "the slow receiver";
  if (kind == "storm") return "the pause storm";
  if (kind == "blocked") return "the blocked port";
  return "the cycle";
}

/// The place where most of the paused time comes from, summed over its queues and workloads.
static std::string DescribeRoots(const ordered_json& pfc) {
  if (!pfc.contains("roots") || pfc["roots"].empty()) return "";
  struct Source {
    std::string where;
    double share = 0;
    std::map<std::string, double> workloads{};
  };
  std::vector<Source> sources;
  for (const ordered_json& root : pfc["roots"]) {
    const std::string kind = root["kind"].get<std::string>();
    std::string where = root["node"].get<std::string>() + ':' + root["port"].get<std::string>();
    if (kind != "queue") where = fmt::format("{} at {}", RootWords(kind), where);
    auto at = std::find_if(sources.begin(), sources.end(), [&](const Source& p) { return p.where == where; });
    if (at == sources.end()) at = sources.insert(sources.end(), Source{where});
    at->share += root["share"].get<double>();
    at->workloads[root["workload"].get<std::string>()] += root["share"].get<double>();
  }
  const auto most = std::max_element(sources.begin(), sources.end(),
                                     [](const Source& a, const Source& b) { return a.share < b.share; });
  std::string who;
  for (const auto& [workload, share] : most->workloads) {
    if (workload.empty() || share < most->share / 10) continue;
    who += (who.empty() ? "" : ", ") + workload;
  }
  if (!who.empty()) who = " (" + Shorten(who, 30) + ")";
  return fmt::format("{:.0f} % of paused time comes from {}{}\n", most->share * 100, Shorten(most->where, 40),
                     who);
}

std::string DescribePfc(const Scenario& scenario, const ordered_json& summary) {
  bool lossless = false;
  for (const TrafficClass& c : scenario.classes) lossless |= c.lossless;
  if (!lossless) return "PFC: no lossless class\n";
  const MetricText metric(summary);
  const std::string before =
      metric.Number("warmup.pause_frames") > 0
          ? fmt::format("PFC in the warm-up: {} pause frames\n", metric.Cell("warmup.pause_frames"))
          : "";
  // A pause of the warm-up may last beyond it.
  if (metric.Number("pfc.pause_frames") == 0 && metric.Number("pfc.paused_us") == 0) {
    const char* const when = before.empty() ? "" : " after the warm-up";
    return fmt::format("PFC never fired{}; {}\n", when, NearestToPause(summary.at("buffer"))) + before;
  }
  TextTable table("lrrrr", {"PFC, sent by", "pauses", "pause frames", "resume frames", "paused, µs"});
  const auto row = [&](const std::string& name, const std::string& at) {
    table.AddRow({name, metric.Cell(at + ".pauses"), metric.Cell(at + ".pause_frames"),
                  metric.Cell(at + ".resume_frames"), metric.Cell(at + ".paused_us")});
  };
  for (const auto& [tier, unused] : summary.at("pfc").at("by_tier").items()) {
    const std::string at = "pfc.by_tier." + tier;
    if (metric.Number(at + ".pause_frames") + metric.Number(at + ".paused_us") > 0) row(tier, at);
  }
  row("all", "pfc");
  return table.ToString() + before + DescribeRoots(summary.at("pfc"));
}

std::string DescribeRails(const Scenario&, const ordered_json& summary) {
  const auto* const rails = FindMetric(summary, "rails");
  if (rails == nullptr) return "";
  const MetricText metric(summary);
  TextTable table("lrrr", {"rail", "NICs", "sent, bytes", "received, bytes"});
  for (const auto& [rail, unused] : rails->items()) {
    const std::string at = "rails." + rail;
    table.AddRow(
        {rail, metric.Cell(at + ".nics"), metric.Cell(at + ".tx_bytes"), metric.Cell(at + ".rx_bytes")});
  }
  return table.ToString();
}

/// Marks, drops and losses of the warm-up, in which nothing else is counted; empty if there are none.
static std::string DescribeWarmup(const MetricText& metric) {
  std::string out;
  const auto add = [&](const std::string& path, const std::string& what) {
    const std::string at = "warmup." + path;
    if (metric.Number(at) > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", metric.Cell(at), what);
  };
  add("drops.lossless", "lossless packets dropped");
  add("drops.lossy", "lossy packets dropped");
  add("marked_packets", "packets marked");
  add("retransmitted_packets", "resent");
  add("naks", "NAKs");
  add("timeouts", "timeouts");
  return out.empty() ? "" : "in the warm-up  " + out + '\n';
}

/// Queue pairs that failed, the first ones by name.
static std::string DescribeFailures(const ordered_json& summary, const MetricText& metric) {
  const auto* failed = FindMetric(summary, "failed_queue_pairs");
  if (failed == nullptr || failed->empty()) return "";
  std::string out = fmt::format("failed {} queue pairs:", metric.Cell("transport.failed_queue_pairs"));
  constexpr size_t kMost = 3;
  size_t named = 0;
  for (const auto& [name, at_us] : failed->items()) {
    if (named++ == kMost) break;
    out += fmt::format("{}{} at {} µs", named == 1 ? " " : ", ", Shorten(name, 20), FormatReadable(at_us));
  }
  return out + (failed->size() > kMost ? ", …; see events.csv\n" : "\n");
}

std::string DescribeMarksAndDrops(const Scenario& scenario, const ordered_json& summary) {
  const MetricText metric(summary);
  const auto fraction = FindNumber(summary, "ecn.marked_fraction");
  std::string out = fmt::format("ECN    {} packets marked", metric.Cell("ecn.marked_packets"));
  out +=
      fraction ? fmt::format(", {:.3f} % of those delivered\n", *fraction * 100) : "; none was delivered\n";
  out += fmt::format("CNP    {} sent, {} cut a rate, {} cut none\n", metric.Cell("cnp.sent"),
                     metric.Cell("cnp.handled"), metric.Cell("cnp.ignored"));
  const double missing =
      metric.Number("cnp.sent") - metric.Number("cnp.handled") - metric.Number("cnp.ignored");
  if (missing >= 1)
    out.insert(out.size() - 1,
               fmt::format("; at least {:.0f} did not arrive by the end", std::floor(missing)));
  const double drops = metric.Number("drops.lossless") + metric.Number("drops.lossy");
  if (drops == 0) {
    out += metric.Number("warmup.drops.lossless") + metric.Number("warmup.drops.lossy") == 0
               ? "drops  none\n"
               : "drops  none after the warm-up\n";
  } else {
    out += fmt::format("drops  {} lossless, {} lossy\n", metric.Cell("drops.lossless"),
                       metric.Cell("drops.lossy"));
    for (const auto& [reason, unused] : summary.at("drops").at("by_reason").items()) {
      const std::string path = "drops.by_reason." + reason;
      if (metric.Number(path) > 0) out += fmt::format("       {:14} {}\n", reason, metric.Cell(path));
    }
    out += scenario.observe.drops ? "       drops.csv has each of them, with what was full\n"
                                  : "       `--set observe.drops={}` records each of them in drops.csv\n";
  }
  if (metric.Number("transport.retransmitted_packets") + metric.Number("transport.timeouts") +
          metric.Number("transport.naks") >
      0) {
    out += fmt::format("resent {} packets after {} NAKs and {} timeouts\n",
                       metric.Cell("transport.retransmitted_packets"), metric.Cell("transport.naks"),
                       metric.Cell("transport.timeouts"));
  }
  out += DescribeFailures(summary, metric) + DescribeWarmup(metric);
  if (FindNumber(summary, "recovery.contexts_used")) {
    out += fmt::format("contexts  {} of {} at a host, {} requests refused\n",
                       metric.Cell("recovery.contexts_used"), metric.Cell("recovery.contexts"),
                       metric.Cell("recovery.contexts_refused"));
  }
  return out;
}

/// For each tier: the switch that used most of its headroom, by share of the configured one, then by peak;
/// and how near any switch of the tier came to XOFF.
std::string DescribeBuffers(const Scenario& scenario, const ordered_json& summary) {
  struct Tier {
    std::string name, fullest;
    int switches = 0;
    double share = -1, peak = -1, nearest = 0;
  };
  std::vector<Tier> tiers;
  const MetricText metric(summary);
  for (size_t i = scenario.topology.hosts; i < scenario.topology.nodes.size(); ++i) {
    const TopologyNode& node = scenario.topology.nodes[i];
    const std::string at = "buffer." + node.name + '.';
    if (!FindMetric(summary, "buffer." + node.name)) continue;
    auto tier = std::find_if(tiers.begin(), tiers.end(), [&](const Tier& t) { return t.name == node.tier; });
    if (tier == tiers.end()) tier = tiers.insert(tiers.end(), Tier{node.tier, "", 0, -1, -1, 0});
    ++tier->switches;
    const double configured = metric.Number(at + "headroom_configured_bytes");
    const double share = configured > 0 ? metric.Number(at + "peak_headroom_bytes") / configured : 0;
    const double peak = metric.Number(at + "peak_bytes");
    tier->nearest = std::max(tier->nearest, metric.Number(at + "closest_to_xoff"));
    if (std::pair(share, peak) <= std::pair(tier->share, tier->peak)) continue;
    tier->share = share;
    tier->peak = peak;
    tier->fullest = node.name;
  }
  if (tiers.empty()) return "";
  TextTable table("lrlrrrr", {"buffers", "switches", "most headroom at", "its peak", "headroom used",
                              "configured", "nearest to XOFF"});
  for (const Tier& t : tiers) {
    const std::string at = "buffer." + t.fullest + '.';
    table.AddRow({t.name, std::to_string(t.switches), Shorten(t.fullest, 24), FormatBytes(t.peak),
                  FormatBytes(metric.Number(at + "peak_headroom_bytes")),
                  FormatBytes(metric.Number(at + "headroom_configured_bytes")),
                  fmt::format("{:.1f} %", t.nearest * 100)});
  }
  return table.ToString();
}

std::string DescribeCost(const Scenario&, const ordered_json& summary) {
  const MetricText metric(summary);
  const ordered_json* ok = FindMetric(summary, "conservation.ok");
  const bool conserved = ok && ok->is_boolean() && ok->get<bool>();
  // If a balance does not close, bytes are shown exactly.
  const auto bytes = [&](const char* path) {
    const double n = metric.Number(path);
    return conserved ? FormatBytes(n) : FormatGrouped(n, 0);
  };
  std::string out = fmt::format("bytes  {} sent = {} delivered + {} dropped + {} in flight{}\n",
                                bytes("conservation.sent_bytes"), bytes("conservation.delivered_bytes"),
                                bytes("conservation.dropped_bytes"), bytes("conservation.in_flight_bytes"),
                                conserved ? ": conserved" : "\n       NOT CONSERVED");
  out += fmt::format(
      "speed  {:.2f} M packet-hops per CPU second ({} packet-hops, {:.1f} s CPU, {:.1f} s, {:.0f} MB)\n",
      metric.Number("run.packet_hops_per_cpu_s") / 1e6, FormatReadable(metric.Number("run.packet_hops")),
      metric.Number("run.cpu_s"), metric.Number("run.wall_s"), metric.Number("run.peak_rss_mb"));
  if (FindMetric(summary, "run.estimate.ranks") != nullptr) {
    out += fmt::format(
        "estimate  {:.0f} processes: {:.2f} times as fast from the first event to the last ({:.3g} s of CPU "
        "time each, "
        "one process {:.3g} s); not measured\n",
        metric.Number("run.estimate.ranks"), metric.Number("run.estimate.estimated_gain"),
        metric.Number("run.estimate.estimated_s"), metric.Number("run.estimate.one_process_s"));
  }
  return out;
}

}  // namespace headroom
