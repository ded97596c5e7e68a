#include "cli/check/check_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "cli/check/check_json.h"
#include "cli/check/remedies.h"
#include "cli/check/sections.h"
#include "cli/labelled_line.h"
#include "cli/quantity_text.h"
#include "dcqcn/generations.h"
#include "report/text/text_table.h"
#include "scenario/memory/memory.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

std::string Plural(size_t n, const std::string& one) {
  return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

std::string ClassText(const TrafficClass& c) {
  return fmt::format("{}: priority {}, DSCP {}, {}, {}", c.name, c.priority, c.dscp,
                     c.lossless ? "lossless" : "lossy",
                     c.strict ? "strict" : fmt::format("weight {}", c.weight));
}

/// Generation and congestion control; in brackets the keys that differ from the generation's.
std::string NicKind(const NicParameters& nic) {
  const bool dcqcn = nic.congestion_control == NicParameters::CongestionControl::dcqcn;
  std::vector<std::string> own;
  if (dcqcn && nic.dcqcn != FindGeneration(nic.generation)->dcqcn) own.push_back("own DCQCN parameters");
  if (!nic.resources.Ideal()) own.push_back("resources " + nic.resources.set);
  if (nic.congestion_leaking) own.push_back("bug congestion_leaking");
  if (nic.hidden_fence) own.push_back("bug hidden_fence");
  const std::string control = dcqcn              ? " with DCQCN"
                              : nic.HasControl() ? " with " + nic.control->name()
                                                 : " without congestion control";
  return nic.generation + control + (own.empty() ? "" : fmt::format(" ({})", fmt::join(own, ", ")));
}

std::string NicsText(const Scenario& s) {
  std::map<std::string, uint32_t> kinds;
  for (const NicParameters& nic : s.nics) ++kinds[NicKind(nic)];
  std::string text;
  for (const auto& [kind, count] : kinds)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text;
}

std::string ClockText(const OscillatorParameters& o) {
  if (o == OscillatorParameters::Exact()) return "exact";
  std::string text = o.ppm > 0 ? fmt::format("off by up to {} ppm", FormatNumber(o.ppm)) : "exact frequency";
  if (o.jitter == kNever) text += ", frames in a row up to one frame late";
  if (o.jitter > Time{} && o.jitter != kNever)
    text += fmt::format(", frames in a row up to {} late", FormatTime(o.jitter));
  return text;
}

/// The clocks of hosts and of switches, each kind with its number if there are several.
std::string ClocksText(const Scenario& s) {
  std::map<std::string, size_t> kinds;
  for (const NicParameters& nic : s.nics) ++kinds[ClockText(nic.oscillator)];
  for (const SwitchParameters& one : s.switches) ++kinds[ClockText(one.oscillator)];
  std::string text;
  for (const auto& [kind, count] : kinds)
    text += (text.empty() ? "" : "; ") + (kinds.size() > 1 ? std::to_string(count) + " " : "") + kind;
  return text;
}

/// For example "16 hosts with 8 NICs each".
std::string HostsText(const Topology& topology) {
  std::map<uint16_t, size_t> hosts;
  size_t gpus = 0;
  for (NodeId n = 0; n < topology.hosts; ++n) {
    const TopologyNode& node = topology.nodes[n];
    const bool gpu = node.nics == 1 && node.name.find('/') != std::string::npos;
    if (gpu) ++gpus;
    if (node.nic == 0 && !gpu) ++hosts[node.nics];
  }
  std::string text;
  for (const auto& [nics, count] : hosts)
    text += fmt::format("{}{} with {}{}", text.empty() ? "" : ", ", Plural(count, "host"),
                        Plural(nics, "NIC"), nics > 1 && count > 1 ? " each" : "");
  return gpus > 0 ? text + ", " + Plural(gpus, "GPU") : text;
}

std::string DescribeScenario(const ScenarioFile& file, const TopologyCheck& topology) {
  const Scenario& s = file.scenario;
  std::string out =
      LabelledLine("times", fmt::format("arrivals for {}, deadline {}, warm-up {}", FormatTime(s.duration),
                                        FormatTime(s.deadline), FormatTime(s.warmup)));
  const size_t points = Points(file.experiment).size();
  const auto seeds = static_cast<size_t>(file.experiment.seeds);
  if (points * seeds > 1)
    out += LabelledLine("series", fmt::format("{} × {} = {} runs", Plural(points, "point"),
                                              Plural(seeds, "seed"), points * seeds));
  if (!file.experiment.expect.empty())
    out += LabelledLine("expects", Plural(file.experiment.expect.size(), "expectation"));
  std::string nodes;
  for (const TierCount& tier : topology.tiers)
    nodes += fmt::format("{}{} {}", nodes.empty() ? "" : ", ", tier.nodes, tier.tier);
  const auto inside = [](const TopologyNode& n) { return n.name.find('/') != std::string::npos; };
  if (std::ranges::any_of(s.topology.nodes, inside))
    nodes += "; hosts here are NICs and GPUs: " + HostsText(s.topology);
  out += LabelledLine("nodes", nodes);
  out += LabelledLine("NICs", fmt::format("{}; {} B payload per packet", NicsText(s), s.mtu));
  out += LabelledLine("clocks", ClocksText(s));
  std::string label = "classes";
  for (const TrafficClass& c : s.classes) {
    if (c.name.empty()) continue;
    out += LabelledLine(label, ClassText(c));
    label.clear();
  }
  if (!s.faults.empty()) out += LabelledLine("faults", std::to_string(s.faults.size()));
  return out;
}

std::string DescribeEstimate(const ScenarioFile& file, const TrafficCheck& traffic) {
  const size_t runs = Points(file.experiment).size() * static_cast<size_t>(file.experiment.seeds);
  const double seconds = traffic.run_seconds;
  const std::string time = seconds < 120 ? fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0)
                                         : fmt::format("{:.0f} min", seconds / 60);
  return LabelledLine(
      "estimate",
      fmt::format("{} packet-hops of data and ACKs, about {} of CPU at {:g} M packet-hops a second{}; "
                  "about {} of memory, at most {}{}",
                  CountText(traffic.packet_hops), time, kUsualSpeed / 1e6,
                  traffic.tcp_packets > 0
                      ? fmt::format(" and {:g} k packets of TCP (measured)", kUsualTcpSpeed / 1e3)
                      : "",
                  FormatMemory(traffic.memory.expected), FormatMemory(traffic.memory.worst),
                  runs > 1 ? "; each run" : ""));
}

