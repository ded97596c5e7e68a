#include "scenario/keys/services/own_services.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/services/connection_keys.h"
#include "scenario/keys/services/key_value_keys.h"
#include "scenario/keys/workloads/service_of.h"

namespace headroom::keys {

namespace {

/// For as long as the program runs.
std::list<KeysOf<OwnServiceEntry>>& Types() {
  static std::list<KeysOf<OwnServiceEntry>> types;
  return types;
}

bool IsTaken(const std::string& type) {
  const auto is = [&](const auto& keys) { return keys.section().type == type; };
  const auto points = [&](const auto* keys) { return is(*keys); };
  return type == "storage" || std::ranges::any_of(KeyValueTypes(), points) ||
         std::ranges::any_of(ConnectionTypes(), points) || std::ranges::any_of(Types(), is);
}

std::vector<KeyOf<OwnServiceEntry>> KeysOfAll(const std::string& type) {
  using Entry = OwnServiceEntry;
  using P = OwnServiceParameters;
  const KindOf<Entry> choice{{"choice", type, fmt::format(R"({{"const": "{}"}})", type)},
                             {},
                             [type](const Entry&, const Writing&) { return type; }};
  return {
      {"name", &Entry::parameters, &P::name, Name(), "name for workloads to refer to", {.required = true}},
      {"type", choice, "type of the entry", {.required = true}},
      {"clients",
       HostsOfService<Entry>(&P::clients, &ConnectionSource::clients),
       "hosts that send requests",
       {.required = true}},
      {"servers",
       HostsOfService<Entry>(&P::servers, &ConnectionSource::servers),
       "hosts that answer",
       {.required = true}},
      {"priority",
       &Entry::parameters,
       &P::priority,
       ClassOfService(),
       "a class",
       {.standard = "storage, else the only class that is not cnp"}}};
}

}  // namespace

KeysOf<OwnServiceEntry>& AddServiceType(const char* type, const char* help) {
  if (IsTaken(type)) throw std::invalid_argument(fmt::format("a second type of services \"{}\"", type));
  return Types().emplace_back(Section{.name = std::string("service_") + type, .help = help, .type = type},
                              KeysOfAll(type));
}

const std::list<KeysOf<OwnServiceEntry>>& OwnServiceTypes() { return Types(); }

}  // namespace headroom::keys
