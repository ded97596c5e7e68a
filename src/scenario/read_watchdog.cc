#include "scenario/read_watchdog.h"

#include <fmt/format.h>

#include "net/traffic_class.h"
#include "scenario/write.h"

namespace headroom {

namespace {

struct Range {
  Time least, most;
};
// Source: SONiC, pfcwdorch.h and pfcwd/main.py.
constexpr Range kDetection{Milliseconds(100), Seconds(5)};
constexpr Range kRestoration{Milliseconds(100), Seconds(60)};
constexpr Range kPoll{Milliseconds(100), Seconds(1)};
constexpr Range kAnyTime{Microseconds(1), kLongestTime};

constexpr const char* kVendorNames[] = {"broadcom", "mellanox", "cisco", "marvell-teralynx", "generic"};
constexpr const char* kActionNames[] = {"drop", "forward", "alert"};

Time ReadTime(const Node& node, Range range) {
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
  throw ScenarioError(at->where,
                      fmt::format("poll {} is longer than {} {}", FormatTime(poll), key, FormatTime(time)));
}

std::string Priorities(uint8_t mask) {
  if (mask == 0xff) return "all";
  std::vector<int> priorities;
  for (int p = 0; p < kPriorities; ++p) {
    if (((mask >> p) & 1) != 0) priorities.push_back(p);
  }
  return fmt::format("[{}]", fmt::join(priorities, ", "));
}

WatchdogParameters ReadWatchdog(const Node& node, Errors& errors) {
  WatchdogParameters p;
  MapReader map(node, errors);
  map.Need({"detection"});
  map.Text("ports", p.ports);
  map.Read("priority", [&](const Node& value) {
    if (value.IsScalar() && value.text == "all") return;
    p.priorities = 0;
    const bool list = value.IsList();
    for (const Node& item : list ? value.items : std::vector<Node>{value})
      p.priorities |= static_cast<uint8_t>(1u << ParseInteger(item, 0, kPriorities - 1));
    if (p.priorities == 0) throw ScenarioError(value.where, "the list is empty");
  });
  map.Field("limits", p.limits);
  int wrong = 0;
  const auto read = [&](const char* key, Range range, auto& out) {
    wrong += map.Read(key, [&](const Node& value) {
      out = ReadTime(value, p.limits ? range : kAnyTime);
      --wrong;
    });
  };
  read("detection", kDetection, p.detection);
  const Node* restoration = map.Find("restoration");
  if (!restoration || !restoration->IsScalar() || restoration->text != "never")
    read("restoration", kRestoration, p.restoration);
  read("poll", kPoll, p.poll);
  map.Choice<WatchdogVendor>("vendor", p.vendor,
                             {{kVendorNames[0], WatchdogVendor::broadcom},
                              {kVendorNames[1], WatchdogVendor::mellanox},
                              {kVendorNames[2], WatchdogVendor::cisco},
                              {kVendorNames[3], WatchdogVendor::teralynx},
                              {kVendorNames[4], WatchdogVendor::generic}});
  map.Read("action", [&](const Node& value) {
    p.action = static_cast<WatchdogAction>(ParseChoice(value, {"drop", "forward", "alert"}));
    if (p.vendor == WatchdogVendor::cisco && p.action == WatchdogAction::forward)
      throw ScenarioError(value.where, "a cisco switch has no action \"forward\"", "allowed: drop, alert");
  });
  map.Field("big_red_switch", p.big_red_switch);
  map.Finish();
  if (wrong == 0 && map.Has("detection")) {
    CheckPoll(node, "detection", p.detection, p.poll);
    if (p.restoration) CheckPoll(node, "restoration", *p.restoration, p.poll);
  }
  return p;
}

}  // namespace

std::vector<WatchdogParameters> ReadWatchdogs(const Node& node, Errors& errors) {
  if (node.IsScalar() && node.text == "none") return {};
  if (!node.IsList()) return {ReadWatchdog(node, errors)};
  std::vector<WatchdogParameters> watchdogs;
  for (const Node& item : node.items) errors.Guard([&] { watchdogs.push_back(ReadWatchdog(item, errors)); });
  return watchdogs;
}

std::string WriteWatchdogs(const std::vector<WatchdogParameters>& watchdogs) {
  if (watchdogs.empty()) return "none";
  std::string text;
  for (const WatchdogParameters& w : watchdogs) {
    text += fmt::format(
        "{}{{ports: {}, priority: {}, detection: {}, restoration: {}, poll: {}, action: {}, vendor: {}, "
        "big_red_switch: "
        "{}, "
        "limits: {}}}",
        text.empty() ? "" : ", ", WriteTexts({w.ports}), Priorities(w.priorities), FormatTime(w.detection),
        w.restoration ? FormatTime(*w.restoration) : "never", FormatTime(w.poll),
        kActionNames[static_cast<int>(w.action)], kVendorNames[static_cast<int>(w.vendor)], w.big_red_switch,
        w.limits);
  }
  return "[" + text + "]";
}

}  // namespace headroom
