#include "scenario/keys/network/topology_keys.h"

#include <fmt/format.h>

#include "scenario/hpcc/hpcc_files.h"
#include "scenario/referenced_files.h"

namespace headroom::keys {

namespace {

constexpr int64_t kMostNodes = 1'000'000'000;

template <class F>
KindOf<F> Count(int64_t least = 1) {
  return Integers(least, kMostNodes);
}

/// The number of hosts, or their names.
KindOf<StarSpec> HostsOfStar() {
  return {{"whole number, names", "",
           R"({"oneOf": [{"$ref": "#/definitions/count"}, {"$ref": "#/definitions/names"}]})"},
          [](const Node& node, StarSpec& spec, Reading&) {
            if (!node.IsList()) {
              spec.hosts = ParseInteger(node, 1, kMostNodes);
              return;
            }
            spec.names = ParseUniqueNames(node);
            spec.hosts = static_cast<int64_t>(spec.names.size());
            for (const Node& name : node.items)
              if (name.text == "s0")
                throw ScenarioError(name.where, "\"s0\" is a host, but it is the name of a star's switch");
          },
          [](const StarSpec& spec, const Writing&) {
            if (spec.names.empty()) return std::to_string(spec.hosts);
            std::string text;
            for (const std::string& name : spec.names)
              (text += text.empty() ? "" : ", ") += WriteTexts({name});
            return '[' + text + ']';
          }};
}

/// The keys nics, attach and, where hosts may have two, ports of hosts at leaves.
template <class S>
std::vector<KeyOf<S>> NicKeysOf(HostNics& (*nics)(S&), int most_ports = 1) {
  const auto of = [nics](const S& s) -> const HostNics& { return nics(const_cast<S&>(s)); };
  const KindOf<Attach> attach =
      most_ports == 1
          ? OneOf<Attach>({{"one_leaf", Attach::one_leaf}, {"rails", Attach::rails}}, {"dual_tor", "planes"})
          : OneOf<Attach>({{"one_leaf", Attach::one_leaf},
                           {"rails", Attach::rails},
                           {"dual_tor", Attach::dual_tor},
                           {"planes", Attach::planes}});
  const char* const help =
      most_ports == 1
          ? "leaves of a host's NICs: all at one leaf; or rails: NIC i at leaf i of a group of leaves"
          : "leaves of a host's NICs and ports. one_leaf: all at one; rails: NIC i at leaf i of a group of "
            "leaves; dual_tor: port p of NIC i at leaf 2i + p; planes: the same, and leaves with even "
            "numbers "
            "are linked to spines with even numbers only";
  std::vector<KeyOf<S>> keys = {
      NicsKey<S>([nics](S& s, int64_t n) { nics(s).nics = static_cast<int>(n); },
                 [of](const S& s) { return of(s).nics; }),
      {"attach",
       KindOf<S>{attach.shape,
                 [nics, attach](const Node& node, S& s, Reading& reading) {
                   attach.read(node, nics(s).attach, reading);
                 },
                 [of, attach](const S& s, const Writing& writing) {
                   return of(s).nics * of(s).ports == 1 ? std::string() : attach.write(of(s).attach, writing);
                 }},
       help,
       {.standard = "one_leaf"}}};
  if (most_ports > 1)
    keys.push_back({"ports",
                    KindOf<S>{ShapeOfIntegers(1, most_ports),
                              [nics, most_ports](const Node& node, S& s, Reading&) {
                                nics(s).ports = static_cast<int>(ParseInteger(node, 1, most_ports));
                              },
                              [of](const S& s, const Writing&) {
                                return of(s).ports == 1 ? std::string() : std::to_string(of(s).ports);
                              }},
                    "number of ports of each NIC",
                    {.standard = "1", .page = "models/hosts-with-two-ports.md"}});
  return keys;
}

/// Checks that hosts fill their leaves, which have `at_leaf` ports of hosts each.
void CheckFilled(const Node& node, const HostNics& nics, int64_t at_leaf, int64_t leaves,
                 const Reading& reading) {
  if (nics.nics == 1 && nics.attach == Attach::rails)
    reading.errors.Add(ScenarioError(node.Find("attach")->where, "rails are for hosts with several NICs",
                                     "give nics: 8, or leave attach out"));
  if (nics.TwoLeaves() && nics.ports != 2)
    throw ScenarioError(node.Find("attach")->where, "hosts with one port are at one leaf", "add ports: 2");
  if (const Unfilled why = WhyNotFilled(nics, at_leaf, leaves); !why.text.empty()) {
    const Node* const at = node.Find(nics.nics > 1 ? "nics" : why.of_leaves ? "leaves" : "hosts_per_leaf");
    reading.errors.Add(ScenarioError((at != nullptr ? *at : node).where, why.text, why.fix));
  }
  RefuseNicsByHost(reading);
}

const KeysOf<StarSpec>& KeysFor(const StarSpec&) {
  using S = StarSpec;
  static const KeysOf<S> keys(
      {.name = "topology_star",
       .page = kTopologyPage,
       .help = "one switch s0 with hosts h0, h1, …",
       .type = "star",
       .block = true},
      {TypeOfTopology<S>("star"),
       {"hosts", HostsOfStar(), "number of the hosts, or their names", {.required = true}},
       {"link", &S::link, Links(), "link of each host", {.required = true}},
       NicsKey<S>([](S& s, int64_t n) { s.nics = n; }, [](const S& s) { return s.nics; })},
      [](const Node&, S& s, Reading& reading) {
        s.nics_of = NicsByHost([&] { return NamesOf(s); }, s.nics, reading);
      });
  return keys;
}

const KeysOf<DumbbellSpec>& KeysFor(const DumbbellSpec&) {
  using S = DumbbellSpec;
  static const KeysOf<S> keys(
      {.name = "topology_dumbbell",
       .page = kTopologyPage,
       .help = "two switches: s0 with hosts l0, l1, …, and s1 with hosts r0, r1, …",
       .type = "dumbbell",
       .block = true},
      {TypeOfTopology<S>("dumbbell"),
       {"left", &S::left, Count<int64_t>(), "hosts at s0", {.required = true}},
       {"right", &S::right, Count<int64_t>(), "hosts at s1", {.required = true}},
       {"link", &S::link, Links(), "link of each host", {.required = true}},
       {"bottleneck", &S::bottleneck, Links(), "link between the switches", {.required = true}}});
  return keys;
}

const KeysOf<LeafSpineSpec>& KeysFor(const LeafSpineSpec&) {
  using S = LeafSpineSpec;
  static const KeysOf<S> keys(
      {.name = "topology_leaf_spine",
       .page = kTopologyPage,
       .help = "hosts h0, h1, … at switches leaf0, leaf1, …, each linked to switches spine0, spine1, …",
       .type = "leaf_spine",
       .block = true},
      Chain<S>(
          {TypeOfTopology<S>("leaf_spine"),
           {"leaves", &S::leaves, Count<int64_t>(), "leaf switches", {.required = true}},
           {"spines",
            &S::spines,
            Count<int64_t>(),
            "spine switches",
            {.required = true, .tried = {"*2"}, .cost = Cost::hardware}},
           {"hosts_per_leaf",
            &S::hosts_per_leaf,
            Count<int64_t>(),
            "number of ports of hosts at each leaf: with one NIC and port, of hosts",
            {.required = true}},
           {"links_per_spine",
            &S::links_per_spine,
            Count<int64_t>(),
            "number of parallel links from each leaf to each spine",
            {.tried = {"*2"}, .cost = Cost::hardware}},
           {"host_link", &S::host_link, Links(), "link of each host", {.required = true}},
           {"fabric_link", &S::fabric_link, Links(), "links between leaves and spines", {.required = true}},
           {"nvlink",
            &S::nvlink,
            Maybe(Links()),
            "links inside hosts: each host has a GPU beside each NIC, h0/gpu0, …, and an NVSwitch, h0/nv0, "
            "to "
            "which they have these links",
            {.standard = "none"}}},
          NicKeysOf<S>([](S& s) -> HostNics& { return s.nics; }, 2)),
      [](const Node& node, S& s, Reading& reading) {
        CheckFilled(node, s.nics, s.hosts_per_leaf, s.leaves, reading);
        if (s.nics.attach == Attach::planes && s.spines % 2 != 0)
          throw ScenarioError(node.Find("spines")->where, fmt::format("{} spines for two planes", s.spines),
                              "give an even number");
      });
  return keys;
}

/// Ports of a switch.
KindOf<int64_t> EvenPorts() {
  return {{"whole number", "an even number from 2 to 1000000",
           R"({"type": "integer", "minimum": 2, "multipleOf": 2})"},
          [](const Node& node, int64_t& k, Reading&) {
            k = ParseInteger(node, 2, 1'000'000);
            if (k % 2 != 0) throw ScenarioError(node.where, fmt::format("k is {}", k), "k is even");
          },
          [](const int64_t& k, const Writing&) { return std::to_string(k); }};
}

/// Patterns of `link` apply to all tiers together: such links are written once.
bool Shared(const LinkRules& links) { return links.key == "link" && !links.rules.empty(); }

KindOf<FatTreeSpec> LinkOfAllTiers() {
  return {Links().shape,
          [](const Node& node, FatTreeSpec& tree, Reading& reading) {
            Links().read(node, tree.host_link, reading);
            tree.edge_link = tree.core_link = tree.host_link;
          },
          [](const FatTreeSpec& tree, const Writing& writing) {
            for (const LinkRules* links : {&tree.host_link, &tree.edge_link, &tree.core_link})
              if (Shared(*links)) return Links().write(*links, writing);
            return std::string();
          }};
}

KindOf<LinkRules> LinkOfTier() {
  KindOf<LinkRules> kind = Links();
  kind.write = [write = kind.write](const LinkRules& links, const Writing& writing) {
    return Shared(links) ? "" : write(links, writing);
  };
  return kind;
}

const KeysOf<FatTreeSpec>& KeysFor(const FatTreeSpec&) {
  using S = FatTreeSpec;
  static const KeysOf<S> keys(
      {.name = "topology_fat_tree",
       .page = kTopologyPage,
       .help = "a fat tree of k³/4 hosts h0, h1, …, with switches edge0, …, agg0, … and core0, …",
       .type = "fat_tree",
       .some_of = {{"link", "host_link"}, {"link", "edge_link"}, {"link", "core_link"}},
       .block = true},
      Chain<S>({TypeOfTopology<S>("fat_tree"),
                {"k", &S::k, EvenPorts(), "number of ports of each switch", {.required = true}},
                {"link", LinkOfAllTiers(), "links of all tiers without their own key", {.standard = "none"}},
                {"host_link", &S::host_link, LinkOfTier(), "link of each host", {.standard = "link"}},
                {"edge_link",
                 &S::edge_link,
                 LinkOfTier(),
                 "links from edge to aggregation switches",
                 {.standard = "link"}},
                {"core_link",
                 &S::core_link,
                 LinkOfTier(),
                 "links from aggregation to core switches",
                 {.standard = "link"}}},
               NicKeysOf<S>([](S& s) -> HostNics& { return s.nics; })),
      [](const Node& node, S& s, Reading& reading) { CheckFilled(node, s.nics, s.k / 2, s.k / 2, reading); });
  return keys;
}

const KeysOf<RegionSpec>& RegionLinkKeys() {
  using S = RegionSpec;
  static const KeysOf<S> keys(
      {.name = "region_links", .page = kTopologyPage, .block = true},
      {{"host", &S::host, Links(), "links from hosts to T0", {.required = true}},
       {"t0_t1", &S::t0_t1, Links(), "links from T0 to T1", {.required = true}},
       {"t1_t2", &S::t1_t2, Links(), "links from T1 to T2", {.required = true}},
       {"t2_rh",
        KindOf<S>{Links().shape,
                  [](const Node& node, S& s, Reading& reading) { Links().read(node, s.t2_rh, reading); },
                  [](const S& s, const Writing& writing) {
                    return s.shape.hubs > 0 ? Links().write(s.t2_rh, writing) : "";
                  }},
        "links from T2 to region hubs; required if there are hubs",
        {.standard = "none"}}},
      [](const Node& node, S& s, Reading& reading) {
        if (s.shape.hubs > 0) NeedKey(node, "t2_rh", reading);
      });
  return keys;
}

/// REQUIRES: the number of datacenters is known.
KindOf<RegionSpec> Hubs() {
  const KindOf<int64_t> count = Count<int64_t>(0);
  return {count.shape,
          [](const Node& node, RegionSpec& s, Reading&) {
            s.shape.hubs = static_cast<decltype(s.shape.hubs)>(
                ParseInteger(node, s.shape.datacenters > 1 ? 1 : 0, kMostNodes));
          },
          [](const RegionSpec& s, const Writing&) { return std::to_string(s.shape.hubs); }};
}

const KeysOf<RegionSpec>& KeysFor(const RegionSpec&) {
  using S = RegionSpec;
  using Region = RegionShape;
  static const KeysOf<S> keys(
      {.name = "topology_region",
       .page = kTopologyPage,
       .help = "datacenters with racks (T0 switches), clusters (T1) and T2 switches, connected by region "
               "hubs",
       .type = "region",
       .block = true},
      Chain<S>(
          {TypeOfTopology<S>("region"),
           {"datacenters",
            &S::shape,
            &Region::datacenters,
            Integers(1, kMostNodes),
            "number of datacenters",
            {.required = true}},
           {"clusters",
            &S::shape,
            &Region::clusters,
            Integers(1, kMostNodes),
            "per datacenter",
            {.required = true}},
           {"racks", &S::shape, &Region::racks, Integers(1, kMostNodes), "per cluster", {.required = true}},
           {"hosts",
            &S::shape,
            &Region::hosts,
            Integers(1, kMostNodes),
            "per rack; with nics, number of their NICs",
            {.required = true}},
           {"t1",
            &S::shape,
            &Region::t1,
            Integers(1, kMostNodes),
            "T1 switches per cluster",
            {.tried = {"*2"}, .cost = Cost::hardware}},
           {"t2",
            &S::shape,
            &Region::t2,
            Integers(1, kMostNodes),
            "T2 switches per datacenter",
            {.tried = {"*2"}, .cost = Cost::hardware}},
           {"hubs", Hubs(), "number of region hubs; may be 0 with one datacenter"},
           {"links", Mapping(RegionLinkKeys()), "links of each tier", {.required = true}}},
          NicKeysOf<S>([](S& s) -> HostNics& { return s.shape.nics; })),
      [](const Node& node, S& s, Reading& reading) {
        CheckFilled(node, s.shape.nics, s.shape.hosts, s.shape.racks, reading);
      });
  return keys;
}

KindOf<std::vector<int>> Dims() {
  KindOf<std::vector<int>> kind = ListOf<int>(Integers(1, kMostNodes));
  kind.shape.bounds = "1 to 8 numbers";
  kind.shape.schema =
      R"({"type": "array", "minItems": 1, "maxItems": 8, "items": {"$ref": "#/definitions/count"}})";
  kind.read = [](const Node& node, std::vector<int>& dims, Reading&) {
    for (const Node& item : ParseList(node))
      dims.push_back(static_cast<int>(ParseInteger(item, 1, kMostNodes)));
    if (dims.empty() || dims.size() > 8)
      throw ScenarioError(node.where, fmt::format("{} dimensions", dims.size()), "allowed: 1 to 8");
  };
  return kind;
}

const KeysOf<TorusSpec>& KeysFor(const TorusSpec&) {
  using S = TorusSpec;
  static const KeysOf<S> keys(
      {.name = "topology_torus",
       .page = kTopologyPage,
       .help = "a torus of switches s0, s1, …, each with one host h0, h1, …",
       .type = "torus",
       .block = true},
      {TypeOfTopology<S>("torus"),
       {"dims", &S::dims, Dims(), "number of switches along each dimension", {.required = true}},
       {"link", &S::link, Links(), "links of hosts, and links between switches", {.required = true}}});
  return keys;
}

const KeysOf<CustomSpec>& KeysFor(const CustomSpec&) { return CustomTopologyKeys(); }

const KeysOf<HpccSpec>& KeysFor(const HpccSpec&) {
  using S = HpccSpec;
  const auto read = [](const Node& node, S& spec, Reading&) {
    spec.file = ParsePath(node);
    spec.content = ReadHpccTopology(spec.file, node.where);
    CheckHostLinks(spec.content, node.where);
  };
  const auto write = [](const S& spec, const Writing& writing) {
    return WriteTexts({writing.files->Add(spec.file)});
  };
  static const KeysOf<S> keys({.name = "topology_hpcc",
                               .page = kTopologyPage,
                               .help = "a topology file of the HPCC simulator; its nodes have the names "
                                       "n0, n1, …",
                               .type = "hpcc",
                               .block = true},
                              {TypeOfTopology<S>("hpcc"),
                               {"file",
                                KindOf<S>{{"file", "", R"({"type": "string"})"}, read, write},
                                "path of the topology file, relative to the scenario",
                                {.required = true}}});
  return keys;
}

/// One object of each type, in the order of messages.
const std::vector<TopologySpec>& TopologyTypes() {
  static const std::vector<TopologySpec> types{RegionSpec{},   LeafSpineSpec{}, FatTreeSpec{}, StarSpec{},
                                               DumbbellSpec{}, TorusSpec{},     CustomSpec{},  HpccSpec{}};
  return types;
}

const Keys& KeysOfTopology(const TopologySpec& spec) {
  return *std::visit([](const auto& s) -> const Keys* { return &KeysFor(s); }, spec);
}

void ReadTopology(const Node& node, TopologySpec& spec, Reading& reading) {
  MapReader map(node, reading.errors);
  map.Need({"type"});
  const bool typed = map.Read("type", [&](const Node& type) {
    std::vector<std::string> names;
    for (const TopologySpec& each : TopologyTypes()) names.push_back(KeysOfTopology(each).section().type);
    spec = TopologyTypes()[ParseChoice(type, names)];
    std::visit([&](auto& s) { KeysFor(s).ReadAll(map, &s, reading); }, spec);
  });
  if (!typed) map.FinishMissing();
}

}  // namespace

KindOf<TopologySpec> TopologyKind() {
  Shape shape{"mapping", "", R"({"$ref": "#/definitions/topology"})", {}, {}};
  for (const TopologySpec& spec : TopologyTypes()) shape.inside.push_back(&KeysOfTopology(spec));
  return {shape, ReadTopology, [](const TopologySpec& spec, const Writing& writing) {
            return std::visit([&](const auto& s) { return KeysFor(s).Write(&s, writing); }, spec);
          }};
}

}  // namespace headroom::keys
