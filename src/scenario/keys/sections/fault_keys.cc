#include "scenario/keys/sections/fault_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/keys/sections/class_keys.h"
#include "scenario/names.h"
#include "scenario/workload.h"
#include "scenario/yaml/nearest.h"

namespace headroom::keys {

namespace {

constexpr const char* kFaultPage = "models/faults.md";

/// Two nodes with a link between them; a port where one of several links is meant.
struct LinkEnds {
  NodeId from = 0, to = 0;
  std::optional<uint32_t> from_port, to_port;
};
struct PortPlace {
  NodeId node = 0;
  uint32_t port = 0;
};
/// The ends of links at this node, in the order of its ports.
std::vector<const LinkEnd*> PortsOf(NodeId node, const Topology& topology) {
  std::vector<const LinkEnd*> ports;
  for (const TopologyLink& link : topology.links) {
    for (const LinkEnd* end : {&link.a, &link.b}) {
      if (end->node == node) ports.push_back(end);
    }
  }
  return ports;
}

/// A node, and the text behind a colon if there is one.
std::pair<NodeId, std::string> SplitPort(const Node& node, const NodeNames& names) {
  const std::string text = ParseText(node);
  const size_t colon = text.find(':');
  Node name = node;
  name.text = text.substr(0, colon);
  return {names.AnyNode(name), colon == std::string::npos ? std::string() : text.substr(colon + 1)};
}

uint32_t PortNamed(const Node& node, NodeId id, const std::string& name, const Topology& topology) {
  std::vector<std::string> known;
  for (const LinkEnd* end : PortsOf(id, topology)) {
    if (end->port == name) return end->port_index;
    known.push_back(end->port);
  }
  throw ScenarioError(node.where,
                      fmt::format("{} has no port {}", Quote(topology.nodes[id].name), Quote(name)),
                      known.size() > 16 ? "" : "allowed: " + Join(known), Nearest(name, known));
}

PortPlace ReadPort(const Node& node, const Reading& context) {
  const auto [id, name] = SplitPort(node, *context.names);
  if (!name.empty()) return {id, PortNamed(node, id, name, *context.topology)};
  if (PortsOf(id, *context.topology).size() == 1) return {id, 0};
  throw ScenarioError(node.where, Quote(node.text) + " has several ports", "give one as \"node:port\"");
}

LinkEnds ReadLink(const Node& node, const Reading& context, bool ports) {
  const std::vector<Node>& ends = ParseList(node);
  if (ends.size() != 2)
    throw ScenarioError(node.where, fmt::format("a link with {} ends", ends.size()), "[from, to]");
  LinkEnds link;
  const auto read = [&](const Node& end, NodeId& id, std::optional<uint32_t>& port) {
    if (!ports) {
      id = context.names->AnyNode(end);
      return;
    }
    const auto [found, name] = SplitPort(end, *context.names);
    id = found;
    if (!name.empty()) port = PortNamed(end, id, name, *context.topology);
  };
  read(ends[0], link.from, link.from_port);
  read(ends[1], link.to, link.to_port);
  const auto joins = [&link](const LinkEnd& a, const LinkEnd& b) {
    return a.node == link.from && b.node == link.to &&
           a.port_index == link.from_port.value_or(a.port_index) &&
           b.port_index == link.to_port.value_or(b.port_index);
  };
  const std::vector<TopologyLink>& links = context.topology->links;
  const bool linked = std::any_of(links.begin(), links.end(),
                                  [&](const TopologyLink& l) { return joins(l.a, l.b) || joins(l.b, l.a); });
  if (!linked)
    throw ScenarioError(node.where, fmt::format("there is no link between {} and {}", Quote(ends[0].text),
                                                Quote(ends[1].text)));
  return link;
}

uint8_t ParsePriorities(const Node& node, const Reading& context) {
  uint8_t mask = 0;
  for (const std::string& text : ParseTexts(node)) {
    const bool number = text.size() == 1 && text[0] >= '0' && text[0] <= '7';
    const int priority = number ? text[0] - '0' : ParseClass(text, node.where, *context.classes);
    mask |= static_cast<uint8_t>(1u << priority);
  }
  return mask;
}

const KeysOf<FaultTimes>& RepeatKeys() {
  static const KeysOf<FaultTimes> keys(
      {.name = "fault_repeat", .page = kFaultPage},
      {{"every",
        &FaultTimes::every,
        Times(Nanoseconds(1)),
        "from one beginning to the next",
        {.required = true}},
       {"count", &FaultTimes::count, Integers(1, 1'000'000'000), "times in all", {.required = true}}});
  return keys;
}

/// start, stop and repeat.
template <class F>
void AddTimes(std::vector<KeyOf<F>>& keys) {
  const Shape time = Times().shape;
  const KindOf<Time> stop{time, [](const Node& node, Time& out, Reading&) { out = ParseTime(node); },
                          [](const Time& t, const Writing&) { return t == kNever ? "" : FormatTime(t); }};
  KindOf<FaultTimes> repeat = Mapping(RepeatKeys());
  repeat.write = [write = repeat.write](const FaultTimes& times, const Writing& writing) {
    return times.count > 1 ? write(times, writing) : "";
  };
  keys.emplace_back("start", &F::times, &FaultTimes::start, Times(), "when it begins");
  keys.emplace_back("stop", &F::times, &FaultTimes::stop, stop, "when it ends",
                    Traits{.standard = "it does not"});
  keys.emplace_back("repeat", &F::times, repeat, "it comes back", Traits{.standard = "once"});
}

void CheckTimes(const Node& node, const FaultTimes& times, Errors& errors) {
  const Node *stop = node.Find("stop"), *repeat = node.Find("repeat");
  if (stop && !stop->IsNull() && times.stop <= times.start)
    errors.Add(ScenarioError(stop->where, fmt::format("stop {} is not after start {}", FormatTime(times.stop),
                                                      FormatTime(times.start))));
  if (!repeat) return;
  if (!stop) throw ScenarioError(repeat->where, "a fault that has no stop does not repeat");
  if (times.count > 1 && times.every < times.stop - times.start)
    throw ScenarioError(repeat->where,
                        fmt::format("it repeats every {} and lasts {}", FormatTime(times.every),
                                    FormatTime(times.stop - times.start)));
}

template <class F>
KeyOf<F> Type(const char* name) {
  return {"type",
          KindOf<F>{{"choice", name, fmt::format(R"({{"const": "{}"}})", name)},
                    {},
                    [name](const F&, const Writing&) { return std::string(name); }},
          "what breaks",
          {.required = true}};
}

template <class F>
using CheckFault = std::function<void(const Node&, const F&, Reading&)>;

/// A fault that has times. `place`: node or port, before its other keys.
template <class F>
KeysOf<F> TimedFault(const char* type, const char* help, std::vector<KeyOf<F>> own, bool place = false,
                     const CheckFault<F>& check = {}) {
  Section section{.name = std::string("fault_") + type, .page = kFaultPage, .help = help, .type = type};
  if (place) section.one_of = {{"node", "port"}};
  own.insert(own.begin(), Type<F>(type));
  AddTimes(own);
  return {section, own, [check](const Node& node, F& fault, Reading& reading) {
            if (check) check(node, fault, reading);
            CheckTimes(node, fault.times, reading.errors);
          }};
}

std::string NameOf(NodeId node, const Writing& writing) { return writing.topology->nodes[node].name; }

std::string PortName(NodeId node, uint32_t port, const Writing& writing) {
  for (const LinkEnd* end : PortsOf(node, *writing.topology))
    if (end->port_index == port) return NameOf(node, writing) + ":" + end->port;
  return NameOf(node, writing);
}

const Shape kDirection{"list", "[x, y]", R"({"$ref": "#/definitions/direction"})"};

/// link: [x, y], of nodes.
template <class F>
KeyOf<F> LinkOf(NodeId F::*from, NodeId F::*to, const char* help) {
  const auto read = [from, to](const Node& node, F& fault, Reading& reading) {
    const LinkEnds link = ReadLink(node, reading, false);
    fault.*from = link.from;
    fault.*to = link.to;
  };
  const auto write = [from, to](const F& fault, const Writing& writing) {
    return WriteTexts({NameOf(fault.*from, writing), NameOf(fault.*to, writing)});
  };
  return {"link", KindOf<F>{kDirection, read, write}, help, {.required = true}};
}

/// node, of one port, or port: "node:port".
template <class F>
void ReadPlace(const Node& node, F& fault, Reading& reading) {
  const PortPlace place = ReadPort(node, reading);
  fault.node = place.node;
  fault.port = place.port;
}

template <class F>
KeyOf<F> NodeOf() {
  return {"node", KindOf<F>{Text().shape, ReadPlace<F>, {}}, "a node with one port", {.standard = "none"}};
}

template <class F>
KeyOf<F> PortOf() {
  const auto write = [](const F& fault, const Writing& writing) {
    return WriteTexts({PortName(fault.node, fault.port, writing)});
  };
  return {"port", KindOf<F>{Text().shape, ReadPlace<F>, write}, "node:port", {.standard = "none"}};
}

KindOf<uint8_t> Priorities() {
  return {{"priorities", "a priority, a class by name, or several",
           R"({"$ref": "#/definitions/fault_priorities"})"},
          [](const Node& node, uint8_t& mask, Reading& reading) { mask = ParsePriorities(node, reading); },
          [](const uint8_t& mask, const Writing&) {
            std::vector<int> priorities;
            for (int p = 0; p < kPriorities; ++p)
              if (((mask >> p) & 1) != 0) priorities.push_back(p);
            return priorities.empty() ? "" : fmt::format("[{}]", fmt::join(priorities, ", "));
          }};
}

/// Data frames by number.
KindOf<std::vector<uint64_t>> Packets() {
  KindOf<std::vector<uint64_t>> kind = ListOf<uint64_t>(Integers(0, INT64_MAX));
  kind.read = [read = kind.read](const Node& node, std::vector<uint64_t>& packets, Reading& reading) {
    read(node, packets, reading);
    std::ranges::sort(packets);
    packets.erase(std::unique(packets.begin(), packets.end()), packets.end());
  };
  kind.write = [write = kind.write](const std::vector<uint64_t>& packets, const Writing& writing) {
    return packets.empty() ? "" : write(packets, writing);
  };
  return kind;
}

const KeysOf<MarkFault>& KeysFor(const MarkFault&) {
  using F = MarkFault;
  const KindOf<uint64_t> number = Integers(1, INT64_MAX);
  const KindOf<uint64_t> every{
      number.shape, number.read,
      [number](const uint64_t& n, const Writing& writing) { return n > 0 ? number.write(n, writing) : ""; }};
  static const KeysOf<F> keys({.name = "fault_mark",
                               .page = kFaultPage,
                               .help = "CE on chosen data frames",
                               .type = "mark",
                               .not_yet = {"start", "stop", "repeat"},
                               .one_of = {{"packets", "every"}}},
                              {Type<F>("mark"),
                               LinkOf<F>(&F::from, &F::to, "the direction x to y"),
                               {"packets", &F::packets, Packets(), "counted from 0", {.standard = "none"}},
                               {"every", &F::every, every, "every n-th", {.standard = "none"}}});
  return keys;
}

const KeysOf<LossFault>& KeysFor(const LossFault&) {
  using F = LossFault;
  static const KeysOf<F> keys = TimedFault<F>(
      "loss", "frames of a direction are lost by chance",
      {LinkOf<F>(&F::from, &F::to, "the direction x to y"),
       {"probability", &F::probability, Fractions(), "of each frame by itself", {.required = true}}});
  return keys;
}

const KeysOf<PauseStormFault>& KeysFor(const PauseStormFault&) {
  using F = PauseStormFault;
  using Storm = PauseStormParameters;
  using Frames = Storm::Frames;
  KindOf<std::optional<Time>> interval = OrWord("auto", std::nullopt, Maybe(Times(Nanoseconds(1))));
  interval.read = [](const Node& node, std::optional<Time>& out, Reading&) {
    if (node.IsScalar() && node.text == "auto") return;
    const Time time = ParseTime(node);
    if (time < Nanoseconds(1)) throw ScenarioError(node.where, Quote(node.text) + " is out of range");
    out = time;
  };
  static const KeysOf<F> keys = TimedFault<F>(
      "pause_storm", "a port pauses its peer, whatever its buffer holds",
      {NodeOf<F>(),
       PortOf<F>(),
       {"frames", &F::storm, &Storm::frames,
        OneOf<Frames>({{"pfc", Frames::pfc}, {"global", Frames::global}, {"disabled", Frames::disabled}}),
        "global: PAUSE of IEEE 802.3; disabled: PFC whose class-enable bits are not set"},
       {"priority",
        &F::storm,
        &Storm::priorities,
        Priorities(),
        "needed with frames: pfc",
        {.standard = "none"}},
       {"quanta", &F::storm, &Storm::quanta, Integers(0, 65535),
        "pause time, in 512 bit times; 0: the frames resume"},
       {"interval", &F::storm, &Storm::interval, interval, "between frames; auto: half the pause time"},
       {"end", &F::storm, &Storm::xon, OneOf<bool>({{"xon", true}, {"expire", false}}),
        "the peer is resumed, or its last pause runs out"}},
      true, [](const Node& node, const F& f, Reading& reading) {
        if (f.storm.frames == Frames::pfc) NeedKey(node, "priority", reading);
        if (f.storm.quanta == 0 && !f.storm.interval)
          reading.errors.Add(ScenarioError(node.where, "a storm of zero quanta needs an interval"));
      });
  return keys;
}

const KeysOf<PortBlockedFault>& KeysFor(const PortBlockedFault&) {
  using F = PortBlockedFault;
  static const KeysOf<F> keys =
      TimedFault<F>("port_blocked", "a port sends nothing but PFC",
                    {NodeOf<F>(),
                     PortOf<F>(),
                     {"priority", &F::priorities, Priorities(), "what is blocked", {.standard = "all"}}},
                    true);
  return keys;
}

/// A host of a service.
KindOf<NodeId> HostWithService() {
  const auto runs = [](const StorageParameters& service, NodeId host) {
    return std::ranges::count(service.compute, host) + std::ranges::count(service.extent_nodes, host) > 0;
  };
  return {Text().shape,
          [runs](const Node& node, NodeId& host, Reading& reading) {
            host = reading.names->Host(node);
            const bool any = std::ranges::any_of(
                *reading.services, [&](const Service& service) { return runs(service.parameters, host); });
            if (!any && !reading.errors.Any())
              throw ScenarioError(node.where, fmt::format("no service runs at {}, there is nothing to damage",
                                                          Quote(node.text)));
          },
          [](const NodeId& host, const Writing& writing) { return WriteTexts({NameOf(host, writing)}); }};
}

/// A host whose NIC has a receive buffer to fill.
KindOf<NodeId> SlowHost() {
  return {Text().shape,
          [](const Node& node, NodeId& host, Reading& reading) {
            host = reading.names->Host(node);
            // Where the NICs could not be read the error is there.
            if (host < reading.nics->size() && !(*reading.nics)[host].rx_buffer)
              throw ScenarioError(
                  node.where, fmt::format("the NIC of {} has no receive buffer to fill", Quote(node.text)),
                  "give it one: nics: resources: {rx_buffer: {size, xoff, xon}}");
          },
          [](const NodeId& host, const Writing& writing) { return WriteTexts({NameOf(host, writing)}); }};
}

const KeysOf<SlowReceiverFault>& KeysFor(const SlowReceiverFault&) {
  using F = SlowReceiverFault;
  static const KeysOf<F> keys =
      TimedFault<F>("slow_receiver", "a NIC takes frames out of its receive buffer at this rate",
                    {{"node", &F::host, SlowHost(), "the host", {.required = true}},
                     {"rate", &F::rate, Rates(), "of frames taken out", {.required = true}}});
  return keys;
}

/// Two nodes, or ports of them.
KindOf<LinkDownFault> LinkOfPorts() {
  return {kDirection,
          [](const Node& node, LinkDownFault& fault, Reading& reading) {
            const LinkEnds link = ReadLink(node, reading, true);
            fault.a = link.from;
            fault.b = link.to;
            fault.port_a = link.from_port;
            fault.port_b = link.to_port;
          },
          [](const LinkDownFault& fault, const Writing& writing) {
            const auto end = [&](NodeId node, const std::optional<uint32_t>& port) {
              return port ? PortName(node, *port, writing) : NameOf(node, writing);
            };
            return WriteTexts({end(fault.a, fault.port_a), end(fault.b, fault.port_b)});
          }};
}

const KeysOf<LinkDownFault>& KeysFor(const LinkDownFault&) {
  using F = LinkDownFault;
  KindOf<Time> convergence = Times();
  convergence.read = [](const Node& node, Time& out, Reading&) { out = ParseTime(node); };
  static const KeysOf<F> keys =
      TimedFault<F>("link_down", "both directions of a link, or of all links between two nodes",
                    {{"link", LinkOfPorts(), "its ends; node:port names one of several", {.required = true}},
                     {"convergence", &F::convergence, OrWord("never", kNever, convergence),
                      "until routes leave the link out"}});
  return keys;
}

/// Which of the two ends. REQUIRES: the link is known.
KindOf<MacsecFault> EndsOfLink(bool MacsecFault::*a, bool MacsecFault::*b) {
  const auto read = [a, b](const Node& list, MacsecFault& fault, Reading& reading) {
    for (const Node& item : ParseList(list)) {
      const NodeId node = reading.names->AnyNode(item);
      if (node != fault.a && node != fault.b)
        throw ScenarioError(item.where, Quote(item.text) + " is no end of the link");
      fault.*(node == fault.a ? a : b) = true;
    }
  };
  const auto write = [a, b](const MacsecFault& f, const Writing& writing) {
    return fmt::format("[{}{}{}]", f.*a ? WriteTexts({NameOf(f.a, writing)}) : "", f.*a && f.*b ? ", " : "",
                       f.*b ? WriteTexts({NameOf(f.b, writing)}) : "");
  };
  return {{"list", "of the two ends", R"({"type": "array", "items": {"type": "string"}})"}, read, write};
}

const KeysOf<MacsecFault>& KeysFor(const MacsecFault&) {
  using F = MacsecFault;
  static const KeysOf<F> keys = TimedFault<F>(
      "macsec", "PFC that one end encrypts and the other does not expect so, or the reverse, cannot be read",
      {LinkOf<F>(&F::a, &F::b, "its ends"),
       {"encrypts",
        EndsOfLink(&F::a_encrypts, &F::b_encrypts),
        "which ends encrypt their PFC frames",
        {.required = true}},
       {"expects",
        EndsOfLink(&F::a_expects, &F::b_expects),
        "which expect the other's to be encrypted",
        {.required = true}}});
  return keys;
}

const KeysOf<CorruptFault>& KeysFor(const CorruptFault&) {
  using F = CorruptFault;
  static const KeysOf<F> keys = TimedFault<F>(
      "corrupt", "data of services come to a host damaged, which no checksum of the network shows",
      {{"node", &F::host, HostWithService(), "a host of a service", {.required = true}},
       {"probability", &F::probability, Fractions(), "of each packet's data", {.required = true}}});
  return keys;
}

/// One that does not end is no restart.
template <class F>
KeysOf<F> Restart(const char* type, const char* help, KeyOf<F> place) {
  return TimedFault<F>(type, help, {std::move(place)}, false,
                       [](const Node& node, const F&, Reading& reading) { NeedKey(node, "stop", reading); });
}

const KeysOf<NicRestartFault>& KeysFor(const NicRestartFault&) {
  using F = NicRestartFault;
  const KindOf<NodeId> host{
      Text().shape, [](const Node& node, NodeId& out, Reading& reading) { out = reading.names->Host(node); },
      [](const NodeId& of, const Writing& writing) { return WriteTexts({NameOf(of, writing)}); }};
  static const KeysOf<F> keys =
      Restart<F>("nic_restart", "the driver of a host's NIC restarts: its queue pairs are gone",
                 {"node", &F::host, host, "the host", {.required = true}});
  return keys;
}

KindOf<NodeId> SwitchByName() {
  return {Text().shape,
          [](const Node& node, NodeId& out, Reading& reading) {
            out = reading.names->AnyNode(node);
            if (out < reading.topology->hosts)
              throw ScenarioError(node.where, Quote(node.text) + " is no switch",
                                  "a host's NIC restarts by type: nic_restart");
          },
          [](const NodeId& of, const Writing& writing) { return WriteTexts({NameOf(of, writing)}); }};
}

const KeysOf<WarmRestartFault>& KeysFor(const WarmRestartFault&) {
  using F = WarmRestartFault;
  static const KeysOf<F> keys =
      Restart<F>("warm_restart", "a switch restarts warm: its data plane stops, and keeps what it holds",
                 {"node", &F::node, SwitchByName(), "the switch", {.required = true}});
  return keys;
}

/// A service by its name; the node is looked up in it.
KindOf<ExtentNodeDownFault> ServiceWithExtents() {
  return {{"service", "a name under services", R"({"$ref": "#/definitions/name"})"},
          [](const Node& node, ExtentNodeDownFault& fault, Reading& reading) {
            const std::string name = ParseText(node);
            std::vector<std::string> names;
            for (const Service& service : *reading.services) names.push_back(service.parameters.name);
            const auto at = std::ranges::find(names, name);
            if (at == names.end() && reading.errors.Any()) return;  // it may be among those that are wrong
            if (at == names.end())
              throw ScenarioError(node.where, fmt::format("there is no service {}", Quote(name)),
                                  names.empty() ? "" : "allowed: " + Join(names), Nearest(name, names));
            fault.service = static_cast<uint32_t>(at - names.begin());
            if (!(*reading.services)[fault.service].parameters.back)
              throw ScenarioError(
                  node.where, fmt::format("{} has no back leg, nobody would ask another node", Quote(name)),
                  "give it one: back: {protocol: su_rdma}");
          },
          [](const ExtentNodeDownFault& fault, const Writing& writing) {
            return writing.services ? WriteTexts({(*writing.services)[fault.service].name}) : "";
          }};
}

const KeysOf<ExtentNodeDownFault>& KeysFor(const ExtentNodeDownFault&) {
  using F = ExtentNodeDownFault;
  const KindOf<NodeId> host{
      Text().shape, [](const Node& node, NodeId& out, Reading& reading) { out = reading.names->Host(node); },
      [](const NodeId& of, const Writing& writing) { return WriteTexts({NameOf(of, writing)}); }};
  static const KeysOf<F> keys = TimedFault<F>(
      "extent_node_down", "an extent node of a service refuses what it is asked: its program is away",
      {{"service", ServiceWithExtents(), "whose", {.required = true}},
       {"node", &F::node, host, "the extent node's host", {.required = true}}},
      false, [](const Node& node, const F& fault, Reading& reading) {
        const Node* named = node.Find("node");
        if (reading.errors.Any() || !named || fault.service >= reading.services->size()) return;
        const StorageParameters& service = (*reading.services)[fault.service].parameters;
        if (std::ranges::find(service.extent_nodes, fault.node) == service.extent_nodes.end())
          throw ScenarioError(named->where, fmt::format("{} is no extent node of {}", Quote(named->text),
                                                        Quote(service.name)));
      });
  return keys;
}

/// An object of each type, in the order of messages.
const std::vector<Fault>& FaultTypes() {
  static const std::vector<Fault> types{MarkFault{},        LossFault{},          PauseStormFault{},
                                        PortBlockedFault{}, SlowReceiverFault{},  LinkDownFault{},
                                        MacsecFault{},      CorruptFault{},       NicRestartFault{},
                                        WarmRestartFault{}, ExtentNodeDownFault{}};
  return types;
}

const Keys& KeysOfFault(const Fault& fault) {
  return *std::visit([](const auto& f) -> const Keys* { return &KeysFor(f); }, fault);
}

Fault ReadFault(const Node& node, Reading& reading) {
  const Node* type = node.Find("type");
  if (!type || type->IsNull()) {
    MapReader map(node, reading.errors);
    map.Need({"type"});
    if (type) map.Read("type", [](const Node&) {});
    map.FinishMissing();
    return MarkFault{};
  }
  std::vector<std::string> names;
  for (const Fault& fault : FaultTypes()) names.push_back(KeysOfFault(fault).section().type);
  if (!node.IsMap()) MapReader(node, reading.errors);
  Fault fault = FaultTypes()[ParseChoice(*type, names)];
  std::visit([&](auto& f) { KeysFor(f).Read(node, &f, reading); }, fault);
  return fault;
}

}  // namespace

KindOf<std::vector<Fault>> Faults() {
  Shape shape{"list", "", R"({"type": "array", "items": {"$ref": "#/definitions/fault"}})", {}, "*"};
  for (const Fault& fault : FaultTypes()) shape.inside.push_back(&KeysOfFault(fault));
  return {shape,
          [](const Node& list, std::vector<Fault>& faults, Reading& reading) {
            for (const Node& node : ParseList(list))
              reading.errors.Guard([&] { faults.push_back(ReadFault(node, reading)); });
          },
          [](const std::vector<Fault>& faults, const Writing& writing) {
            std::string text;
            for (const Fault& fault : faults)
              text +=
                  "\n  - " + std::visit([&](const auto& f) { return KeysFor(f).Write(&f, writing); }, fault);
            return text;
          }};
}

}  // namespace headroom::keys
