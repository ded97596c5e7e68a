// Network and paths in a check.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check/columns.h"
#include "cli/check/sections.h"
#include "cli/labelled_line.h"

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

const auto kLinks = Columns<LinkClass>()
                        .InText("links", [](const LinkClass& c) { return c.lower + " – " + c.upper; })
                        .InJson("lower", &LinkClass::lower)
                        .InJson("upper", &LinkClass::upper)
                        .InJson("link", [](const LinkClass& c) { return LinkJson(c.spec); })
                        .InText("rate", [](const LinkClass& c) { return c.spec.rate; })
                        .InText("one way", [](const LinkClass& c) { return c.spec.delay + c.spec.phy; })
                        .Both("links", "number", &LinkClass::links)
                        .Both("as", "as", &LinkClass::example, UpTo{30});

const auto kDistances =
    Columns<Distance>()
        .Both("scope", "two hosts of a", [](const Distance& d) { return std::string(ScopeName(d.scope)); })
        .InJson("hops",
                [](const Distance& d) {
                  return std::array{d.least_hops, d.most_hops};
                })
        .InJson("base_rtt_us",
                [](const Distance& d) {
                  return std::array{InMicroseconds(d.least_rtt), InMicroseconds(d.most_rtt)};
                })
        .InJson("bdp_bytes",
                [](const Distance& d) {
                  return std::array{d.least_bdp.v, d.most_bdp.v};
                })
        .InJson("as",
                [](const Distance& d) {
                  return std::array{d.from, d.to};
                })
        .InText("hops", std::identity(),
                [](const Distance& d) {
                  return Range(std::to_string(d.least_hops), std::to_string(d.most_hops));
                })
        .InText("base RTT, µs", std::identity(),
                [](const Distance& d) { return Range(MicrosText(d.least_rtt), MicrosText(d.most_rtt)); })
        .InText("BDP", std::identity(),
                [](const Distance& d) { return Range(SizeText(d.least_bdp), SizeText(d.most_bdp)); })
        .InText("as", [](const Distance& d) { return Shorten(d.from, 18) + " → " + Shorten(d.to, 18); });

const auto kSteps =
    Columns<PathStep>()
        .InText("from", [](const PathStep& s) { return Shorten(s.from + ":" + s.from_port, 22); })
        .InText("to", [](const PathStep& s) { return Shorten(s.to + ":" + s.to_port, 22); })
        .InJson("from", &PathStep::from)
        .InJson("from_port", &PathStep::from_port)
        .InJson("to", &PathStep::to)
        .InJson("to_port", &PathStep::to_port)
        .Both("rate_bps", "rate", &PathStep::rate)
        .Both("latency_us", "latency", &PathStep::latency)
        .Both("one_way_us", "one way", &PathStep::delay)
        .InJson("choice", &PathStep::choice)
        .InJson("choices", &PathStep::choices)
        .InText("ECMP", std::identity(),
                [](const PathStep& s) {
                  return fmt::format("{} of {}", s.any ? "any" : std::to_string(s.choice), s.choices);
                })
        .Both("arrival_us", "frame in at, µs", &PathStep::arrival, MicrosText);

}  // namespace

nlohmann::ordered_json LinkJson(const LinkSpec& link) {
  return {{"rate_bps", link.rate.v}, {"one_way_us", InMicroseconds(link.delay + link.phy)}};
}

nlohmann::ordered_json TopologyJson(const TopologyCheck& t) {
  nlohmann::ordered_json json;
  for (const TierCount& tier : t.tiers) json["nodes"][tier.tier] = tier.nodes;
  json["links"] = kLinks.Json(t.links);
  json["distances"] = kDistances.Json(t.distances);
  return json;
}

nlohmann::ordered_json PathJson(const PathCheck& p) {
  return {{"used_by", p.used_by},
          {"source_port", p.source_port},
          {"base_rtt_us", InMicroseconds(p.rtt)},
          {"ways", p.paths},
          {"hops", kSteps.Json(p.steps)}};
}

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
  const std::string distances = kDistances.Text(topology.distances);
  return switches.ToString() + '\n' + kLinks.Text(topology.links) +
         (distances.empty() ? "" : "\n" + distances);
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
    out += kSteps.Text(p.steps);
  }
  return out;
}

}  // namespace headroom