std::string DescribeFindings(const Findings& findings) {
  std::map<Finding::Severity, size_t> count;
  std::string list;
  for (const Finding& f : findings) {
    ++count[f.severity];
    const std::string indent(kLabelWidth, ' ');
    list += LabelledLine(SeverityName(f.severity), f.where);
    list += indent + Wrapped(f.what, kTextWidth - kLabelWidth, kLabelWidth) + '\n';
    for (const Remedy& remedy : f.remedies)
      list += indent + Wrapped("→ " + RemedyText(remedy), kTextWidth - kLabelWidth, kLabelWidth + 2) + '\n';
  }
  using enum Finding::Severity;
  return fmt::format("found      {}, {}, {}\n", Plural(count[error], "error"),
                     Plural(count[warning], "warning"), Plural(count[note], "note")) +
         list;
}

/// A section, in the order of the page. The one with the lowest rank is the first to have its place.
struct Section {
  const char* name;
  int rank;
  std::string text;
  size_t Lines() const { return 1 + static_cast<size_t>(std::ranges::count(text, '\n')); }
};

/// The sections that do not fit into kBriefLines, without their texts.
std::vector<std::string> LeaveOut(std::vector<Section>& sections) {
  std::vector<Section*> by_rank;
  for (Section& section : sections)
    if (!section.text.empty()) by_rank.push_back(&section);
  std::ranges::stable_sort(by_rank, {}, &Section::rank);
  std::vector<const Section*> out;
  size_t left = kBriefLines;
  for (Section* section : by_rank) {
    if (section->Lines() > left) {
      out.push_back(section);
    } else {
      left -= section->Lines();
    }
  }
  std::vector<std::string> names;
  for (Section& section : sections) {
    if (std::ranges::find(out, &section) == out.end()) continue;
    names.push_back(fmt::format("{} ({})", section.name, Plural(section.Lines() - 1, "line")));
    section.text.clear();
  }
  return names;
}

}  // namespace

std::string CheckAsText(const ScenarioFile& file, const CheckReport& report, bool full) {
  std::string out = LabelledLine("scenario", fmt::format("{} ({})", file.scenario.name, file.scenario.file)) +
                    DescribeFindings(report.findings);
  std::vector<Section> sections = {{"settings", 1, DescribeScenario(file, report.topology)},
                                   {"network", 4, DescribeTopology(file.scenario, report)},
                                   {"NICs", 8, DescribeNics(report.nics, file.scenario.mtu)},
                                   {"configurations", 9, DescribeConfigurations(report.configurations)},
                                   {"buffer profiles", 12, DescribeProfiles(report.switches)},
                                   {"memory", 10, DescribeMemory(report.memory)},
                                   {"headroom", 11, DescribeHeadroom(report.headroom)},
                                   {"receive buffers", 7, DescribeNicHeadroom(report.nic_headroom)},
                                   {"thresholds", 5, DescribeThresholds(report.thresholds)},
                                   {"pauses", 6, DescribePauses(report.watchdogs, report.deadlock)},
                                   {"services", 3, DescribeServices(report.services)},
                                   {"traffic", 2, DescribeTraffic(report.traffic, report.flows)},
                                   {"estimate", 0, DescribeEstimate(file, report.traffic)}};
  const std::vector<std::string> left_out = full ? std::vector<std::string>() : LeaveOut(sections);
  // Paths are printed because they were asked for.
  sections.insert(sections.end() - 1, {"paths", 0, DescribePaths(report.paths)});
  for (const Section& section : sections)
    if (!section.text.empty()) out += '\n' + section.text;
  if (!left_out.empty())
    out += '\n' + LabelledLine("--full", fmt::format("also prints {}", fmt::join(left_out, ", ")));
  return out;
}

}  // namespace headroom
