#include "scenario/keys/lists/schema.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "scenario/keys/lists/describe.h"
#include "scenario/keys/lists/tried.h"
#include "scenario/keys/sections/scenario_keys.h"

namespace headroom::keys {

namespace {

using Json = nlohmann::ordered_json;

/// Definitions that kinds refer to and that no mapping defines.
constexpr const char* kDefinitions = R"({
  "time": {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(ps|ns|us|ms|s)$"},
  "rate": {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?[KMGT]?bps$"},
  "size": {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(k|[KMGT]i?)?B$"},
  "clock_rate": {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?[kMG]?Hz$"},
  "length": {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(cm|m|km)$"},
  "fraction": {"oneOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": "^[0-9.]+(%|/[0-9.]+)?$"}]},
  "bytes": {"description": "Bytes as config_db has them, or with a unit.",
            "oneOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?((k|[KMGT]i?)?B)?$"}]},
  "bit": {"oneOf": [{"type": "boolean"}, {"enum": [0, 1]}]},
  "priority_mask": {"type": ["integer", "string"], "pattern": "^([0-9]+|0[xX][0-9a-fA-F]{1,2})$", "minimum": 0, "maximum": 255},
  "name": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
  "host_or_nic": {"description": "A host, or one of its NICs.", "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}(/[A-Za-z0-9_-]{1,64})?$"},
  "names": {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/name"}},
  "texts": {"oneOf": [{"type": "string"}, {"type": "array", "minItems": 1, "items": {"type": "string"}}]},
  "hosts": {"description": "A host, a shell pattern over hosts, or a list of them.", "$ref": "#/definitions/texts"},
  "count": {"type": "integer", "minimum": 1},
  "number": {"type": "number"},
  "direction": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}},
  "fault_priorities": {"oneOf": [{"type": "integer", "minimum": 0, "maximum": 7}, {"type": "string"},
                       {"type": "array", "minItems": 1, "items": {"oneOf": [{"type": "integer", "minimum": 0, "maximum": 7}, {"type": "string"}]}}]},
  "watchdogs": {"oneOf": [{"const": "none"}, {"$ref": "#/definitions/watchdog"}, {"type": "array", "items": {"$ref": "#/definitions/watchdog"}}]},
  "links": {"oneOf": [{"$ref": "#/definitions/link"}, {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/link_rule"}}]},
  "changed_rows": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": {"type": ["string", "number", "array"]}}},
  "buffer_rows": {"type": "object", "propertyNames": {"pattern": "^.+\\|[0-7](-[0-7])?$"}, "additionalProperties": {"$ref": "#/definitions/buffer_row"}}
})";

/// The values of these keys are one of several mappings.
constexpr std::pair<const char*, const char*> kChoices[] = {
    {"topology", "topology"}, {"workloads", "workload"},
    {"services", "service"},  {"services.*.front", "storage_leg"},
    {"faults", "fault"},      {"switches.*.buffer", "buffer"}};

Json Ref(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }

/// The value's schema, with the description of the key.
Json Property(const Keys& keys, const Key& key, Cost of_section) {
  Json property;
  property["description"] = Sentence(keys, key);
  property.update(Json::parse(key.shape.schema));
  const Cost cost = CostOf(key, of_section);
  if (const std::vector<std::string> tried = TriedOf(key, cost); !tried.empty()) {
    property["tried"] = tried;
    property["cost"] = NameOf(cost);
  }
  return property;
}

Json NeedsOneOf(const std::vector<std::string>& names) {
  Json choices = Json::array();
  for (const std::string& name : names) choices.push_back({{"required", {name}}});
  return choices;
}

void AddKey(const Keys& keys, const Key& key, Cost cost, Json& mapping, std::string& hidden) {
  const auto hide = [&](const std::string& name) { hidden += (hidden.empty() ? "" : "|") + name; };
  for (const std::string& name : key.traits.hidden) hide(name);
  for (const Key& other : key.traits.also) AddKey(keys, other, Cost::fixed, mapping, hidden);
  if (key.traits.refused) return;
  if (key.traits.unlisted && key.read) return hide(key.name);
  mapping["properties"][key.name] = Property(keys, key, cost);
}

/// `cost`: of its keys, unless they say otherwise.
Json SchemaOf(const Keys& keys, Cost cost) {
  const Section& section = keys.section();
  Json mapping;
  if (!section.help.empty()) mapping["description"] = Capital(section.help) + '.';
  mapping["type"] = "object";
  if (section.marks) mapping["marks"] = true;
  mapping["additionalProperties"] = false;
  Json required = Json::array();
  for (const Key& key : keys.keys())
    if (key.traits.required) required.push_back(key.name);
  if (!required.empty()) mapping["required"] = required;
  for (const auto& names : section.one_of) mapping["oneOf"] = NeedsOneOf(names);
  if (section.some_of.size() == 1) mapping["anyOf"] = NeedsOneOf(section.some_of.front());
  for (const auto& names : section.some_of)
    if (section.some_of.size() > 1) mapping["allOf"].push_back({{"anyOf", NeedsOneOf(names)}});
  std::string hidden;
  mapping["properties"] = Json::object();
  for (const Key& key : keys.keys()) AddKey(keys, key, cost, mapping, hidden);
  if (!hidden.empty())
    mapping["patternProperties"]["^(" + hidden + ")$"] = {
        {"description", "Name of a parameter in the Linux kernel's debugfs or in mlxconfig."},
        {"type", {"integer", "boolean", "string"}}};
  return mapping;
}

void Define(const Keys& keys, Cost cost, const std::string& path, Json& definitions) {
  for (const Key& key : keys.keys()) {
    // Items that are left out as a whole are fixed inside.
    const Cost around =
        key.traits.tried == std::vector<std::string>{"without"} ? Cost::fixed : CostOf(key, cost);
    const std::string at = path.empty() ? key.name : path + '.' + key.name;
    for (const Keys* inside : key.shape.inside) {
      const std::string& name = inside->section().name;
      if (!definitions.contains(name)) {
        definitions[name] = SchemaOf(*inside, CostOf(*inside, around));
        Define(*inside, CostOf(*inside, around), key.shape.step.empty() ? at : at + '.' + key.shape.step,
               definitions);
      }
    }
    for (const auto& [choice, name] : kChoices) {
      if (at != choice || definitions.contains(name)) continue;
      for (const Keys* inside : key.shape.inside)
        definitions[name]["oneOf"].push_back(Ref(inside->section().name));
    }
    for (const Key& other : key.traits.also)
      for (const Keys* inside : other.shape.inside)
        definitions[inside->section().name] = SchemaOf(*inside, Cost::fixed);
  }
}

/// Prints an object or list on one line if it is short enough.
void Print(const Json& json, size_t indent, size_t column, std::string& out) {
  constexpr size_t kWidth = 320;
  std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (!json.is_structured() || column + line.size() + 1 <= kWidth || json.empty()) {
    out += line;
    return;
  }
  const std::string inner(indent + 2, ' ');
  out += json.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    out += (first ? "\n" : ",\n") + inner;
    first = false;
    const std::string label = json.is_object() ? '"' + key + "\": " : "";
    out += label;
    Print(value, indent + 2, inner.size() + label.size(), out);
  }
  out += '\n' + std::string(indent, ' ') + (json.is_object() ? "}" : "]");
}

}  // namespace

std::string ScenarioSchema() {
  Json schema;
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "Headroom scenario";
  schema["description"] =
      "A network, its workloads and the expected results. To use this schema in a file: # "
      "yaml-language-server: $schema=PATH/schema/scenario.schema.json. `headroom keys --schema` makes "
      "this.";
  schema.update(SchemaOf(ScenarioKeys(), Cost::fixed));
  Json definitions = Json::parse(kDefinitions);
  Define(ScenarioKeys(), Cost::fixed, "", definitions);
  schema["definitions"] = definitions;
  std::string text;
  Print(schema, 0, 0, text);
  return text + '\n';
}

}  // namespace headroom::keys
