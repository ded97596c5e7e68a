// Keys that a program brings along, as somebody's own congestion control does.
//
//   Keys& section = AddSection(NicKeys(), {.name = "own_control"}, "a control of my own");
//   const OwnKey<Time> window = AddKey<Time>(section, "window", Times(), Microseconds(10), "it looks back so
//   far"); … window.Of(scenario.nics[host])
//
// They are registered before a scenario is read, and are then as all others: read with their errors, written
// to resolved.yaml, in the JSON Schema and among `headroom keys`.
#pragma once

#include <string>
#include <utility>

#include "nic/parameters.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

/// Where a key's value is.
template <class F>
class OwnKey {
 public:
  OwnKey(std::string path, F standard) : path_(std::move(path)), standard_(std::move(standard)) {}
  F Of(const NicParameters& nic) const {
    const auto found = nic.own.find(path_);
    return found == nic.own.end() ? standard_ : std::get<F>(found->second);
  }

 private:
  std::string path_;
  F standard_;
};

/// A mapping of NICs under a key of its section's name. Throws std::invalid_argument for a name that is
/// taken.
KeysOf<NicParameters>& AddSection(KeysOf<NicParameters>& to, Section section, const char* help);

/// A key of NICs, in a section of one's own or beside what is there, as in DcqcnKeys(). F is a type of
/// OwnValues. Throws std::invalid_argument for a name that is taken.
template <class F>
OwnKey<F> AddKey(KeysOf<NicParameters>& to, const char* name, const KindOf<F>& kind, F standard,
                 const char* help) {
  const std::string path = to.section().name + '.' + name;
  const OwnKey<F> own(path, standard);
  to.Add(KeyOf<NicParameters>(
      name,
      KindOf<NicParameters>{kind.shape,
                            [kind, path](const Node& node, NicParameters& nic, Reading& reading) {
                              F value{};
                              kind.read(node, value, reading);
                              nic.own[path] = value;
                            },
                            [kind, own](const NicParameters& nic, const Writing& writing) {
                              return kind.write(own.Of(nic), writing);
                            }},
      help));
  return own;
}

}  // namespace headroom::keys
