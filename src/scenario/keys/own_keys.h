// Keys that a program adds, for example for its own congestion control.
//
//   Keys& section = AddSection(NicKeys(), {.name = "own_control"}, "a control of my own");
//   const OwnKey<Time> window = AddKey<Time>(section, "window", Times(), Microseconds(10), "it looks back so
//   far"); … window.Of(scenario.nics[host])
//
// They are registered before a scenario is read, and are then like all others: read with their errors,
// written to resolved.yaml, in the JSON Schema and in `headroom keys`.
#pragma once

#include <string>
#include <utility>

#include "nic/parameters.h"
#include "scenario/keys/keys.h"
#include "scenario/workload.h"

namespace headroom::keys {

/// Finds the values of such keys in an object.
template <class S>
auto& OwnOf(S& object) {
  if constexpr (requires { object.own; })
    return object.own;
  else
    return object.parameters->own;
}

/// The place of a key's value.
template <class F>
class OwnKey {
 public:
  OwnKey(std::string path, F standard) : path_(std::move(path)), standard_(std::move(standard)) {}
  F In(const OwnValues& own) const {
    const auto found = own.find(path_);
    return found == own.end() ? standard_ : std::get<F>(found->second);
  }
  /// The value in a NIC, or in a service.
  F Of(const NicParameters& nic) const { return In(nic.own); }
  F Of(const ServiceParameters& service) const { return In(service.own); }

 private:
  std::string path_;
  F standard_;
};

/// A mapping of NICs under a key of its section's name. Throws std::invalid_argument for a name that is in
/// use.
KeysOf<NicParameters>& AddSection(KeysOf<NicParameters>& to, Section section, const char* help);

/// A key of NICs, in a program's own section or among existing keys, as in DcqcnKeys(); or a key of a type of
/// services. F is a type of OwnValues. Throws std::invalid_argument for a name that is in use.
template <class F, class S>
OwnKey<F> AddKey(KeysOf<S>& to, const char* name, const KindOf<F>& kind, F standard, const char* help) {
  const std::string path = to.section().name + '.' + name;
  const OwnKey<F> own(path, standard);
  to.Add(KeyOf<S>(name,
                  KindOf<S>{kind.shape,
                            [kind, path](const Node& node, S& object, Reading& reading) {
                              F value{};
                              kind.read(node, value, reading);
                              OwnOf(object)[path] = value;
                            },
                            [kind, own](const S& object, const Writing& writing) {
                              return kind.write(own.In(OwnOf(object)), writing);
                            }},
                  help));
  return own;
}

}  // namespace headroom::keys
