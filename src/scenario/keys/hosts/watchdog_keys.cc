// The PFC watchdog of a switch or a NIC.
#include <fmt/format.h>

#include "net/traffic_class.h"
#include "scenario/keys/hosts/nic_keys.h"

namespace headroom::keys {

namespace {

struct WatchdogRange {
  Time least, most;
};
// Source: SONiC, pfcwdorch.h and pfcwd/main.py.
constexpr WatchdogRange kDetection{Milliseconds(100), Seconds(5)};
constexpr WatchdogRange kRestoration{Milliseconds(100), Seconds(60)};
constexpr WatchdogRange kPoll{Milliseconds(100), Seconds(1)};
constexpr WatchdogRange kAnyTime{Microseconds(1), kLongestTime};

Time ParseWatchdogTime(const Node& node, WatchdogRange range) {
  const Time time = ParseTime(node);
  if (time < range.least || time > range.most) {
    throw ScenarioError(
        node.where, Quote(node.text) + " is out of range",
        fmt::format("allowed: {} to {}{}", FormatTime(range.least), FormatTime(range.most),
                    range.most == kAnyTime.most ? "" : ", as in SONiC; any with limits: false"));
  }
  return time;
}

void CheckPoll(const Node& node, const char* key, Time time, Time poll) {
  if (poll <= time) return;
  const Node* at = node.Find("poll") ? node.Find("poll") : node.Find(key);
  throw ScenarioError(at->where, fmt::format("poll {} is longer than {} {}, but must not be",
                                             FormatTime(poll), key, FormatTime(time)));
}

/// Read as any time, because the range depends on `limits`.
KindOf<Time> WatchdogTime(WatchdogRange range) {
  return {Times(range.least, range.most).shape, Times().read, Times().write};
}

/// `all`, a priority or a list of priorities.
KindOf<uint8_t> WatchedPriorities() {
  const Shape one = ShapeOfIntegers(0, kPriorities - 1);
  Shape shape = ShapeOrWord("all", one);
  shape.schema =
      fmt::format(R"({{"oneOf": [{{"const": "all"}}, {}, {}]}})", one.schema, ShapeOfList(one, 1).schema);
  return {shape,
          [](const Node& node, uint8_t& mask, Reading&) {
            if (node.IsScalar() && node.text == "all") return;
            mask = 0;
            for (const Node& item : node.IsList() ? node.items : std::vector<Node>{node})
              mask |= static_cast<uint8_t>(1u << ParseInteger(item, 0, kPriorities - 1));
            if (mask == 0) throw ScenarioError(node.where, "the list is empty");
          },
          [](const uint8_t& mask, const Writing&) {
            if (mask == 0xff) return std::string("all");
            std::vector<int> priorities;
            for (int p = 0; p < kPriorities; ++p)
              if (((mask >> p) & 1) != 0) priorities.push_back(p);
            return fmt::format("[{}]", fmt::join(priorities, ", "));
          }};
}

void CheckWatchdog(const Node& node, WatchdogParameters& w, Reading& reading) {
  const Node *action = node.Find("action"), *detection = node.Find("detection"),
             *restoration = w.restoration ? node.Find("restoration") : nullptr;
  if (action && w.vendor == WatchdogVendor::cisco && w.action == WatchdogAction::forward)
    reading.errors.Add(
        ScenarioError(action->where, "a cisco switch has no action \"forward\"", "allowed: drop, alert"));
  bool right = true;
  for (const auto& [value, range] : {std::pair(detection, kDetection), std::pair(restoration, kRestoration),
                                     std::pair(node.Find("poll"), kPoll)}) {
    if (value) right &= reading.errors.Guard([&] { ParseWatchdogTime(*value, w.limits ? range : kAnyTime); });
  }
  if (!right || !detection) return;
  CheckPoll(node, "detection", w.detection, w.poll);
  if (w.restoration) CheckPoll(node, "restoration", *w.restoration, w.poll);
}

const KeysOf<WatchdogParameters>& WatchdogKeys() {
  using Watchdog = WatchdogParameters;
  using Action = WatchdogAction;
  using Vendor = WatchdogVendor;
  static const KeysOf<Watchdog> keys(
      {.name = "watchdog", .page = "models/pauses.md"},
      {{"ports",
        &Watchdog::ports,
        Text(),
        "a pattern over names of ports; for each port, the last matching watchdog applies",
        {.cost = Cost::fixed}},
       {"priority",
        &Watchdog::priorities,
        WatchedPriorities(),
        "a priority or a list of priorities; those without PFC are ignored",
        {.cost = Cost::fixed}},
       {"detection",
        &Watchdog::detection,
        WatchdogTime(kDetection),
        "time after which a pause counts as a storm",
        {.required = true}},
       {"restoration", &Watchdog::restoration,
        OrWord("never", std::nullopt, Maybe(WatchdogTime(kRestoration))),
        "time without PFC frames after which a stormed queue is restored"},
       {"poll", &Watchdog::poll, WatchdogTime(kPoll),
        "interval between polls; at most as long as "
        "detection and restoration"},
       {"action", &Watchdog::action,
        OneOf<Action>({{"drop", Action::drop}, {"forward", Action::forward}, {"alert", Action::alert}}),
        "action on a stormed queue; cisco has no forward"},
       {"vendor",
        &Watchdog::vendor,
        OneOf<Vendor>({{"broadcom", Vendor::broadcom},
                       {"mellanox", Vendor::mellanox},
                       {"cisco", Vendor::cisco},
                       {"marvell-teralynx", Vendor::teralynx},
                       {"generic", Vendor::generic}}),
        "vendor whose rule detects storms",
        {.cost = Cost::fixed}},
       {"big_red_switch",
        &Watchdog::big_red_switch,
        Flag(),
        "SONiC's BIG_RED_SWITCH: all watched queues drop frames during the whole run, without detection",
        {.cost = Cost::fixed}},
       {"limits",
        &Watchdog::limits,
        Flag(),
        "false: also allow times outside SONiC's ranges, from 1us",
        {.cost = Cost::fixed}}},
      CheckWatchdog);
  return keys;
}

}  // namespace

KindOf<std::vector<WatchdogParameters>> Watchdogs() {
  const KindOf<WatchdogParameters> one = Mapping(WatchdogKeys());
  Shape shape = one.shape;
  shape.kind = "mapping, list";
  shape.bounds = "none, a mapping or a list of mappings";
  shape.schema = R"({"$ref": "#/definitions/watchdogs"})";
  return {shape,
          [one](const Node& node, std::vector<WatchdogParameters>& watchdogs, Reading& reading) {
            watchdogs.clear();
            if (node.IsScalar() && node.text == "none") return;
            for (const Node& item : node.IsList() ? node.items : std::vector<Node>{node})
              reading.errors.Guard([&] {
                WatchdogParameters watchdog;
                one.read(item, watchdog, reading);
                watchdogs.push_back(watchdog);
              });
          },
          [one](const std::vector<WatchdogParameters>& watchdogs, const Writing& writing) {
            std::string text;
            for (const WatchdogParameters& w : watchdogs)
              (text += text.empty() ? "" : ", ") += one.write(w, writing);
            return text.empty() ? "none" : '[' + text + ']';
          }};
}

}  // namespace headroom::keys
