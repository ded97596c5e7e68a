// Topologies of type custom: the links one by one, with every name checked.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "scenario/keys/network/topology_keys.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/pattern.h"

namespace headroom::keys {

namespace {

/// Names ports as the builder will, in order to find a port that is used twice.
class PortNames {
 public:
  void Add(const std::string& node, const std::string& port, const Position& where) {
    auto& used = used_[node];
    const std::string name = port.empty() ? fmt::format("p{}", used.size()) : port;
    if (!used.insert(name).second)
      throw ScenarioError(where, fmt::format("port \"{}\" of \"{}\" already has a link", name, node));
  }

 private:
  std::map<std::string, std::set<std::string>> used_;
};

/// One end of a link, as written: a node or a pattern, possibly with a port.
struct CustomEnd {
  std::string name, port;
  bool pattern = false;
  Position where;
};

/// NICs of hosts, then switches, then devices.
struct CustomNodes {
  std::vector<std::string> names;
  std::set<std::string> known;
  std::map<std::string, int> several;  ///< hosts with several NICs

  void Add(const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
    known.insert(more.begin(), more.end());
  }
  bool Any(const std::string& pattern) const {
    return std::ranges::any_of(names, [&](const std::string& n) { return MatchesNode(pattern, n); });
  }
};

CustomEnd ReadEnd(const Node& node, const CustomNodes& nodes) {
  const std::string text = ParseText(node);
  const size_t colon = text.find(':');
  CustomEnd end{text.substr(0, colon), "", false, node.where};
  end.pattern = IsPattern(end.name);
  if (end.pattern && !nodes.Any(end.name))
    throw ScenarioError(node.where, Quote(end.name) + " matches neither a host nor a switch");
  if (const auto host = nodes.several.find(end.name); host != nodes.several.end())
    throw ScenarioError(node.where, fmt::format("{} has {} NICs", Quote(end.name), host->second),
                        fmt::format("name one of them, such as {0}/n0, or all: \"{0}/n*\"", end.name));
  if (!end.pattern && !nodes.known.contains(end.name))
    throw ScenarioError(node.where, Quote(end.name) + " is neither a host nor a switch", {},
                        Nearest(end.name, {nodes.known.begin(), nodes.known.end()}));
  if (colon != std::string::npos) {
    end.port = text.substr(colon + 1);
    CheckName(end.port, node.where);
  }
  return end;
}

/// The nodes at an end, except the node that a pattern is linked to.
std::vector<std::string> NodesAt(const CustomEnd& end, const CustomEnd& other, const CustomNodes& nodes) {
  if (!end.pattern) return {end.name};
  std::vector<std::string> at;
  for (const std::string& node : nodes.names)
    if (node != other.name && MatchesNode(end.name, node)) at.push_back(node);
  return at;
}

/// The links between two ends: one, or, if one end is a pattern, one from each matching node.
std::vector<CustomLink> ReadEnds(const Node& node, const CustomNodes& nodes, PortNames& ports) {
  const std::vector<Node>& ends = ParseList(node);
  if (ends.size() != 2)
    throw ScenarioError(node.where, fmt::format("a link with {} ends", ends.size()), "give two ends");
  const CustomEnd a = ReadEnd(ends[0], nodes), b = ReadEnd(ends[1], nodes);
  if (a.pattern && b.pattern)
    throw ScenarioError(node.where, "both ends are patterns, but only one may be",
                        "give a pattern at one end, and an entry for each node at the other end, such as "
                        "ends: [" +
                            ToFlow(ends[0]) + ", " + NodesAt(b, a, nodes).front() + "]");
  if (a.name == b.name) throw ScenarioError(node.where, fmt::format("\"{}\" has a link to itself", a.name));
  std::vector<CustomLink> links;
  for (const std::string& at_a : NodesAt(a, b, nodes)) {
    for (const std::string& at_b : NodesAt(b, a, nodes)) links.push_back({at_a, a.port, at_b, b.port, {}});
  }
  if (links.empty())
    throw ScenarioError(node.where,
                        fmt::format("{} matches only the other end", Quote(a.pattern ? a.name : b.name)));
  const CustomEnd& one = a.pattern ? b : a;
  if (links.size() > 1 && !one.port.empty())
    throw ScenarioError(
        one.where, fmt::format("port \"{}\" of \"{}\" would have {} links", one.port, one.name, links.size()),
        "beside a pattern, leave out the name of the port: ports get the names p0, p1, …");
  for (const CustomLink& link : links) {
    ports.Add(link.a, link.a_port, a.where);
    ports.Add(link.b, link.b_port, b.where);
  }
  return links;
}

/// A list of names, or a number of nodes: with prefix h, they are h0, h1, …
std::vector<std::string> ReadNodes(const Node& node, const char* prefix, int64_t least) {
  constexpr int64_t kMost = 10'000'000;
  if (node.IsList()) return ParseUniqueNames(node);
  if (!node.IsScalar() || node.text.find_first_not_of("0123456789") != std::string::npos)
    throw ScenarioError(node.where, Describe(node) + " is neither a list of names nor a number of nodes");
  std::vector<std::string> names;
  const int64_t count = ParseInteger(node, least, kMost);
  for (int64_t i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

std::string NamesInList(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) (text += text.empty() ? "" : ", ") += WriteTexts({name});
  return '[' + text + ']';
}

Shape ShapeOfNodes(int64_t least) {
  return {
      "whole number, names", "",
      fmt::format(
          R"({{"oneOf": [{{"type": "integer", "minimum": {}}}, {{"type": "array", "minItems": {}, "items": {{"$ref": "#/definitions/name"}}}}]}})",
          least, least)};
}

KindOf<CustomSpec> Hosts() {
  return {ShapeOfNodes(1),
          [](const Node& node, CustomSpec& spec, Reading&) { spec.hosts = ReadNodes(node, "h", 1); },
          [](const CustomSpec& spec, const Writing&) { return NamesInList(spec.hosts); }};
}

KindOf<CustomSpec> Switches() {
  return {ShapeOfNodes(0),
          [](const Node& node, CustomSpec& spec, Reading&) {
            if (node.IsList() && node.items.empty()) return;
            spec.switches = ReadNodes(node, "s", 0);
            for (size_t i = 0; i < spec.switches.size(); ++i)
              if (std::ranges::find(spec.hosts, spec.switches[i]) != spec.hosts.end())
                throw ScenarioError(node.IsList() ? node.items[i].where : node.where,
                                    Quote(spec.switches[i]) + " is already a host");
          },
          [](const CustomSpec& spec, const Writing&) { return NamesInList(spec.switches); }};
}

const KeysOf<LinkRule>& CustomLinkKeys() {
  static const KeysOf<LinkRule> keys(
      {.name = "custom_link", .page = kLinksPage, .some_of = {{"length", "delay"}}}, [] {
        std::vector<KeyOf<LinkRule>> all{
            {"ends",
             Described<LinkRule>(
                 {"list", "",
                  R"({"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}})"}),
             "two ends, each a node or node:port; a pattern at one end makes a link from each matching node",
             {.required = true}}};
        AddLinkKeys(all, true);
        return all;
      }());
  return keys;
}

/// The devices inside hosts: a/gpu0. REQUIRES: hosts and NICs are known.
KindOf<CustomSpec> Devices() {
  return {{"names", "host/name each", R"({"type": "array", "items": {"type": "string"}})"},
          [](const Node& node, CustomSpec& spec, Reading&) {
            for (const Node& item : ParseList(node)) {
              const std::string text = ParseText(item);
              const size_t slash = text.find('/');
              if (slash == std::string::npos)
                throw ScenarioError(item.where, Quote(text) + " does not name its host",
                                    "give the host and the device, such as a/gpu0 or a/nv0");
              CheckName(text.substr(slash + 1), item.where);
              if (std::ranges::find(spec.hosts, HostName(text)) == spec.hosts.end())
                throw ScenarioError(item.where, fmt::format("there is no host {}", Quote(HostName(text))), {},
                                    Nearest(HostName(text), spec.hosts));
              if (text.size() > slash + 2 && text[slash + 1] == 'n' &&
                  text.find_first_not_of("0123456789", slash + 2) == std::string::npos)
                throw ScenarioError(item.where, Quote(text) + " is the name of a NIC",
                                    "give nics: the number of NICs; devices have other names");
              if (std::ranges::find(spec.devices, text) != spec.devices.end())
                throw ScenarioError(item.where, Quote(text) + " is already in the list");
              spec.devices.push_back(text);
            }
          },
          [](const CustomSpec& spec, const Writing&) {
            return spec.devices.empty() ? std::string() : NamesInList(spec.devices);
          }};
}

/// REQUIRES: hosts, switches, NICs and devices are known.
void ReadCustomLinks(const Node& node, CustomSpec& spec, Reading& reading) {
  spec.nics_of = NicsByHost([&] { return spec.hosts; }, spec.nics, reading);
  const std::vector<int> nics = NicsOf(spec, spec.hosts.size());
  CustomNodes nodes;
  for (size_t i = 0; i < spec.hosts.size(); ++i) {
    nodes.Add(NamesOfNics(spec.hosts[i], nics[i]));
    if (nics[i] > 1) nodes.several[spec.hosts[i]] = nics[i];
  }
  nodes.Add(spec.switches);
  nodes.Add(spec.devices);
  if (nodes.names.empty()) return;
  PortNames ports;
  bool all_read = true;
  for (const Node& item : ParseList(node)) {
    MapReader map(item, reading.errors);
    std::vector<CustomLink> links;
    map.Need({"ends"});
    map.Read("ends", [&](const Node& ends) { links = ReadEnds(ends, nodes, ports); });
    LinkRule rule;
    CustomLinkKeys().ReadAll(map, &rule, reading);
    all_read &= !links.empty();
    for (CustomLink& link : links) {
      link.spec = SpecOf(rule);
      spec.links.push_back(std::move(link));
    }
  }
  if (all_read) CheckHostLinks(spec, node.where);
}

std::string EndText(const std::string& node, const std::string& port) {
  return WriteTexts({port.empty() ? node : node + ":" + port});
}

KindOf<CustomSpec> CustomLinks() {
  return {ShapeOfList(CustomLinkKeys().shape(), 0), ReadCustomLinks,
          [](const CustomSpec& spec, const Writing&) {
            std::string text;
            for (const CustomLink& link : spec.links)
              text += fmt::format("\n    - {{ends: [{}, {}], {}}}", EndText(link.a, link.a_port),
                                  EndText(link.b, link.b_port), WriteLinkKeys(link.spec));
            return text.empty() ? "\n" : text;
          }};
}

}  // namespace

const KeysOf<CustomSpec>& CustomTopologyKeys() {
  static const KeysOf<CustomSpec> keys(
      {.name = "topology_custom",
       .page = kTopologyPage,
       .help = "a network of given hosts, switches and links",
       .type = "custom",
       .block = true},
      {TypeOfTopology<CustomSpec>("custom"),
       {"hosts", Hosts(), "names of the hosts; or their number, for names h0, h1, …", {.required = true}},
       {"switches",
        Switches(),
        "names of the switches; or their number, for names s0, s1, …",
        {.standard = "none"}},
       NicsKey<CustomSpec>([](CustomSpec& s, int64_t n) { s.nics = n; },
                           [](const CustomSpec& s) { return s.nics; }),
       {"devices",
        Devices(),
        "devices inside hosts: a GPU, such as a/gpu0, sends and receives; others, such as a/nv0, forward",
        {.standard = "none"}},
       {"links", CustomLinks(), "links, each with its two ends", {.required = true}}});
  return keys;
}

void CheckHostLinks(const CustomSpec& spec, const Position& where) {
  std::map<std::string, int> links;
  for (const CustomLink& link : spec.links) ++links[link.a], ++links[link.b];
  const auto check = [&](const char* what, const std::string& name) {
    if (links[name] == 0) throw ScenarioError(where, fmt::format("{} \"{}\" has no link", what, name));
    if (links[name] > 2)
      throw NotSupportedYet(
          where, fmt::format("{} \"{}\" with {} links", what, name, links[name]),
          "give each host one link or two, or several NICs (nics) with one link or two each");
  };
  const std::vector<int> nics = NicsOf(spec, spec.hosts.size());
  for (size_t i = 0; i < spec.hosts.size(); ++i)
    for (const std::string& name : NamesOfNics(spec.hosts[i], nics[i])) check("host", name);
  for (const std::string& device : spec.devices)
    if (IsGpu(device)) check("GPU", device);
}

}  // namespace headroom::keys
