// Types of services that register themselves. The types of another program are in their own namespace:
//
//   const ServiceType kMine{"mine", &MakeAs<Mine, ServiceParameters>};
//   KeysOf<ServiceEntry>& mine = AddServiceType("mine", "a service of my own");
//   const OwnKey<Time> after = AddKey<Time>(mine, "after", Times(), Microseconds(1), "it answers so late");
//   … after.Of(parameters)
//
// A workload type that uses such services has the key `service` through
//
//   ServiceKind<Data>({"mine"}, +[](…) {…})
//
// (scenario/keys/workloads/service_of.h), and returns AskedService{ServiceOperation::Of::own, data.service}.
//
// Headroom's own types have parameters of their own class (protocol/service_parameters.h). They register with
// RegisteredService at the end of the file with their keys.
//
// Types are registered before a scenario is read, and are then like all others: read with their errors,
// written to resolved.yaml, in the JSON Schema and in `headroom keys`.
#pragma once

#include <climits>
#include <string>
#include <vector>

#include "scenario/keys/own_keys.h"
#include "scenario/keys/services/application_cost_keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

/// The keys of a new type: name, type, clients, servers and priority, to which AddKey adds. Throws
/// std::invalid_argument for a type that exists already. REQUIRES: no scenario has been read.
KeysOf<ServiceEntry>& AddServiceType(const char* type, const char* help);

/// One of Headroom's types. It stands at the end of the file with its keys: `const RegisteredService
/// kBrpc({.place = 4, .keys = BrpcKeys});`. It registers the type before main begins.
struct RegisteredServiceType {
  /// Order of the types in the schema and in messages.
  int place = INT_MAX;
  const KeysOf<ServiceEntry>& (*keys)() = nullptr;  ///< the type of its section is its name
};
struct RegisteredService {
  explicit RegisteredService(const RegisteredServiceType& type);
};

/// The registered types: those of Headroom in the order of their places, then added ones.
std::vector<const KeysOf<ServiceEntry>*> ServiceTypes();

// Parts that keys of several types share.

/// A type's names of its two sides, in place of clients and servers. With one side, `servers` is null.
struct ServiceSides {
  const char* clients = "clients";
  const char* clients_help = "hosts that send requests";
  const char* servers = "servers";
  const char* servers_help = "hosts that answer";
};
/// The keys name and type.
std::vector<KeyOf<ServiceEntry>> NameAndType(const std::string& type);
/// The keys name, type, the sides and priority.
std::vector<KeyOf<ServiceEntry>> ServiceKeysOf(const std::string& type, const ServiceSides& sides = {});
/// A key for a value of its parameters.
template <class P, class F>
KeyOf<ServiceEntry> OfService(const char* name, F P::*field, const std::type_identity_t<KindOf<F>>& kind,
                              const char* help, Traits traits = {}) {
  return {name, [field](ServiceEntry& e) -> F& { return e.parameters.As<P>().*field; }, kind, help,
          std::move(traits)};
}
/// `costs`, for a field of ApplicationCosts in its parameters. `keys`: the keys that have an effect; must
/// live as long as the program.
template <class P>
KeyOf<ServiceEntry> CostsOfService(ApplicationCosts P::*field,
                                   const KeysOf<ApplicationCosts>& keys = ApplicationCostKeys()) {
  return OfService<P>("costs", field, Mapping(keys), "costs of software");
}
/// An entry of this type before its keys are read.
template <class P>
ServiceEntry StartingWithParameters() {
  return {P(), {}};
}

}  // namespace headroom::keys
