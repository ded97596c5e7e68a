// `topology:`, a mapping by its `type`, and the keys of links.
#pragma once

#include <string>
#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/topology_spec.h"

namespace headroom::keys {

inline constexpr const char* kTopologyPage = "models/routing.md";
inline constexpr const char* kLinksPage = "models/links-and-ports.md";

KindOf<TopologySpec> TopologyKind();
const KeysOf<CustomSpec>& CustomTopologyKeys();

/// Checks that every host has one link or two; errors at `where`.
void CheckHostLinks(const CustomSpec& spec, const Position& where);

/// The links of a kind: a mapping, or a list of mappings with `match`, which need not give every key.
KindOf<LinkRules> Links();
/// The keys rate, length or delay, phy, loss. `delay` takes precedence over `length`.
void AddLinkKeys(std::vector<KeyOf<LinkRule>>& keys, bool rate);
/// For example "rate: 100Gbps, delay: 15ns, phy: 0s, loss: 0".
std::string WriteLinkKeys(const LinkSpec& link);

template <class S>
KeyOf<S> TypeOfTopology(const char* type) {
  const std::string text = type;
  return {"type",
          KindOf<S>{{"choice", text, R"({"const": ")" + text + R"("})"},
                    {},
                    [text](const S&, const Writing&) { return text; }},
          "shape of the network",
          {.required = true}};
}

}  // namespace headroom::keys
