#include "scenario/keys/switches/switch_keys.h"

#include <fmt/format.h>

#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/switches/buffer_keys.h"
#include "scenario/keys/switches/routing_keys.h"

namespace headroom::keys {

namespace {

using Switch = SwitchParameters;

/// Marks a threshold that could not be read.
constexpr Bytes kUnread{-1};

const KeysOf<EcnParameters>& CurveKeys() {
  using Ecn = EcnParameters;
  static const KeysOf<Ecn> keys(
      {.name = "curve", .page = "models/dcqcn.md"},
      {{"kmin", &Ecn::kmin, Sizes(), "queue length below which no packet is marked", {.required = true}},
       {"kmax", &Ecn::kmax, Sizes(), "queue length above which every packet is marked", {.required = true}},
       {"pmax", &Ecn::pmax, Fractions(), "marking probability at kmax", {.required = true}},
       {"per_rate",
        &Ecn::per_rate,
        Maybe(Rates()),
        "port rate for which the thresholds are given; at other ports they scale with the rate",
        {.standard = "none: the thresholds hold for any rate", .cost = Cost::fixed}}},
      [](const Node& node, Ecn& ecn, Reading&) {
        const Node *kmin = node.Find("kmin"), *kmax = node.Find("kmax");
        if (!kmin || !kmax || ecn.kmin <= ecn.kmax || ecn.kmax == kUnread) return;
        throw ScenarioError(
            kmin->where.Before(kmax->where)
                ? kmax->where
                : kmin->where,  // the error is reported at the later of the two keys
            fmt::format("kmin {} is above kmax {}", FormatSize(ecn.kmin), FormatSize(ecn.kmax)),
            "lower kmin or raise kmax");
      });
  return keys;
}

/// Reads `none`, or a curve.
KindOf<std::optional<EcnParameters>> Curve() {
  KindOf<std::optional<EcnParameters>> kind = OrWord("none", std::nullopt, Maybe(Mapping(CurveKeys())));
  kind.read = [](const Node& node, std::optional<EcnParameters>& out, Reading& reading) {
    if (node.IsScalar() && node.text == "none") return out.reset();
    EcnParameters ecn;
    ecn.kmin = ecn.kmax = kUnread;
    CurveKeys().Read(node, &ecn, reading);
    out = ecn;
  };
  return kind;
}

/// Reads curves by class. A switch with a SONiC configuration records which curves are the scenario's.
KindOf<Switch> Ecn() {
  const auto read = [](const Node& node, Switch& s, Reading& reading) {
    const bool none = node.IsScalar() && node.text == "none";
    if (none && s.sonic) {
      for (const TrafficClass& c : *reading.classes)
        if (!c.name.empty()) s.sonic->own_ecn[c.priority] = true;
    }
    if (none) return;
    MapReader map(node, reading.errors);
    for (const Entry& entry : node.entries) {
      reading.errors.Guard([&] {
        const uint8_t priority = ParseClass(entry.key, entry.where, *reading.classes);
        Curve().read(entry.value, s.ecn[priority], reading);
        if (s.sonic) s.sonic->own_ecn[priority] = true;
      });
    }
  };
  const auto write = [](const Switch& s, const Writing& writing) {
    std::string text;
    for (const TrafficClass& c : *writing.classes)
      if (!c.name.empty() && (!s.sonic || s.sonic->own_ecn[c.priority]))
        text += fmt::format("\n      {}: {}", WriteTexts({c.name}), Curve().write(s.ecn[c.priority], {}));
    return text;
  };
  Shape shape = CurveKeys().shape();
  shape.kind = "mappings by class";
  shape.bounds = "none, or a curve for each class";
  shape.schema =
      fmt::format(R"({{"oneOf": [{{"const": "none"}}, {{"type": "object", "additionalProperties": {}}}]}})",
                  Curve().shape.schema);
  shape.step = "CLASS";
  return {shape, read, write};
}

KindOf<std::optional<Time>> Refresh() {
  KindOf<std::optional<Time>> kind = OrWord("auto", std::nullopt, Maybe(Times(Time(1), Seconds(1))));
  kind.read = [](const Node& node, std::optional<Time>& refresh, Reading&) {
    if (node.IsScalar() && node.text == "auto") return;
    const Time time = ParseTime(node);
    if (time.v == 0 || time > Seconds(1))
      throw ScenarioError(node.where, Quote(node.text) + " is out of range", "allowed: auto, or 1ps to 1s");
    refresh = time;
  };
  return kind;
}

/// The scenario's own watchdogs, which replace those of a SONiC configuration.
KindOf<Switch> OwnWatchdogs() {
  const KindOf<std::vector<WatchdogParameters>> watchdogs = Watchdogs();
  return {watchdogs.shape,
          [watchdogs](const Node& node, Switch& s, Reading& reading) {
            watchdogs.read(node, s.pfc.watchdogs, reading);
            if (s.sonic) s.sonic->own_watchdogs = true;
          },
          [watchdogs](const Switch& s, const Writing& writing) {
            return s.sonic && !s.sonic->own_watchdogs ? "" : watchdogs.write(s.pfc.watchdogs, writing);
          }};
}

const KeysOf<Switch>& PfcKeys() {
  using Pfc = PfcParameters;
  static const KeysOf<Switch> keys(
      {.name = "pfc", .page = "models/pauses.md"},
      {{"enabled",
        &Switch::pfc,
        &Pfc::enabled,
        Flag(),
        "false: the switch neither sends nor obeys pauses",
        {.tried = {"true"}}},
       {"response",
        &Switch::pfc,
        &Pfc::response,
        Times(Time(0), Seconds(1)),
        "time from the last bit of a PFC frame to its effect, at this switch and its hosts",
        {.tried = {"0ns"}, .cost = Cost::diagnosis}},
       {"quanta",
        &Switch::pfc,
        &Pfc::quanta,
        Integers(1, 65535),
        "pause time requested by this switch and its hosts, in 512 bit times of the port",
        {.cost = Cost::fixed}},
       {"refresh",
        &Switch::pfc,
        &Pfc::refresh,
        Refresh(),
        "interval between refreshes of a pause, at this switch and its hosts; auto: half the pause time. "
        "An interval longer than the pause leaves gaps",
        {.cost = Cost::fixed}},
       {"watchdog",
        OwnWatchdogs(),
        "a watchdog on pauses, or a list of watchdogs for different ports",
        {.breaks = true,
         .standard = "none",
         .page = "models/pauses.md",
         .tried = {"none", "{detection: 200ms, restoration: 200ms, poll: 100ms}"}}}});
  return keys;
}

const KeysOf<ChassisParameters>& ChassisKeys() {
  using Chassis = ChassisParameters;
  static const KeysOf<Chassis> keys(
      {.name = "chassis", .page = "models/chassis.md", .cost = Cost::fixed},
      {{"line_cards", &Chassis::line_cards, Integers(1, 64),
        "number of line cards; ports are assigned in contiguous blocks"},
       {"on_chip", &Chassis::on_chip, Sizes(Bytes(1)),
        "memory on a line card's chip; public figures for Jericho2 and Jericho2c+ are 16 to 32 MB"},
       {"spill", &Chassis::spill, Sizes(),
        "bytes on the chip from which on a virtual output queue continues in the deep memory"},
       {"deep_bandwidth", &Chassis::deep_bandwidth, Fractions(100),
        "bandwidth of the deep memory for writing, and for reading, as a share of the line card's total "
        "port rate"},
       {"credit", &Chassis::credit, Sizes(Bytes(64), Bytes(1 << 20)), "bytes per credit"},
       {"credit_speedup",
        &Chassis::credit_speedup,
        Fractions(10, true),
        "rate of credits in excess of the egress port's rate",
        {.breaks = true}},
       {"egress_queue", &Chassis::egress_queue, OrWord("auto", Bytes(0), Sizes()),
        "maximum bytes that a queue of an egress port holds or has granted; auto: the port's bytes in "
        "two fabric latencies, plus four credits"},
       {"fabric_latency", &Chassis::fabric_latency, Times(Time(0), Seconds(1)),
        "latency of the fabric for requests, credits and frames, one way"}});
  return keys;
}

}  // namespace

KeysOf<SwitchParameters>& SwitchKeys() {
  static KeysOf<Switch> keys(
      {.name = "switch", .page = "models/shared-buffer.md"},
      {{"match",
        Described<Switch>(Texts().shape),
        "shell patterns over names of switches",
        {.required = true}},
       {"latency",
        &Switch::latency,
        Times(Time(0), Seconds(1)),
        "time from the last bit in to the first possible bit out; in a chassis, to the first bit into "
        "the fabric",
        {.tried = {"0ns"}, .cost = Cost::diagnosis}},
       {"buffer",
        Buffer(),
        "buffer: a named profile, the rules of the HPCC simulator with a size, SONiC's tables, or the "
        "configuration of a SONiC switch",
        {.standard = "{profile: azure-24mb}"}},
       {"ecn", Ecn(), "RED curves for ECN marks, by class", {.standard = "none", .page = "models/dcqcn.md"}},
       {"pfc", Mapping(PfcKeys()), "times of pauses", {.page = "models/pauses.md"}},
       {"oscillator",
        &Switch::oscillator,
        Oscillators(),
        "the clock of the switch's ports; exact: nominal times",
        {.standard = "{ppm: 30, jitter: frame}", .page = "models/links-and-ports.md", .cost = Cost::fixed}},
       {"chassis",
        &Switch::chassis,
        Maybe(Mapping(ChassisKeys())),
        "line cards, each with virtual output queues and a deep memory",
        {.standard = "none: an output-queued switch", .page = "models/chassis.md"}},
       {"routing",
        &Switch::routing,
        Routing(),
        "how the switch chooses among equal next hops",
        {.standard = "ecmp", .page = "models/routing.md"}}});
  return keys;
}

}  // namespace headroom::keys
