#include "scenario/keys/lists/tried.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom::keys {

namespace {

using Json = nlohmann::ordered_json;

/// Definitions of the schema that are quantities.
constexpr const char* kQuantities[] = {"time",     "rate",  "size",   "clock_rate", "length",
                                       "fraction", "bytes", "number", "count"};

bool IsQuantity(const Json& schema) {
  const std::string type =
      schema.contains("type") && schema["type"].is_string() ? schema["type"].get<std::string>() : "";
  if (type == "integer" || type == "number") return true;
  const std::string ref = schema.value("$ref", "");
  return std::ranges::any_of(kQuantities,
                             [&](const char* name) { return ref.ends_with(std::string("/") + name); });
}

/// Adds what a schema allows.
void AddTried(const Json& schema, bool repair, std::vector<std::string>& tried) {
  const auto add = [&](const std::string& text) {
    if (std::ranges::find(tried, text) == tried.end()) tried.push_back(text);
  };
  for (const char* several : {"oneOf", "anyOf"})
    if (schema.contains(several))
      for (const Json& one : schema[several]) AddTried(one, repair, tried);
  if (schema.contains("enum"))
    for (const Json& word : schema["enum"]) add(word.is_string() ? word.get<std::string>() : word.dump());
  if (schema.contains("const")) add(schema["const"]);
  if (schema.value("$ref", "").ends_with("/bit") || schema.value("type", Json()) == "boolean") {
    add("false");
    if (!repair) add("true");
  } else if (IsQuantity(schema)) {
    add("*4");
    add("/4");
  }
}

}  // namespace

std::vector<std::string> TriedOf(const Key& key, Cost cost) {
  if (cost == Cost::fixed) return {};
  std::vector<std::string> tried = key.traits.tried;
  if (tried.empty() && key.shape.kind == "class") tried = {"priorities.*"};
  if (!tried.empty()) return tried;
  const Json schema = Json::parse(key.shape.schema);
  const bool one_choice = schema.contains("const") || (schema.contains("enum") && schema["enum"].size() == 1);
  if (!one_choice) AddTried(schema, cost == Cost::repair, tried);
  return tried;
}

std::string NameOf(Cost cost) {
  constexpr const char* names[] = {"",         "fixed",    "repair", "setting", "reconfiguration",
                                   "hardware", "diagnosis"};
  return names[static_cast<size_t>(cost)];
}

Cost CostOf(const Key& key, Cost of_section) {
  return key.traits.cost == Cost::inherited ? of_section : key.traits.cost;
}

Cost CostOf(const Keys& keys, Cost around) {
  return keys.section().cost == Cost::inherited ? around : keys.section().cost;
}

}  // namespace headroom::keys
