// Faults of pauses: storms, blocked ports, slow receivers, unreadable PFC.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "scenario/keys/faults/fault_places.h"
#include "scenario/keys/faults/fault_types.h"
#include "scenario/keys/faults/timed_fault.h"
#include "scenario/keys/network/class_keys.h"

namespace headroom::keys {

namespace {

uint8_t ParsePriorities(const Node& node, const Reading& context) {
  uint8_t mask = 0;
  for (const std::string& text : ParseTexts(node)) {
    const bool number = text.size() == 1 && text[0] >= '0' && text[0] <= '7';
    const int priority = number ? text[0] - '0' : ParseClass(text, node.where, *context.classes);
    mask |= static_cast<uint8_t>(1u << priority);
  }
  return mask;
}

KindOf<uint8_t> Priorities() {
  return {{"priorities", "a priority, the name of a class, or a list of these",
           R"({"$ref": "#/definitions/fault_priorities"})"},
          [](const Node& node, uint8_t& mask, Reading& reading) { mask = ParsePriorities(node, reading); },
          [](const uint8_t& mask, const Writing&) {
            std::vector<int> priorities;
            for (int p = 0; p < kPriorities; ++p)
              if (((mask >> p) & 1) != 0) priorities.push_back(p);
            return priorities.empty() ? "" : fmt::format("[{}]", fmt::join(priorities, ", "));
          }};
}

KindOf<uint8_t> PrioritiesOrAll() {
  KindOf<uint8_t> kind = OrWord("all", uint8_t{0xff}, Priorities());
  kind.write = Priorities().write;
  return kind;
}

/// A host whose NIC has a receive buffer.
KindOf<NodeId> SlowHost() {
  return {Text().shape,
          [](const Node& node, NodeId& host, Reading& reading) {
            host = reading.names->Host(node);
            // If the NICs could not be read, their error is reported instead.
            if (host < reading.nics->size() && !(*reading.nics)[host].rx_buffer)
              throw ScenarioError(
                  node.where, fmt::format("the NIC of {} has no receive buffer to fill", Quote(node.text)),
                  "give it one: nics: resources: {rx_buffer: {size, xoff, xon}}");
          },
          [](const NodeId& host, const Writing& writing) { return WriteTexts({NameOf(host, writing)}); }};
}

/// Selects one of the two ends. REQUIRES: the link is known.
KindOf<MacsecFault> EndsOfLink(bool MacsecFault::*a, bool MacsecFault::*b) {
  const auto read = [a, b](const Node& list, MacsecFault& fault, Reading& reading) {
    for (const Node& item : ParseList(list)) {
      const NodeId node = reading.names->AnyNode(item);
      if (node != fault.a && node != fault.b)
        throw ScenarioError(item.where, Quote(item.text) + " is not one of the link's ends");
      fault.*(node == fault.a ? a : b) = true;
    }
  };
  const auto write = [a, b](const MacsecFault& f, const Writing& writing) {
    return fmt::format("[{}{}{}]", f.*a ? WriteTexts({NameOf(f.a, writing)}) : "", f.*a && f.*b ? ", " : "",
                       f.*b ? WriteTexts({NameOf(f.b, writing)}) : "");
  };
  return {
      {"list", "name one of the two ends", R"({"type": "array", "items": {"type": "string"}})"}, read, write};
}

}  // namespace

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
      "pause_storm", "a port pauses its peer regardless of its buffer",
      {FaultNode<F>(),
       FaultPort<F>(),
       {"frames", &F::storm, &Storm::frames,
        OneOf<Frames>({{"pfc", Frames::pfc}, {"global", Frames::global}, {"disabled", Frames::disabled}}),
        "global: PAUSE of IEEE 802.3; disabled: PFC with no class-enable bit set"},
       {"priority",
        &F::storm,
        &Storm::priorities,
        Priorities(),
        "required with frames: pfc",
        {.standard = "none"}},
       {"quanta", &F::storm, &Storm::quanta, Integers(0, 65535),
        "pause time, in 512 bit times; 0: the frames resume"},
       {"interval", &F::storm, &Storm::interval, interval,
        "interval between pause frames; auto: half the pause time"},
       {"end", &F::storm, &Storm::xon, OneOf<bool>({{"xon", true}, {"expire", false}}),
        "end of the storm: a frame resumes the peer, or the last pause expires"}},
      true, [](const Node& node, const F& f, Reading& reading) {
        if (f.storm.frames == Frames::pfc) NeedKey(node, "priority", reading);
        if (f.storm.quanta == 0 && !f.storm.interval)
          reading.errors.Add(ScenarioError(node.where, "a storm of zero quanta needs an interval"));
      });
  return keys;
}

const KeysOf<PortBlockedFault>& KeysFor(const PortBlockedFault&) {
  using F = PortBlockedFault;
  static const KeysOf<F> keys = TimedFault<F>(
      "port_blocked", "a port sends only PFC frames",
      {FaultNode<F>(),
       FaultPort<F>(),
       {"priority", &F::priorities, PrioritiesOrAll(), "blocked priority", {.standard = "all"}}},
      true);
  return keys;
}

const KeysOf<SlowReceiverFault>& KeysFor(const SlowReceiverFault&) {
  using F = SlowReceiverFault;
  static const KeysOf<F> keys =
      TimedFault<F>("slow_receiver", "a NIC empties its receive buffer slowly",
                    {{"node", &F::host, SlowHost(), "the host", {.required = true}},
                     {"rate",
                      &F::rate,
                      Rates(),
                      "rate at which the NIC takes frames out of its receive buffer",
                      {.required = true}}});
  return keys;
}

const KeysOf<MacsecFault>& KeysFor(const MacsecFault&) {
  using F = MacsecFault;
  static const KeysOf<F> keys = TimedFault<F>(
      "macsec", "only one end of a link encrypts PFC, so that neither end can read the other's PFC frames",
      {FaultLink<F>(&F::a, &F::b, "ends of the link"),
       {"encrypts",
        EndsOfLink(&F::a_encrypts, &F::b_encrypts),
        "ends that encrypt their PFC frames",
        {.required = true}},
       {"expects",
        EndsOfLink(&F::a_expects, &F::b_expects),
        "ends that expect encrypted PFC frames",
        {.required = true}}});
  return keys;
}

}  // namespace headroom::keys
