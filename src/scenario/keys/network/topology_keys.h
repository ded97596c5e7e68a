// `topology:`, a mapping by its `type`, and the keys of links.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenario/keys/keys.h"
#include "scenario/topology_spec.h"

namespace headroom::keys {

inline constexpr const char* kTopologyPage = "models/routing.md";
inline constexpr const char* kLinksPage = "models/links-and-ports.md";

KindOf<TopologySpec> TopologyKind();
const KeysOf<CustomSpec>& CustomTopologyKeys();

inline constexpr int64_t kMostNics = 64;

/// The key `nics`, for hosts of all types, and `attach`, for hosts at leaves. Without several NICs they are
/// not written.
template <class S>
KeyOf<S> NicsKey(std::function<void(S&, int64_t)> set, std::function<int64_t(const S&)> get) {
  return {"nics",
          KindOf<S>{ShapeOfIntegers(1, kMostNics),
                    [set](const Node& node, S& s, Reading&) { set(s, ParseInteger(node, 1, kMostNics)); },
                    [get](const S& s, const Writing&) {
                      return get(s) == 1 ? std::string() : std::to_string(get(s));
                    }},
          "number of NICs of each host; with several, they are named h0/n0, h0/n1, …",
          {.standard = "1"}};
}
/// The NICs of each host, if the section `hosts` gives numbers of NICs; otherwise empty.
std::vector<int> NicsByHost(const std::function<std::vector<std::string>()>& hosts, int64_t nics,
                            const Reading& reading);
/// Throws if the section `hosts` gives numbers of NICs.
void RefuseNicsByHost(const Reading& reading);

/// Checks that every host has one link or two, each of its NICs if it has several; errors at `where`.
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
