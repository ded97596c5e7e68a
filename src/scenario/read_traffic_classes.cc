#include "scenario/read_traffic_classes.h"

#include <fmt/format.h>

#include "scenario/nearest.h"

namespace headroom {

TrafficClasses DefaultTrafficClasses() {
  TrafficClasses classes;
  classes[3] = {.name = "storage", .priority = 3, .dscp = 3, .lossless = true, .weight = 1, .strict = false};
  classes[6] = {.name = "cnp", .priority = 6, .dscp = 48, .lossless = false, .weight = 1, .strict = true};
  return classes;
}

namespace {

TrafficClass ReadClass(const Entry& entry, Errors& errors) {
  CheckName(entry.key, entry.where);
  MapReader map(entry.value, errors);
  TrafficClass c;
  c.name = entry.key;
  map.Need({"priority"});
  map.Integer("priority", c.priority, 0, kPriorities - 1);
  c.dscp = c.priority;
  map.Integer("dscp", c.dscp, 0, 63);
  map.Field("lossless", c.lossless);
  map.Integer("weight", c.weight, 1, 1'000'000);
  map.Field("strict", c.strict);
  map.Finish();
  return c;
}

}  // namespace

TrafficClasses ReadTrafficClasses(const Node& node, Errors& errors) {
  TrafficClasses classes;
  MapReader map(node, errors);
  for (const Entry& entry : node.entries) {
    errors.Guard([&] {
      const TrafficClass c = ReadClass(entry, errors);
      for (const TrafficClass& other : classes) {
        if (!other.name.empty() && other.priority == c.priority)
          throw ScenarioError(entry.where, fmt::format("\"{}\" has priority {}, as \"{}\" has", c.name,
                                                       c.priority, other.name));
        if (!other.name.empty() && other.dscp == c.dscp)
          throw ScenarioError(entry.where,
                              fmt::format("\"{}\" has DSCP {}, as \"{}\" has", c.name, c.dscp, other.name));
      }
      classes[c.priority] = c;
    });
  }
  if (node.entries.empty()) throw ScenarioError(node.where, "there is no traffic class");
  return classes;
}

std::optional<uint8_t> FindClass(const TrafficClasses& classes, const std::string& name) {
  for (const TrafficClass& c : classes)
    if (!name.empty() && c.name == name) return c.priority;
  return std::nullopt;
}

uint8_t ParseClass(const std::string& name, const Position& where, const TrafficClasses& classes) {
  if (const auto priority = FindClass(classes, name)) return *priority;
  std::vector<std::string> names;
  for (const TrafficClass& c : classes)
    if (!c.name.empty()) names.push_back(c.name);
  throw ScenarioError(where, "there is no traffic class " + Quote(name), "allowed: " + Join(names),
                      Nearest(name, names));
}

uint8_t ParseClass(const Node& node, const TrafficClasses& classes) {
  return ParseClass(ParseText(node), node.where, classes);
}

}  // namespace headroom
