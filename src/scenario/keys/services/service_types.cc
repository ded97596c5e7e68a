#include "scenario/keys/services/service_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/workloads/service_of.h"

namespace headroom::keys {

namespace {

/// Kept as long as the program runs.
std::list<KeysOf<ServiceEntry>>& Added() {
  static std::list<KeysOf<ServiceEntry>> types;
  return types;
}
std::vector<RegisteredServiceType>& Built() {
  static std::vector<RegisteredServiceType> types;
  return types;
}

bool IsTaken(const std::string& type) {
  const auto is = [&](const auto* keys) { return keys->section().type == type; };
  return std::ranges::any_of(ServiceTypes(), is);
}

}  // namespace

std::vector<KeyOf<ServiceEntry>> NameAndType(const std::string& type) {
  const KindOf<ServiceEntry> choice{{"choice", type, fmt::format(R"({{"const": "{}"}})", type)},
                                    {},
                                    [type](const ServiceEntry&, const Writing&) { return type; }};
  return {{"name",
           [](ServiceEntry& e) -> std::string& { return e.parameters->name; },
           Name(),
           "name for workloads to refer to",
           {.required = true}},
          {"type", choice, "type of the entry", {.required = true}}};
}

std::vector<KeyOf<ServiceEntry>> ServiceKeysOf(const std::string& type, const ServiceSides& sides) {
  using P = ServiceParameters;
  std::vector<KeyOf<ServiceEntry>> keys = NameAndType(type);
  keys.push_back({sides.clients,
                  HostsOfService(&P::clients, &ServiceSource::clients),
                  sides.clients_help,
                  {.required = true}});
  if (sides.servers != nullptr)
    keys.push_back({sides.servers,
                    HostsOfService(&P::servers, &ServiceSource::servers),
                    sides.servers_help,
                    {.required = true}});
  keys.push_back({"priority",
                  [](ServiceEntry& e) -> uint8_t& { return e.parameters->priority; },
                  ClassOfService(),
                  "a class",
                  {.standard = "storage; or, without it, the only class besides cnp"}});
  return keys;
}

KeysOf<ServiceEntry>& AddServiceType(const char* type, const char* help) {
  if (IsTaken(type))
    throw std::invalid_argument(fmt::format("a type of services \"{}\" exists already", type));
  return Added().emplace_back(Section{.name = std::string("service_") + type, .help = help, .type = type},
                              ServiceKeysOf(type));
}

RegisteredService::RegisteredService(const RegisteredServiceType& type) { Built().push_back(type); }

std::vector<const KeysOf<ServiceEntry>*> ServiceTypes() {
  std::vector<RegisteredServiceType> types = Built();
  std::ranges::stable_sort(types, {}, &RegisteredServiceType::place);
  std::vector<const KeysOf<ServiceEntry>*> all;
  for (const RegisteredServiceType& type : types) all.push_back(&type.keys());
  for (const KeysOf<ServiceEntry>& keys : Added()) all.push_back(&keys);
  return all;
}

}  // namespace headroom::keys
