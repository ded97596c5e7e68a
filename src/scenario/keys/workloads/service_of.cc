#include "scenario/keys/workloads/service_of.h"

#include "scenario/yaml/nearest.h"

namespace headroom::keys {

uint32_t IndexOfService(const Node& node, const std::vector<std::string>& types, const char* what,
                        const Reading& reading) {
  const std::string name = ParseText(node);
  const auto fits = [&](const ServiceEntry& e) { return std::ranges::count(types, e.parameters->type) > 0; };
  std::vector<std::string> names;
  for (size_t i = 0; i < reading.services->size(); ++i) {
    const ServiceEntry& entry = (*reading.services)[i];
    if (fits(entry)) names.push_back(entry.parameters->name);
    if (entry.parameters->name != name) continue;
    if (fits(entry)) return static_cast<uint32_t>(i);
    throw ScenarioError(node.where, "service " + Quote(name) + " is of type " + entry.parameters->type,
                        "the name of a service of type " + Join(types));
  }
  if (names.empty())
    throw ScenarioError(node.where, std::string("there is no service") + what + ' ' + Quote(name),
                        "services: [{name: …, type: " + types.front() + ", …}]");
  ParseKnown(node, "service", names);
  return 0;
}

}  // namespace headroom::keys
