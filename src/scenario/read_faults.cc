#include "scenario/read_faults.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/read_fault_places.h"

namespace headroom {

namespace {

MarkFault ReadMark(MapReader& map, LinkEnds link) {
  MarkFault fault{link.from, link.to, {}, 0};
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
  map.NotYet({"start", "stop", "repeat"});
  return fault;
}

LossFault ReadLoss(MapReader& map, LinkEnds link) {
  LossFault fault{link.from, link.to, 0, {}};
  map.Need({"probability"});
  map.Fraction("probability", fault.probability, false, 1);
  fault.times = ReadTimes(map);
  return fault;
}

LinkDownFault ReadLinkDown(MapReader& map, LinkEnds link) {
  LinkDownFault fault{link.from, link.to, link.from_port, link.to_port, {}, {}};
  map.Read("convergence", [&](const Node& value) {
    const bool never = value.IsScalar() && value.text == "never";
    fault.convergence = never ? kNever : ParseTime(value);
  });
  fault.times = ReadTimes(map);
  return fault;
}

MacsecFault ReadMacsec(MapReader& map, LinkEnds link, const FaultContext& context) {
  MacsecFault fault;
  fault.a = link.from;
  fault.b = link.to;
  map.Need({"encrypts", "expects"});
  const auto ends = [&](const char* key, bool& a, bool& b) {
    map.Read(key, [&](const Node& list) {
      for (const Node& item : ParseList(list)) {
        const NodeId node = context.names.AnyNode(item);
        if (node != fault.a && node != fault.b)
          throw ScenarioError(item.where, Quote(item.text) + " is no end of the link");
        (node == fault.a ? a : b) = true;
      }
    });
  };
  ends("encrypts", fault.a_encrypts, fault.b_encrypts);
  ends("expects", fault.a_expects, fault.b_expects);
  fault.times = ReadTimes(map);
  return fault;
}

PauseStormFault ReadPauseStorm(MapReader& map, const FaultContext& context) {
  using Frames = PauseStormParameters::Frames;
  PauseStormFault fault;
  PauseStormParameters& storm = fault.storm;
  const PortPlace place = ReadPlace(map, context);
  fault.node = place.node;
  fault.port = place.port;
  map.Choice<Frames>("frames", storm.frames,
                     {{"pfc", Frames::pfc}, {"global", Frames::global}, {"disabled", Frames::disabled}});
  if (storm.frames == Frames::pfc) map.Need({"priority"});
  map.Read("priority", [&](const Node& value) { storm.priorities = ReadPriorities(value, context); });
  map.Integer("quanta", storm.quanta, 0, 65535);
  map.Read("interval", [&](const Node& value) {
    if (value.IsScalar() && value.text == "auto") return;
    const Time interval = ParseTime(value);
    if (interval < Nanoseconds(1)) throw ScenarioError(value.where, Quote(value.text) + " is out of range");
    storm.interval = interval;
  });
  if (storm.quanta == 0 && !storm.interval)
    map.errors().Add(ScenarioError(map.node().where, "a storm of zero quanta needs an interval"));
  map.Choice<bool>("end", storm.xon, {{"xon", true}, {"expire", false}});
  fault.times = ReadTimes(map);
  return fault;
}

SlowReceiverFault ReadSlowReceiver(MapReader& map, const FaultContext& context) {
  SlowReceiverFault fault;
  map.Need({"node", "rate"});
  map.Read("node", [&](const Node& node) {
    fault.host = context.names.Host(node);
    // Where the NICs could not be read the error is there.
    if (fault.host < context.nics.size() && !context.nics[fault.host].rx_buffer) {
      throw ScenarioError(node.where,
                          fmt::format("the NIC of {} has no receive buffer to fill", Quote(node.text)),
                          "give it one: nics: resources: {rx_buffer: {size, xoff, xon}}");
    }
  });
  map.Field("rate", fault.rate);
  fault.times = ReadTimes(map);
  return fault;
}

PortBlockedFault ReadPortBlocked(MapReader& map, const FaultContext& context) {
  PortBlockedFault fault;
  const PortPlace place = ReadPlace(map, context);
  fault.node = place.node;
  fault.port = place.port;
  map.Read("priority", [&](const Node& value) { fault.priorities = ReadPriorities(value, context); });
  fault.times = ReadTimes(map);
  return fault;
}

Fault ReadFault(const Node& node, const FaultContext& context, Errors& errors) {
  enum Type : size_t { kMark, kLoss, kPauseStorm, kPortBlocked, kSlowReceiver, kLinkDown, kMacsec };
  MapReader map(node, errors);
  map.Need({"type"});
  const Node* type = map.Find("type");
  if (!type) {
    map.FinishMissing();
    return MarkFault{};
  }
  const auto choice = static_cast<Type>(ParseChoice(
      *type, {"mark", "loss", "pause_storm", "port_blocked", "slow_receiver", "link_down", "macsec"}));
  const auto link = [&] {
    LinkEnds ends;
    map.Need({"link"});
    map.Read("link", [&](const Node& value) { ends = ReadLink(value, context, choice == kLinkDown); });
    return ends;
  };
  const auto read = [&]() -> Fault {
    switch (choice) {
      case kMark:
        return ReadMark(map, link());
      case kLoss:
        return ReadLoss(map, link());
      case kPauseStorm:
        return ReadPauseStorm(map, context);
      case kPortBlocked:
        return ReadPortBlocked(map, context);
      case kSlowReceiver:
        return ReadSlowReceiver(map, context);
      case kLinkDown:
        return ReadLinkDown(map, link());
      case kMacsec:
        break;
    }
    return ReadMacsec(map, link(), context);
  };
  Fault fault = read();
  map.Finish();
  return fault;
}

/// A pattern or a list of them, each of which matches something.
std::vector<std::string> ReadPatterns(const Node& node, const NodeNames& names, const char* matches) {
  const bool hosts = std::string(matches) == "host";
  std::vector<std::string> patterns = ParseTexts(node);
  for (size_t i = 0; i < patterns.size(); ++i) {
    if (names.MatchesAny(patterns[i], hosts)) continue;
    throw ScenarioError(node.IsList() ? node.items[i].where : node.where,
                        fmt::format("{} matches no {}", Quote(patterns[i]), matches), {},
                        names.NearestNode(patterns[i], true, !hosts));
  }
  return patterns;
}

std::optional<Observation> ReadObservation(MapReader& map, const char* key, const NodeNames& names,
                                           const char* matches, Time every = {}) {
  Observation observation;
  observation.every = every;
  const bool present = map.Read(key, [&](const Node& node) {
    MapReader keys(node, map.errors());
    if (every == Time{}) keys.Need({"every"});
    keys.Field("every", observation.every, Nanoseconds(1));
    if (matches) {
      keys.Read("match",
                [&](const Node& pattern) { observation.match = ReadPatterns(pattern, names, matches); });
    }
    keys.Finish();
  });
  return present ? std::optional(observation) : std::nullopt;
}

/// What is recorded whenever it happens: the patterns of where.
std::optional<std::vector<std::string>> ReadRecording(MapReader& map, const char* key, const NodeNames& names,
                                                      const char* matches) {
  std::vector<std::string> match = {"*"};
  const bool present = map.Read(key, [&](const Node& node) {
    MapReader keys(node, map.errors());
    keys.Read("match", [&](const Node& pattern) { match = ReadPatterns(pattern, names, matches); });
    keys.Finish();
  });
  return present ? std::optional(match) : std::nullopt;
}

}  // namespace

std::vector<Fault> ReadFaults(const Node& list, const FaultContext& context, Errors& errors) {
  std::vector<Fault> faults;
  for (const Node& node : ParseList(list))
    errors.Guard([&] { faults.push_back(ReadFault(node, context, errors)); });
  return faults;
}

Observations ReadObservations(const Node& node, const NodeNames& names, Errors& errors) {
  Observations observe;
  MapReader map(node, errors);
  observe.queues = ReadObservation(map, "queues", names, "node or port");
  observe.groups = ReadObservation(map, "groups", names, "node or port");
  observe.rates = ReadObservation(map, "rates", names, "host");
  observe.goodput = ReadObservation(map, "goodput", names, nullptr);
  observe.estats = ReadObservation(map, "estats", names, "host", Seconds(60));
  observe.cnps = ReadRecording(map, "cnps", names, "host");
  observe.drops = ReadRecording(map, "drops", names, "node or port");
  map.Finish();
  return observe;
}

}  // namespace headroom
