// htsim's topology file and connection matrix as a scenario.
//
// Topology: `Nodes N`, `Tiers 2|3`, `Podsize P`, then for each tier `Tier t` and the tier's keys. Hosts are
// numbered in the order of their ToRs. Every ToR is linked to every aggregation switch of its pod.
// Aggregation switch a of a pod with A of them is linked to the cores a, a + A, a + 2A and so on. `Bundle` is
// the number of parallel links downwards; speeds and latencies are those of the links downwards. Connections:
// `S->D start PICOSECONDS size BYTES`. Ids and priorities have no effect here; a note names the priorities.
// Source: csg-htsim, fat_tree_topology.cpp and connection_matrix.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "cli/convert/exchange.h"
#include "scenario/read/load.h"
#include "scenario/yaml/line_reader.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kMostNodes = 1'000'000, kMostTime = 86'400'000'000'000'000;  // kMost is in ps: a day

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

struct Tier {
  int64_t speed_gbps = 0, radix_up = 0, radix_down = 0, oversubscribed = 1, bundle = 1;
  int64_t link_ns = 0, switch_ns = 0;
  bool given = false;
};
struct Tree {
  int64_t hosts = 0, tiers = 0, pod = 0;
  std::array<Tier, 3> tier;
};

int64_t* FieldOf(Tier& tier, const std::string& key) {
  const std::map<std::string, int64_t*> fields = {{"downlink_speed_gbps", &tier.speed_gbps},
                                                  {"radix_up", &tier.radix_up},
                                                  {"radix_down", &tier.radix_down},
                                                  {"oversubscribed", &tier.oversubscribed},
                                                  {"bundle", &tier.bundle},
                                                  {"downlink_latency_ns", &tier.link_ns},
                                                  {"switch_latency_ns", &tier.switch_ns}};
  const auto found = fields.find(key);
  return found == fields.end() ? nullptr : found->second;
}

void RefuseNegative(const LineReader& lines, const std::string& key, const std::string& text) {
  if (text.size() > 1 && text[0] == '-' && std::isdigit(static_cast<unsigned char>(text[1])))
    throw ScenarioError(lines.where(), fmt::format("{} {} is a negative number", key, Quote(text)),
                        "allowed: whole numbers from 0");
}

