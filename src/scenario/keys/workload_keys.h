// `workloads:`, an entry of which is a mapping by its `type`.
#pragma once

#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

KindOf<std::vector<Workload>> Workloads();
/// The keys of the types, in the order of messages.
const std::vector<const KeysOf<Workload>*>& WorkloadTypes();
/// Those of posting loops.
const KeysOf<Workload>& PostingKeys();

// What workloads of several types share.

/// name, type, verb and priority; of all but posting loops also register and qp.
std::vector<KeyOf<Workload>> CommonKeys(const char* type);

template <class A>
A& ArrivalsOf(Workload& workload) {
  return std::get<A>(workload.parameters.arrivals);
}
template <class A>
Workload StartingWith() {
  Workload workload;
  workload.parameters.arrivals = A{};
  return workload;
}
/// A key of the arrivals.
template <class A, class F>
KeyOf<Workload> Of(const char* name, F A::*field, const std::type_identity_t<KindOf<F>>& kind,
                   const char* help, Traits traits = {}) {
  return {name, [field](Workload& w) -> F& { return ArrivalsOf<A>(w).*field; }, kind, help,
          std::move(traits)};
}

/// Hosts that a key names, with what it says.
KindOf<Workload> HostsKind(std::vector<NodeId>& (*hosts)(Workload&),
                           std::vector<std::string> WorkloadSource::*texts);
/// from and to.
template <class A>
void AddEnds(std::vector<KeyOf<Workload>>& keys, bool required) {
  keys.push_back({"from",
                  HostsKind([](Workload& w) -> std::vector<NodeId>& { return ArrivalsOf<A>(w).from; },
                            &WorkloadSource::from),
                  "a host, a shell pattern over hosts, or a list of them; a single target is left out",
                  {.required = required, .standard = "\"*\""}});
  keys.push_back({"to",
                  HostsKind([](Workload& w) -> std::vector<NodeId>& { return ArrivalsOf<A>(w).to; },
                            &WorkloadSource::to),
                  "the same of targets",
                  {.required = required, .standard = "\"*\""}});
}
/// A pattern leaves the only target out. `loopback`: a host alone may send to itself.
void CheckEnds(const Node& node, std::vector<NodeId>& from, const std::vector<NodeId>& to,
               const Reading& reading, bool loopback = false);
/// After start, where it is given.
void CheckStop(const Node& node, Time start, const std::optional<Time>& stop, const Reading& reading);

}  // namespace headroom::keys
