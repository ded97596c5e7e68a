#include "scenario/keys/network/class_keys.h"

#include <fmt/format.h>

#include "scenario/yaml/nearest.h"

namespace headroom::keys {

TrafficClasses DefaultTrafficClasses() {
  TrafficClasses classes;
  classes[3] = {.name = "storage", .priority = 3, .dscp = 3, .lossless = true, .weight = 1, .strict = false};
  classes[6] = {.name = "cnp", .priority = 6, .dscp = 48, .lossless = false, .weight = 1, .strict = true};
  return classes;
}

namespace {

/// The DSCP is the priority unless it is given.
KindOf<TrafficClass> Priority() {
  const KindOf<uint8_t> priority = Integers{0, kPriorities - 1};
  return {priority.shape,
          [priority](const Node& node, TrafficClass& c, Reading& reading) {
            priority.read(node, c.priority, reading);
            c.dscp = c.priority;
          },
          [priority](const TrafficClass& c, const Writing& writing) {
            return priority.write(c.priority, writing);
          }};
}

const KeysOf<TrafficClass>& ClassKeys() {
  using Class = TrafficClass;
  static const KeysOf<Class> keys(
      {.name = "class", .page = "models/links-and-ports.md"},
      {{"priority",
        Priority(),
        "priority for PFC, and queue, of the class",
        {.required = true, .cost = Cost::fixed}},
       {"dscp",
        &Class::dscp,
        Integers(0, 63),
        "unique code point of the class; only a label, because frames carry their priority",
        {.standard = "the priority", .cost = Cost::fixed}},
       {"lossless", &Class::lossless, Flag(), "PFC protects it", {.tried = {"true"}}},
       {"weight",
        &Class::weight,
        Integers(1, 1'000'000),
        "weight in the round robin of non-strict classes",
        {.tried = {"*16", "/16"}}},
       {"strict", &Class::strict, Flag(),
        "whether the class has strict priority over every weighted "
        "class"}});
  return keys;
}

void CheckTwo(const TrafficClass& c, const TrafficClass& other, const Position& where) {
  if (other.name.empty()) return;
  if (other.priority == c.priority)
    throw ScenarioError(where, fmt::format("\"{}\" has priority {}, which \"{}\" already has", c.name,
                                           c.priority, other.name));
  if (other.dscp == c.dscp)
    throw ScenarioError(
        where, fmt::format("\"{}\" has DSCP {}, which \"{}\" already has", c.name, c.dscp, other.name));
}

void ReadClasses(const Node& node, TrafficClasses& classes, Reading& reading) {
  classes = {};
  MapReader map(node, reading.errors);
  for (const Entry& entry : node.entries) {
    reading.errors.Guard([&] {
      CheckName(entry.key, entry.where);
      TrafficClass c;
      c.name = entry.key;
      ClassKeys().Read(entry.value, &c, reading);
      for (const TrafficClass& other : classes) CheckTwo(c, other, entry.where);
      classes[c.priority] = c;
    });
  }
  if (node.entries.empty()) throw ScenarioError(node.where, "there is no traffic class");
}

std::string WriteClasses(const TrafficClasses& classes, const Writing&) {
  std::string text;
  for (const TrafficClass& c : classes)
    if (!c.name.empty()) text += fmt::format("\n  {}: {}", WriteTexts({c.name}), ClassKeys().Write(&c, {}));
  return text;
}

}  // namespace

KindOf<TrafficClasses> Classes() {
  Shape shape = ClassKeys().shape();
  shape.kind = "mappings by name";
  shape.schema =
      R"({"type": "object", "minProperties": 1, "propertyNames": {"$ref": "#/definitions/name"}, "additionalProperties": {"$ref": "#/definitions/class"}})";
  shape.step = "NAME";
  return {shape, ReadClasses, WriteClasses};
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

KindOf<uint8_t> ClassOfService() {
  return {{"class", "", R"({"type": "string"})"},
          [](const Node& node, uint8_t& priority, Reading& reading) {
            priority = ParseClass(node, *reading.classes);
          },
          [](const uint8_t& priority, const Writing& writing) {
            return writing.classes ? WriteTexts({(*writing.classes)[priority].name}) : "";
          }};
}

uint8_t DefaultClass(const Position& where, const TrafficClasses& classes) {
  if (const auto storage = FindClass(classes, "storage")) return *storage;
  std::vector<uint8_t> data;
  for (const TrafficClass& c : classes)
    if (!c.name.empty() && c.name != "cnp") data.push_back(c.priority);
  if (data.size() == 1) return data.front();
  throw ScenarioError(where, "the key \"priority\" is missing and there is no class \"storage\"");
}

uint8_t ClassForTcp(const Position& where, const TrafficClasses& classes) {
  if (const auto tcp = FindClass(classes, "tcp")) return *tcp;
  std::vector<uint8_t> lossy;
  for (const TrafficClass& c : classes)
    if (!c.name.empty() && c.name != "cnp" && !c.lossless) lossy.push_back(c.priority);
  return lossy.size() == 1 ? lossy.front() : DefaultClass(where, classes);
}

}  // namespace headroom::keys
