// `workloads:`, whose entries are mappings by `type`.
#pragma once

#include <climits>
#include <memory>
#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

inline constexpr const char* kWorkloadPage = "models/workloads.md";

KindOf<std::vector<Workload>> Workloads();

/// A type of workload.
struct WorkloadType {
  /// Order of the types in the schema, on pages and in messages; those of other programs come last.
  int place = INT_MAX;
  const KeysOf<Workload>& (*keys)() = nullptr;  ///< the type of its section is its name
  bool own_classes = false;                     ///< each message has its own class
  /// Expands an entry into several workloads; null if it is one workload.
  std::vector<Workload> (*expand)(const Node& node, const Workload& read, const Reading& reading) = nullptr;
};
/// Registers a type before main begins. A constant of this class stands at the end of the type's file: `const
/// RegisteredType kName({.place = 1, .keys = PoissonKeys});`.
struct RegisteredType {
  explicit RegisteredType(const WorkloadType& type);
};
/// The registered types, in their order. Throws std::invalid_argument if two types have the same name.
const std::vector<WorkloadType>& WorkloadTypes();

// The parts that workloads of several types share.

/// The keys name, type and enabled.
std::vector<KeyOf<Workload>> NameKeys(const char* type);
/// The keys for messages: also verb, priority, and, except for programs on verbs, register and qp.
struct MessageWords {
  const char* priority = "a class";
  const char* standard_priority = "storage; or, without it, the only class besides cnp";
  const char* standard_qp = "{per_pair: 1}";
};
std::vector<KeyOf<Workload>> MessageKeys(const char* type, bool on_verbs, const MessageWords& words = {});
/// The keys for operations: also priority, which is refused. `what`: for example "I/Os"; `where`: the key to
/// use instead.
std::vector<KeyOf<Workload>> OperationKeys(const char* type, const char* what, const char* where);

template <class A>
A& DataOf(Workload& workload) {
  return workload.parameters.arrivals.As<A>();
}
template <class A>
const A& DataOf(const Workload& workload) {
  return workload.parameters.arrivals.As<A>();
}
/// The workload before its keys are read.
template <class Type>
Workload StartingWith() {
  Workload workload;
  workload.parameters.arrivals = std::make_unique<Type>();
  return workload;
}
/// A key of the arrivals' data.
template <class A, class F>
KeyOf<Workload> Of(const char* name, F A::*field, const std::type_identity_t<KindOf<F>>& kind,
                   const char* help, Traits traits = {}) {
  return {name, [field](Workload& w) -> F& { return DataOf<A>(w).*field; }, kind, help, std::move(traits)};
}
/// A key of the arrivals' data as a whole.
template <class A>
KeyOf<Workload> OfAll(const char* name, const KindOf<A>& kind, const char* help, Traits traits = {}) {
  return {name, [](Workload& w) -> A& { return DataOf<A>(w); }, kind, help, std::move(traits)};
}

/// Whether the order of a list of hosts has a meaning, or the list is a set, kept in the order of ids.
enum class HostOrder { of_the_list, of_ids };
/// Hosts that a key names, with the key's help. Naming a host twice is an error.
KindOf<Workload> HostsKind(std::vector<NodeId>& (*hosts)(Workload&),
                           std::vector<std::string> WorkloadSource::*texts,
                           HostOrder order = HostOrder::of_the_list);
/// The keys from and to; by default all hosts.
enum class Ends { none, optional, to_needed, both_needed };
template <class A>
std::vector<KeyOf<Workload>> EndKeys(Ends ends) {
  if (ends == Ends::none) return {};
  const auto from = [](Workload& w) -> std::vector<NodeId>& { return DataOf<A>(w).from; };
  const auto to = [](Workload& w) -> std::vector<NodeId>& { return DataOf<A>(w).to; };
  return {{"from",
           HostsKind(from, &WorkloadSource::from, HostOrder::of_ids),
           "senders: a host, a shell pattern over hosts, or a list of both; a single target is excluded",
           {.required = ends == Ends::both_needed, .standard = "\"*\""}},
          {"to",
           HostsKind(to, &WorkloadSource::to, HostOrder::of_ids),
           "targets, in the same form",
           {.required = ends != Ends::optional, .standard = "\"*\""}}};
}
/// The keys of a type of messages: the common keys, its own, from and to.
using CheckWorkload = KeysOf<Workload>::CheckOf;
template <class Type>
KeysOf<Workload> TypeKeys(const char* type, const char* help, const std::vector<KeyOf<Workload>>& own,
                          Ends ends = Ends::none, const CheckWorkload& check = {}) {
  const bool on_verbs = Type().OnVerbs();
  std::vector<KeyOf<Workload>> keys = MessageKeys(type, on_verbs);
  keys.insert(keys.end(), own.begin(), own.end());
  if constexpr (requires(Type t) { t.a.from; }) {
    const std::vector<KeyOf<Workload>> more = EndKeys<decltype(Type::a)>(ends);
    keys.insert(keys.end(), more.begin(), more.end());
  }
  Section section{.name = std::string("workload_") + type,
                  .page = kWorkloadPage,
                  .help = help,
                  .type = type,
                  .not_yet = {"protocol"}};
  section.not_yet.emplace_back(on_verbs ? "nic" : "transport");
  return {section, keys, check, StartingWith<Type>};
}
/// The maximum distance of targets.
KindOf<Scope> Scopes();
template <class A>
KeyOf<Workload> ScopeKey() {
  return Of("scope", &A::scope, Scopes(), "maximum distance of targets in the network");
}
/// Traffic of a host to itself uses resources of its NIC: throws if the NIC has none.
void CheckLoopback(const Position& where, NodeId host, const Reading& context);
/// Removes the only target from `from`. `loopback`: a single host may send to itself.
void CheckEnds(const Node& node, std::vector<NodeId>& from, const std::vector<NodeId>& to,
               const Reading& reading, bool loopback = false);
/// Checks that stop, if given, comes after start.
void CheckStop(const Node& node, Time start, const std::optional<Time>& stop, const Reading& reading);

}  // namespace headroom::keys
