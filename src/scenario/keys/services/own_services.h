// Types of services that a program brings along, in their own room outside the tree:
//
//   const ServiceType kMine{"mine", &MakeAs<Mine, OwnServiceParameters>};
//   KeysOf<OwnServiceEntry>& mine = AddServiceType("mine", "a service of my own");
//   const OwnKey<Time> after = AddKey<Time>(mine, "after", Times(), Microseconds(1), "it answers so late");
//   … after.Of(parameters)
//
// A workload type that asks such services has the key `service` by
//
//   ServiceKind<Data>(&Reading::own_services, &Writing::own_services, "", "mine", +[](…) {…})
//
// (scenario/keys/workloads/service_of.h), and says AskedService{ServiceOperation::Of::own, data.service}.
//
// Types are registered before a scenario is read, and are then as all others: read with their errors, written
// to resolved.yaml, in the JSON Schema and among `headroom keys`.
#pragma once

#include <list>

#include "scenario/keys/own_keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

/// The keys of a new type: name, type, clients, servers and priority, to which AddKey adds. Throws
/// std::invalid_argument for a type that there is already. REQUIRES: no scenario has been read.
KeysOf<OwnServiceEntry>& AddServiceType(const char* type, const char* help);

/// Those that have been added.
const std::list<KeysOf<OwnServiceEntry>>& OwnServiceTypes();

}  // namespace headroom::keys