Tree ReadTree(const fs::path& file) {
  LineReader lines(file, WholeFile(file), /*comments=*/true);
  Tree tree;
  Tier* tier = nullptr;
  for (auto words = lines.NextIfAny(); !words.empty(); words = lines.NextIfAny()) {
    const std::string key = Lower(words[0]);
    if (words.size() != 2)
      throw ScenarioError(lines.where(), fmt::format("{} values are in the line", words.size()),
                          "expected: a key and a number");
    if (key == "nodes") {
      tree.hosts = lines.Integer(words[1], 1, kMostNodes);
    } else if (key == "tiers") {
      tree.tiers = lines.Integer(words[1], 2, 3);
    } else if (key == "podsize") {
      tree.pod = lines.Integer(words[1], 1, kMostNodes);
    } else if (key == "tier") {
      tier = &tree.tier[static_cast<size_t>(lines.Integer(words[1], 0, 2))];
      tier->given = true;
    } else if (int64_t* field = tier ? FieldOf(*tier, key) : nullptr) {
      const bool may_be_zero = key.find("latency") != std::string::npos;
      RefuseNegative(lines, words[0], words[1]);
      *field = lines.Integer(words[1], may_be_zero ? 0 : 1, 1'000'000'000);
    } else {
      throw ScenarioError(
          lines.where(), fmt::format("unknown key {}", Quote(words[0])),
          "allowed: Nodes, Tiers, Podsize, Tier and, in a tier, Downlink_speed_Gbps, Radix_Up, Radix_Down, "
          "Oversubscribed, Bundle, Downlink_Latency_ns, Switch_Latency_ns",
          Nearest(words[0],
                  {"Nodes", "Tiers", "Podsize", "Tier", "Downlink_speed_Gbps", "Radix_Up", "Radix_Down",
                   "Oversubscribed", "Bundle", "Downlink_Latency_ns", "Switch_Latency_ns"}));
    }
  }
  const auto missing = [&](const std::string& what) {
    throw ScenarioError(WholeFile(file), what + " is missing");
  };
  if (tree.hosts == 0) missing("Nodes");
  if (tree.tiers == 0) missing("Tiers");
  if (tree.pod == 0) missing("Podsize");
  for (int64_t t = 0; t < tree.tiers; ++t) {
    const Tier& one = tree.tier[static_cast<size_t>(t)];
    if (!one.given) missing(fmt::format("Tier {}", t));
    if (one.speed_gbps == 0) missing(fmt::format("Downlink_speed_Gbps of tier {}", t));
    if (one.radix_down == 0) missing(fmt::format("Radix_Down of tier {}", t));
    if (t + 1 < tree.tiers && one.radix_up == 0) missing(fmt::format("Radix_Up of tier {}", t));
  }
  return tree;
}

/// The number of switches of each tier, per pod and in total.
struct Counts {
  int64_t pods = 0, tors = 0, aggs = 0, cores = 0;
};

int64_t Divided(int64_t dividend, int64_t divisor, const fs::path& file, const std::string& what) {
  if (dividend % divisor != 0)
    throw ScenarioError(WholeFile(file),
                        fmt::format("{}: {} is not a multiple of {}", what, dividend, divisor));
  return dividend / divisor;
}

Counts CountsOf(const Tree& tree, const fs::path& file) {
  const auto& [tor, agg, core] = tree.tier;
  Counts n;
  n.pods = Divided(tree.hosts, tree.pod, file, "hosts in pods");
  if (tree.tiers == 2 && n.pods != 1)
    throw ScenarioError(WholeFile(file), "a network of two tiers is one pod, but Podsize differs from Nodes");
  if (tor.bundle != 1)
    throw ScenarioError(WholeFile(file),
                        "Bundle of tier 0 gives hosts several links, which is not "
                        "supported; allowed: 1");
  n.tors = Divided(tree.pod, tor.radix_down, file, "Podsize, the hosts of a pod") * n.pods;
  const int64_t up =
      Divided(tree.hosts * tor.speed_gbps, agg.speed_gbps * tor.oversubscribed, file, "uplinks of ToRs");
  n.aggs = Divided(up, n.pods * agg.radix_down, file, "aggregation switches of a pod") * n.pods;
  if (n.tors / n.pods * agg.bundle != agg.radix_down)
    throw ScenarioError(WholeFile(file),
                        "Radix_Down of tier 1 differs from the number of ToRs in a pod "
                        "times Bundle");
  if (tor.radix_up != n.aggs / n.pods * agg.bundle)
    throw ScenarioError(WholeFile(file),
                        "Radix_Up of tier 0 differs from the number of aggregation switches in a pod "
                        "times Bundle");
  if (tree.tiers == 2) return n;
  const int64_t top =
      Divided(up * agg.speed_gbps, core.speed_gbps * agg.oversubscribed, file, "uplinks of tier 1");
  n.cores = Divided(top, core.radix_down, file, "core switches");
  if (agg.radix_up / core.bundle * (n.aggs / n.pods) != n.cores)
    throw ScenarioError(WholeFile(file), "Radix_Up of tier 1 does not match the number of core switches");
  return n;
}

std::string Names(const char* prefix, int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i)
    text += fmt::format("{}{}{}", i == 0 ? "" : i % 16 == 0 ? ",\n    " : ", ", prefix, i);
  return text;
}

std::string LinkText(const std::string& a, const std::string& b, const Tier& tier) {
  std::string text;
  for (int64_t copy = 0; copy < tier.bundle; ++copy)
    text += fmt::format("    - {{ends: [{}, {}], rate: {}Gbps, delay: {}ns}}\n", a, b, tier.speed_gbps,
                        tier.link_ns);
  return text;
}

