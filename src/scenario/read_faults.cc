#include "scenario/read_faults.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom {

namespace {

struct Direction {
  NodeId from = 0, to = 0;
};

/// [x, y]: the direction x to y of a link.
Direction ReadDirection(const Node& node, const NodeNames& names, const Topology& topology) {
  const std::vector<Node>& ends = ParseList(node);
  if (ends.size() != 2)
    throw ScenarioError(node.where, fmt::format("a link with {} ends", ends.size()), "[from, to]");
  const Direction d{names.AnyNode(ends[0]), names.AnyNode(ends[1])};
  const bool linked =
      std::any_of(topology.links.begin(), topology.links.end(), [&](const TopologyLink& link) {
        return (link.a.node == d.from && link.b.node == d.to) ||
               (link.a.node == d.to && link.b.node == d.from);
      });
  if (!linked)
    throw ScenarioError(node.where, fmt::format("there is no link between {} and {}", Quote(ends[0].text),
                                                Quote(ends[1].text)));
  return d;
}

MarkFault ReadMark(MapReader& map, Direction direction) {
  MarkFault fault{direction.from, direction.to, {}, 0};
  const bool packets = map.Read("packets", [&](const Node& node) {
    for (const Node& item : ParseList(node))
      fault.packets.push_back(static_cast<uint64_t>(ParseInteger(item, 0, INT64_MAX)));
    if (fault.packets.empty()) throw ScenarioError(node.where, "the list is empty");
    std::sort(fault.packets.begin(), fault.packets.end());
    fault.packets.erase(std::unique(fault.packets.begin(), fault.packets.end()), fault.packets.end());
  });
  const bool every = map.Integer("every", fault.every, 1, INT64_MAX);
  map.NeedOneOf({"packets", "every"});
  if (packets && every) map.errors().Add(ScenarioError(map.node().where, "\"packets\" beside \"every\""));
  return fault;
}

LossFault ReadLoss(MapReader& map, Direction direction) {
  LossFault fault{direction.from, direction.to, 0};
  map.Need({"probability"});
  map.Fraction("probability", fault.probability, false, 1);
  return fault;
}

Fault ReadFault(const Node& node, const NodeNames& names, const Topology& topology, Errors& errors) {
  MapReader map(node, errors);
  map.Need({"type"});
  const Node* type = map.Find("type");
  if (!type) {
    map.FinishMissing();
    return MarkFault{};
  }
  const size_t choice = ParseChoice(*type, {"mark", "loss"},
                                    {"pause_storm", "port_blocked", "slow_receiver", "link_down", "macsec"});
  Direction direction;
  map.Need({"link"});
  map.Read("link", [&](const Node& link) { direction = ReadDirection(link, names, topology); });
  map.NotYet({"start", "stop", "repeat"});
  Fault fault = choice == 0 ? Fault(ReadMark(map, direction)) : Fault(ReadLoss(map, direction));
  map.Finish();
  return fault;
}

void CheckPattern(const Node& pattern, const NodeNames& names, const char* matches) {
  const std::string text = ParseText(pattern);
  const bool hosts = std::string(matches) == "host";
  if (names.MatchesAny(text, hosts)) return;
  throw ScenarioError(pattern.where, fmt::format("{} matches no {}", Quote(text), matches), {},
                      names.NearestNode(text, true, !hosts));
}

std::optional<Observation> ReadObservation(MapReader& map, const char* key, const NodeNames& names,
                                           const char* matches) {
  Observation observation;
  const bool present = map.Read(key, [&](const Node& node) {
    MapReader keys(node, map.errors());
    keys.Need({"every"});
    keys.Field("every", observation.every, Nanoseconds(1));
    if (matches) {
      keys.Read("match", [&](const Node& pattern) {
        observation.match = ParseText(pattern);
        CheckPattern(pattern, names, matches);
      });
    }
    keys.Finish();
  });
  return present ? std::optional(observation) : std::nullopt;
}

/// What is recorded whenever it happens: the pattern of where.
std::optional<std::string> ReadRecording(MapReader& map, const char* key, const NodeNames& names,
                                         const char* matches) {
  std::string match = "*";
  const bool present = map.Read(key, [&](const Node& node) {
    MapReader keys(node, map.errors());
    keys.Read("match", [&](const Node& pattern) {
      match = ParseText(pattern);
      CheckPattern(pattern, names, matches);
    });
    keys.Finish();
  });
  return present ? std::optional(match) : std::nullopt;
}

}  // namespace

std::vector<Fault> ReadFaults(const Node& list, const NodeNames& names, const Topology& topology,
                              Errors& errors) {
  std::vector<Fault> faults;
  for (const Node& node : ParseList(list))
    errors.Guard([&] { faults.push_back(ReadFault(node, names, topology, errors)); });
  return faults;
}

Observations ReadObservations(const Node& node, const NodeNames& names, Errors& errors) {
  Observations observe;
  MapReader map(node, errors);
  observe.queues = ReadObservation(map, "queues", names, "node or port");
  observe.groups = ReadObservation(map, "groups", names, "node or port");
  observe.rates = ReadObservation(map, "rates", names, "host");
  observe.goodput = ReadObservation(map, "goodput", names, nullptr);
  observe.cnps = ReadRecording(map, "cnps", names, "host");
  observe.drops = ReadRecording(map, "drops", names, "node or port");
  map.Finish();
  return observe;
}

}  // namespace headroom
