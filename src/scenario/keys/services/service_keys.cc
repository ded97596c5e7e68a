#include "scenario/keys/services/service_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/services/service_types.h"

namespace headroom::keys {

namespace {

const std::string& ReadAs(const KeysOf<ServiceEntry>& keys, const Node& node,
                          std::vector<ServiceEntry>& services, Reading& reading) {
  if (const Node* const nic = node.Find("nic"))
    throw NotSupportedYet(nic->where, "a choice of NICs by a service",
                          "it uses the first NIC of each host; name others as its hosts, such as h3/n2");
  ServiceEntry& entry = services.emplace_back(keys.Start());
  entry.parameters->type = keys.section().type;
  entry.source.where = node.where;
  const bool classed = std::ranges::count(keys.keys(), "priority", &Key::name) > 0;
  if (classed && !node.Find("priority"))
    reading.errors.Guard([&] { entry.parameters->priority = DefaultClass(node.where, *reading.classes); });
  keys.Read(node, &entry, reading);
  return entry.parameters->name;
}

/// Returns the service's name; empty if it has none.
std::string ReadService(const Node& node, std::vector<ServiceEntry>& services, Reading& reading) {
  MapReader map(node, reading.errors);
  std::vector<std::string> types;
  const auto all = ServiceTypes();
  for (const auto* keys : all) types.push_back(keys->section().type);
  size_t type = types.size();
  map.Need({"name", "type"});
  map.Read("type", [&](const Node& value) { type = ParseChoice(value, types); });
  if (type < types.size()) return ReadAs(*all[type], node, services, reading);
  map.Read("name", [&](const Node& name) { ParseName(name); });
  map.FinishMissing();
  return "";
}

}  // namespace

KindOf<std::vector<ServiceEntry>> Services() {
  Shape shape{
      "list", "", R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/service"}})", {}, "*"};
  for (const auto* keys : ServiceTypes()) shape.inside.push_back(keys);
  const auto read = [](const Node& list, std::vector<ServiceEntry>& services, Reading& reading) {
    std::set<std::string> names;
    for (const Node& node : ParseList(list)) {
      reading.errors.Guard([&] {
        const std::string name = ReadService(node, services, reading);
        if (!name.empty() && !names.insert(name).second)
          throw ScenarioError(node.Find("name")->where, fmt::format("a service \"{}\" exists already", name));
      });
    }
    if (list.items.empty()) throw ScenarioError(list.where, "the scenario has no service");
  };
  const auto write = [](const std::vector<ServiceEntry>& services, Writing writing) {
    writing.indent = 4;
    std::string text;
    for (const ServiceEntry& entry : services) {
      for (const auto* keys : ServiceTypes()) {
        if (keys->section().type != entry.parameters->type) continue;
        text += "\n  - " + keys->WriteLines(&entry, writing).substr(4);
      }
    }
    if (!text.empty()) text.pop_back();
    return text;
  };
  return {shape, read, write};
}

}  // namespace headroom::keys