std::string TopologyText(const Tree& tree, const Counts& n) {
  const auto& [tor, agg, core] = tree.tier;
  std::string switches = Names("tor", n.tors) + ",\n    " + Names("agg", n.aggs);
  if (n.cores > 0) switches += ",\n    " + Names("core", n.cores);
  std::string text = fmt::format("topology:\n  type: custom\n  hosts: [{}]\n  switches: [{}]\n  links:\n",
                                 Names("h", tree.hosts), switches);
  for (int64_t h = 0; h < tree.hosts; ++h)
    text += LinkText(fmt::format("h{}", h), fmt::format("tor{}", h / tor.radix_down), tor);
  const int64_t tors = n.tors / n.pods, aggs = n.aggs / n.pods;
  for (int64_t t = 0; t < n.tors; ++t) {
    for (int64_t a = 0; a < aggs; ++a)
      text += LinkText(fmt::format("tor{}", t), fmt::format("agg{}", t / tors * aggs + a), agg);
  }
  for (int64_t a = 0; n.cores > 0 && a < n.aggs; ++a) {
    for (int64_t l = 0; l < agg.radix_up / core.bundle; ++l)
      text += LinkText(fmt::format("agg{}", a), fmt::format("core{}", a % aggs + l * aggs), core);
  }
  return text;
}

constexpr const char* kNoTriggers = "allowed: id, start, size, prio; start is a time in picoseconds";
constexpr const char* kEndless =
    "allowed: size from 1 byte; for an endless flow use a workload of type stream";

/// Reads a number as htsim does, up to the decimal point; the digits behind the point must be zeros.
int64_t WholeNumber(const LineReader& lines, const std::string& key, const std::string& text, int64_t most) {
  RefuseNegative(lines, key, text);
  const size_t point = std::min(text.find('.'), text.size());
  if (text.find_first_not_of("0", std::min(point + 1, text.size())) != std::string::npos)
    throw ScenarioError(lines.where(), fmt::format("{} {} is not a whole number", key, Quote(text)),
                        key == "start" ? "give start in whole picoseconds" : "give size in whole bytes");
  return lines.Integer(text.substr(0, point), 0, most);
}

struct Connection {
  int64_t src = 0, dst = 0, size = -1, start_ps = -1;
  bool has_priority = false;
};

Connection ReadConnection(const LineReader& lines, const std::vector<std::string>& words, int64_t hosts) {
  const size_t arrow = words[0].find("->");
  Connection c;
  c.src = lines.Integer(words[0].substr(0, arrow), 0, hosts - 1);
  c.dst = lines.Integer(words[0].substr(arrow + 2), 0, hosts - 1);
  if (c.src == c.dst)
    throw ScenarioError(lines.where(), Quote(words[0]) + ": the host sends to itself", "two hosts");
  for (size_t i = 1; i < words.size(); i += 2) {
    const std::string& key = words[i];
    if (key == "trigger" || key == "addon" || key.ends_with("_trigger"))
      throw ScenarioError(
          lines.where(),
          fmt::format("{}: connections that wait for other connections are not supported", Quote(key)),
          kNoTriggers);
    if (i + 1 == words.size()) throw ScenarioError(lines.where(), Quote(key) + " has no value");
    if (key == "start") {
      c.start_ps = WholeNumber(lines, key, words[i + 1], kMostTime);
    } else if (key == "size") {
      c.size = WholeNumber(lines, key, words[i + 1], kLargestSize.v);
      if (c.size == 0)
        throw ScenarioError(lines.where(), "size is 0, but endless connections are not supported", kEndless);
    } else if (key == "prio") {
      c.has_priority = true;
    } else if (key != "id") {
      throw ScenarioError(lines.where(), fmt::format("unknown key {}", Quote(key)),
                          "allowed: id, start, size, prio", Nearest(key, {"id", "start", "size", "prio"}));
    }
  }
  if (c.start_ps < 0) throw ScenarioError(lines.where(), "start is missing");
  if (c.size < 0)
    throw ScenarioError(lines.where(), "size is missing, but endless connections are not supported",
                        kEndless);
  return c;
}

