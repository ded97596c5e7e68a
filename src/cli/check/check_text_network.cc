// Network and paths in the text of a check.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check/check_text.h"
#include "cli/quantity_text.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// For example "3", or "3 – 5".
std::string Range(const std::string& least, const std::string& most) {
  return least == most ? least : least + " – " + most;
}

/// The parts of one frame's latency.
std::string DescribePath(const PathCheck& p) {
  Time cables, nodes;
  for (const PathStep& s : p.steps) {
    cables += s.delay;
    nodes += s.latency;
  }
  const Time all = p.steps.back().arrival;
  const std::string text = fmt::format(
      "one way {} µs: {} in cables, {} in nodes, {} of transmission; base RTT {} µs", MicrosText(all),
      MicrosText(cables), MicrosText(nodes), MicrosText(all - cables - nodes), MicrosText(p.rtt));
  return "\n           " + Wrapped(text, 89, 11) + '\n';
}

}  // namespace

std::string DescribeTopology(const Scenario& scenario, const CheckReport& report) {
  const TopologyCheck& topology = report.topology;
  TextTable switches("lrrlll", {"switches", "number", "latency", "buffer", "PFC", "as"});
  for (const SwitchClass& c : report.switches) {
    const BufferParameters& b = c.parameters->buffer;
    const int cards = c.parameters->chassis ? c.parameters->chassis->line_cards : 0;
    switches.AddRow({c.name, std::to_string(c.switches), FormatTime(c.parameters->transit()),
                     fmt::format("{}, {}{}", b.profile.empty() ? "own tables" : b.profile, SizeText(b.size),
                                 cards > 0 ? fmt::format(", {} line cards", cards) : ""),
                     c.parameters->pfc.enabled ? "on" : "off",
                     Shorten(scenario.topology.nodes[c.example].name, 30)});
  }
  TextTable links("lrrrl", {"links", "rate", "one way", "number", "as"});
  for (const LinkClass& c : topology.links) {
    links.AddRow({c.lower + " – " + c.upper, FormatRate(c.spec.rate), FormatTime(c.spec.delay + c.spec.phy),
                  std::to_string(c.links), Shorten(c.example, 30)});
  }
  TextTable distances("lrrrl", {"two hosts of a", "hops", "base RTT, µs", "BDP", "as"});
  for (const Distance& d : topology.distances) {
    distances.AddRow({ScopeName(d.scope), Range(std::to_string(d.least_hops), std::to_string(d.most_hops)),
                      Range(MicrosText(d.least_rtt), MicrosText(d.most_rtt)),
                      Range(SizeText(d.least_bdp), SizeText(d.most_bdp)),
                      Shorten(d.from, 18) + " → " + Shorten(d.to, 18)});
  }
  return switches.ToString() + '\n' + links.ToString() +
         (distances.Empty() ? "" : "\n" + distances.ToString());
}

std::string DescribePaths(const std::vector<PathCheck>& paths) {
  std::string out;
  for (const PathCheck& p : paths) {
    if (p.steps.empty()) return "path       none: no links connect the two hosts\n";
    std::string uses;
    for (const std::string& use : p.used_by) uses += (uses.empty() ? "" : "; ") + use;
    if (p.paths > 1)
      uses += fmt::format(": packets may take {} paths; the table shows one", FormatGrouped(p.paths, 0));
    out += (out.empty() ? "" : "\n") + ("path       " + Wrapped(uses, 89, 11)) + DescribePath(p);
    TextTable table("llrrrrr", {"from", "to", "rate", "latency", "one way", "ECMP", "frame in at, µs"});
    for (const PathStep& s : p.steps) {
      table.AddRow({Shorten(s.from + ":" + s.from_port, 22), Shorten(s.to + ":" + s.to_port, 22),
                    FormatRate(s.rate), FormatTime(s.latency), FormatTime(s.delay),
                    fmt::format("{} of {}", s.any ? "any" : std::to_string(s.choice), s.choices),
                    MicrosText(s.arrival)});
    }
    out += table.ToString();
  }
  return out;
}

}  // namespace headroom
