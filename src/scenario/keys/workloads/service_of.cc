#include "scenario/keys/workloads/service_of.h"

#include "scenario/yaml/nearest.h"

namespace headroom::keys {

uint32_t IndexOfService(const Node& node, const std::vector<std::string>& types, const char* what,
                        const Reading& reading) {
  const std::string name = ParseText(node);
  const auto fits = [&](const OwnServiceEntry& e) {
    return std::ranges::count(types, e.parameters->type) > 0;
  };
  std::vector<std::string> names;
  for (size_t i = 0; i < reading.own_services->size(); ++i) {
    const OwnServiceEntry& entry = (*reading.own_services)[i];
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

KindOf<OwnServiceEntry> HostsOfService(std::vector<NodeId> ServiceParameters::*hosts,
                                       std::vector<std::string> OwnServiceSource::*texts) {
  return {{"hosts", "names and patterns", R"({"$ref": "#/definitions/hosts"})"},
          [=](const Node& node, OwnServiceEntry& entry, Reading& reading) {
            entry.source.*texts = ParseTexts(node);
            (*entry.parameters).*hosts = reading.names->Hosts(node);
          },
          [=](const OwnServiceEntry& entry, const Writing&) {
            const std::vector<std::string>& written = entry.source.*texts;
            return written.empty() ? std::string() : WriteTexts(written);
          }};
}

}  // namespace headroom::keys