std::vector<Connection> ReadConnections(const fs::path& file, int64_t hosts) {
  LineReader lines(file, WholeFile(file), /*comments=*/true);
  std::vector<Connection> found;
  int64_t announced = -1;
  Position announced_at, nodes_at;
  // The line of a key. It must be unique, and precede the connections.
  const auto key_at = [&](Position& at, const char* key) {
    if (at.file)
      throw ScenarioError(lines.where(), fmt::format("{} appears twice", key),
                          "first in line " + std::to_string(at.line));
    at = lines.where();
  };
  for (auto words = lines.NextIfAny(); !words.empty(); words = lines.NextIfAny()) {
    if (words[0].find("->") != std::string::npos) {
      if (!nodes_at.file || !announced_at.file)
        throw ScenarioError(
            lines.where(),
            fmt::format("a connection stands before {}", nodes_at.file ? "Connections" : "Nodes"),
            "a connection matrix must begin with Nodes and Connections");
      found.push_back(ReadConnection(lines, words, hosts));
    } else if (words.size() == 2 && words[0] == "Nodes") {
      key_at(nodes_at, "Nodes");
      const int64_t nodes = lines.Integer(words[1], 1, kMostNodes);
      if (nodes > hosts)
        throw ScenarioError(
            lines.where(),
            fmt::format("the connection matrix has {} nodes, but the topology has {}", nodes, hosts));
    } else if (words.size() == 2 && words[0] == "Connections") {
      key_at(announced_at, "Connections");
      announced = lines.Integer(words[1], 0, 1'000'000'000);
    } else if (words[0] == "Triggers" || words[0] == "trigger") {
      if (words.size() == 2 && words[1] == "0") continue;
      throw ScenarioError(lines.where(),
                          "triggers are not supported: a connection cannot wait for other "
                          "connections; give start times",
                          kNoTriggers);
    } else if (words[0] == "Failures" || words[0] == "failure") {
      if (words.size() == 2 && words[1] == "0") continue;
      throw ScenarioError(lines.where(),
                          "failures are not supported in this file; give them under faults: of the scenario");
    } else {
      throw ScenarioError(lines.where(), fmt::format("{} is not known", Quote(words[0])),
                          "allowed: Nodes, Connections and SOURCE->DESTINATION start … size …",
                          Nearest(words[0], {"Nodes", "Connections"}));
    }
  }
  if (announced >= 0 && announced != static_cast<int64_t>(found.size()))
    throw ScenarioError(announced_at, fmt::format("the line Connections announces {}, but the file has {}",
                                                  announced, found.size()));
  if (found.empty()) throw ScenarioError(WholeFile(file), "the file has no line with a connection");
  return found;
}

}  // namespace

Converted ScenarioOfHtsim(const fs::path& topology, const fs::path& connections, const fs::path& out_file) {
  const Tree tree = ReadTree(topology);
  const Counts counts = CountsOf(tree, topology);
  const std::vector<Connection> found = ReadConnections(connections, tree.hosts);
  const auto later = [](const Connection& a, const Connection& b) { return a.start_ps < b.start_ps; };
  const int64_t last = std::max_element(found.begin(), found.end(), later)->start_ps;
  Converted out;
  out.notes = {
      "the files do not describe buffers, ECN or NICs, so Headroom's defaults apply; headroom "
      "check prints the defaults"};
  if (const auto count = std::ranges::count(found, true, &Connection::has_priority); count > 0)
    out.notes.push_back(
        fmt::format("prio of {} connection{} is left out: all connections have one traffic class", count,
                    count == 1 ? "" : "s"));
  out.text = fmt::format(
      "# From {} and {}, files of htsim. They do not describe buffers, ECN or NICs: Headroom's defaults "
      "apply.\n",
      topology.filename().string(), connections.filename().string());
  out.text += fmt::format("name: {}\nduration: {}\ndeadline: 100s\n",
                          WriteTexts({ScenarioNameAt(out_file, "htsim-import")}),
                          FormatTime(Picoseconds(last) + Microseconds(1)));
  out.text += TopologyText(tree, counts);
  out.text += "switches:\n";
  const char* prefixes[] = {"tor", "agg", "core"};
  for (int64_t t = 0; t < tree.tiers; ++t)
    out.text += fmt::format("  - {{match: \"{}*\", latency: {}ns}}\n", prefixes[t],
                            tree.tier[static_cast<size_t>(t)].switch_ns);
  out.text += "workloads:\n  - name: connections\n    type: list\n    qp: per_message\n    messages:\n";
  for (const Connection& c : found) {
    out.text += fmt::format("      - {{at: {}, from: h{}, to: h{}, size: {}B}}\n",
                            FormatTime(Picoseconds(c.start_ps)), c.src, c.dst, c.size);
  }
  LoadScenarioText(out.text, out_file.empty() ? "htsim-import" : out_file.string(),
                   "");  // throws an error for invalid input
  return out;
}

}  // namespace headroom
