// `workloads:`, an entry of which is a mapping by its `type`.
#pragma once

#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

inline constexpr const char* kWorkloadPage = "models/workloads.md";

KindOf<std::vector<Workload>> Workloads();
/// The keys of the types, in the order of messages.
const std::vector<const KeysOf<Workload>*>& WorkloadTypes();
/// Those of posting loops.
const KeysOf<Workload>& PostingKeys();
/// Those of I/Os.
const KeysOf<Workload>& IoKeys();
const KeysOf<Workload>& FioKeys();
const KeysOf<Workload>& TraceKeys();
/// Those of operations on keys.
const KeysOf<Workload>& KvKeys();
const KeysOf<Workload>& YcsbKeys();
/// Those of payloads on connections.
const KeysOf<Workload>& TransferKeys();

// What workloads of several types share.

/// name and type; of all but I/Os verb and priority; of all but these and posting loops register and qp.
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
/// from and to; by default all hosts.
enum class Ends { none, optional, to_needed, both_needed };
template <class A>
std::vector<KeyOf<Workload>> EndKeys(Ends ends) {
  if (ends == Ends::none) return {};
  const auto from = [](Workload& w) -> std::vector<NodeId>& { return ArrivalsOf<A>(w).from; };
  const auto to = [](Workload& w) -> std::vector<NodeId>& { return ArrivalsOf<A>(w).to; };
  return {{"from",
           HostsKind(from, &WorkloadSource::from),
           "a host, a shell pattern over hosts, or a list of them; a single target is excluded",
           {.required = ends == Ends::both_needed, .standard = "\"*\""}},
          {"to",
           HostsKind(to, &WorkloadSource::to),
           "targets, in the same form",
           {.required = ends != Ends::optional, .standard = "\"*\""}}};
}
/// The keys of a type: what all have, its own, from and to.
using CheckWorkload = KeysOf<Workload>::CheckOf;
template <class A>
KeysOf<Workload> TypeKeys(const char* type, const char* help, const std::vector<KeyOf<Workload>>& own,
                          Ends ends = Ends::none, const CheckWorkload& check = {}) {
  std::vector<KeyOf<Workload>> keys = CommonKeys(type);
  keys.insert(keys.end(), own.begin(), own.end());
  if constexpr (requires(A a) { a.from; }) {
    const std::vector<KeyOf<Workload>> more = EndKeys<A>(ends);
    keys.insert(keys.end(), more.begin(), more.end());
  }
  Section section{.name = std::string("workload_") + type,
                  .page = kWorkloadPage,
                  .help = help,
                  .type = type,
                  .not_yet = {"protocol"}};
  if (section.type != "verbs") section.not_yet.emplace_back("transport");
  return {section, keys, check, StartingWith<A>};
}
/// Traffic of a host to itself shares what its NIC has: throws where that is nothing.
void CheckLoopback(const Position& where, NodeId host, const Reading& context);
/// A pattern leaves the only target out. `loopback`: a host alone may send to itself.
void CheckEnds(const Node& node, std::vector<NodeId>& from, const std::vector<NodeId>& to,
               const Reading& reading, bool loopback = false);
/// After start, where it is given.
void CheckStop(const Node& node, Time start, const std::optional<Time>& stop, const Reading& reading);

}  // namespace headroom::keys
