// Types of services that register themselves. Those of a program outside the tree are in a room of their own:
//
//   const ServiceType kMine{"mine", &MakeAs<Mine, OwnServiceParameters>};
//   KeysOf<OwnServiceEntry>& mine = AddServiceType("mine", "a service of my own");
//   const OwnKey<Time> after = AddKey<Time>(mine, "after", Times(), Microseconds(1), "it answers so late");
//   … after.Of(parameters)
//
// A workload type that asks such services has the key `service` by
//
//   OwnServiceKind<Data>("mine", +[](…) {…})
//
// (scenario/keys/workloads/service_of.h), and says AskedService{ServiceOperation::Of::own, data.service}.
//
// Applications of Headroom's have settings of a class of their own (protocol/service_parameters.h), and
// register with RegisteredService at the end of the file that has their keys.
//
// Types are registered before a scenario is read, and are then as all others: read with their errors, written
// to resolved.yaml, in the JSON Schema and among `headroom keys`.
#pragma once

#include <climits>
#include <string>
#include <vector>

#include "scenario/keys/own_keys.h"
#include "scenario/keys/services/application_cost_keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

/// The keys of a new type: name, type, clients, servers and priority, to which AddKey adds. Throws
/// std::invalid_argument for a type that there is already. REQUIRES: no scenario has been read.
KeysOf<OwnServiceEntry>& AddServiceType(const char* type, const char* help);

/// An application's type. Stands at the end of the file of its keys: `const RegisteredService kBrpc({.place =
/// 1, .keys = BrpcKeys});`. It registers the type before main begins.
struct RegisteredServiceType {
  /// In schema and messages the types stand in this order.
  int place = INT_MAX;
  const KeysOf<OwnServiceEntry>& (*keys)() = nullptr;  ///< its section's type is its name
};
struct RegisteredService {
  explicit RegisteredService(const RegisteredServiceType& type);
};

/// Those that are registered: applications in the order of their places, then those that were added.
std::vector<const KeysOf<OwnServiceEntry>*> OwnServiceTypes();

// What keys of applications share.

/// How an application names its two sides, in place of clients and servers. One side: `servers` is null.
struct ServiceSides {
  const char* clients = "clients";
  const char* clients_help = "hosts that send requests";
  const char* servers = "servers";
  const char* servers_help = "hosts that answer";
};
/// name, type, the sides and priority.
std::vector<KeyOf<OwnServiceEntry>> ServiceKeysOf(const std::string& type, const ServiceSides& sides = {});
/// A key of its settings' values.
template <class P, class F>
KeyOf<OwnServiceEntry> OfService(const char* name, F P::*field, const std::type_identity_t<KindOf<F>>& kind,
                                 const char* help, Traits traits = {}) {
  return {name, [field](OwnServiceEntry& e) -> F& { return e.parameters.settings.As<P>().*field; }, kind,
          help, std::move(traits)};
}
/// `costs`, of a field of ApplicationCosts in its settings. `keys`: those that have an effect, for as long as
/// the program runs.
template <class P>
KeyOf<OwnServiceEntry> CostsOfService(ApplicationCosts P::*field,
                                      const KeysOf<ApplicationCosts>& keys = ApplicationCostKeys()) {
  return OfService<P>("costs", field, Mapping(keys), "costs of software");
}
/// An entry of this type before its keys are read: settings of class S.
template <class S>
OwnServiceEntry StartingWithSettings() {
  OwnServiceEntry entry;
  entry.parameters.settings = std::make_unique<S>();
  return entry;
}

}  // namespace headroom::keys
