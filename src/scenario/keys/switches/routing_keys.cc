#include "scenario/keys/switches/routing_keys.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "scenario/keys/network/class_keys.h"

namespace headroom::keys {

namespace {

using R = RoutingParameters;
using Kind = RoutingParameters::Kind;
using PriorityPair = std::pair<uint8_t, uint8_t>;

KindOf<Kind> Kinds() {
  std::vector<std::pair<const char*, Kind>> choices;
  for (const Kind kind : {Kind::ecmp, Kind::spray, Kind::flowlet, Kind::adaptive, Kind::dimension_order})
    choices.emplace_back(RoutingName(kind), kind);
  return OneOf<Kind>(choices);
}

/// A lossless priority, by number or name.
uint8_t ParseLossless(const Node& node, const TrafficClasses& classes) {
  const std::string text = ParseText(node);
  const bool number = text.size() == 1 && text[0] >= '0' && text[0] <= '7';
  const auto priority = static_cast<uint8_t>(number ? text[0] - '0' : ParseClass(node, classes));
  if (classes[priority].name.empty() || !classes[priority].lossless)
    throw ScenarioError(
        node.where, fmt::format("no lossless class has priority {}", priority),
        "a dateline is between two lossless classes: give each a name and lossless: true under "
        "priorities; lossy classes need no dateline");
  return priority;
}

KindOf<std::optional<PriorityPair>> DatelineKind() {
  return {{"two priorities", "[before, behind]",
           R"({"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": ["integer", "string"]}})"},
          [](const Node& node, std::optional<PriorityPair>& out, Reading& reading) {
            const std::vector<Node>& items = ParseList(node);
            if (items.size() != 2)
              throw ScenarioError(node.where, fmt::format("the dateline has {} priorities", items.size()),
                                  "give two lossless priorities: [before, behind]");
            const PriorityPair priorities{ParseLossless(items[0], *reading.classes),
                                          ParseLossless(items[1], *reading.classes)};
            if (priorities.first == priorities.second)
              throw ScenarioError(
                  items[1].where,
                  fmt::format("priority {} is on both sides of the dateline", priorities.second),
                  "give two different lossless priorities");
            out = priorities;
          },
          [](const std::optional<PriorityPair>& p, const Writing&) {
            return p ? fmt::format("[{}, {}]", p->first, p->second) : "";
          }};
}

KindOf<R> Timeout() {
  const KindOf<Time> time = Times(Nanoseconds(1), Seconds(1));
  return {time.shape,
          [time](const Node& node, R& r, Reading& reading) { time.read(node, r.timeout, reading); },
          [time](const R& r, const Writing& writing) {
            return r.kind == Kind::flowlet ? time.write(r.timeout, writing) : "";
          }};
}

KindOf<HashSeed> HashSeeds() {
  const Shape number = ShapeOfIntegers(0, UINT32_MAX);
  return {ShapeOrWord("seed", ShapeOrWord("fixed", number)),
          [](const Node& node, HashSeed& out, Reading&) {
            const std::string text = ParseText(node);
            out.given = true;
            if (text == "seed" || text == "fixed") {
              out.kind = text == "seed" ? HashSeed::Kind::seed : HashSeed::Kind::fixed;
            } else {
              out.kind = HashSeed::Kind::number;
              out.number = static_cast<uint32_t>(ParseInteger(node, 0, UINT32_MAX));
            }
          },
          [](const HashSeed& hash, const Writing&) {
            if (hash.kind == HashSeed::Kind::number) return std::to_string(hash.number);
            return std::string(hash.kind == HashSeed::Kind::fixed ? "fixed" : "seed");
          }};
}

KindOf<R> HashSeedOf() {
  const KindOf<HashSeed> seeds = HashSeeds();
  return {seeds.shape,
          [seeds](const Node& node, R& r, Reading& reading) { seeds.read(node, r.hash_seed, reading); },
          [seeds](const R& r, const Writing& writing) {
            return r.hash_seed == HashSeed{} ? "" : seeds.write(r.hash_seed, writing);
          }};
}

/// Whether some frames leave by the hash of their five-tuples.
bool Hashes(const R& r) { return r.kind == Kind::ecmp || r.kind == Kind::dimension_order; }

void CheckType(const Node& node, const R& r, Reading&) {
  if (const Node* value = node.Find("hash_seed"); value && !Hashes(r))
    throw ScenarioError(value->where, fmt::format("hash_seed is given beside type: {}", RoutingName(r.kind)),
                        "only ecmp and dimension_order hash; leave it out");
  for (const auto& [key, kind] :
       {std::pair("timeout", Kind::flowlet), std::pair("dateline", Kind::dimension_order)}) {
    const Node* value = node.Find(key);
    if (value && r.kind != kind)
      throw ScenarioError(value->where, fmt::format("{} is given beside type: {}", key, RoutingName(r.kind)),
                          fmt::format("only type: {} has it", RoutingName(kind)));
  }
}

const KeysOf<R>& RoutingKeys() {
  static const KeysOf<R> keys(
      {.name = "routing", .page = "models/routing.md"},
      {{"type", &R::kind, Kinds(), "how a switch chooses among equal next hops", {.cost = Cost::fixed}},
       {"hash_seed",
        HashSeedOf(),
        "ecmp, dimension_order: the seed of the switch's hash. seed: drawn from the run's seed, so that "
        "seeds "
        "differ in their paths; fixed: from the switch's name; a number: that number alone, so that switches "
        "with equal numbers hash alike",
        {.standard = "seed; fixed where flows take the HPCC simulator's paths", .cost = Cost::fixed}},
       {"timeout",
        Timeout(),
        "flowlet: a flow chooses its next hop again after a gap longer than this",
        {.standard = "50us"}},
       {"dateline",
        &R::dateline,
        DatelineKind(),
        "dimension_order: priorities of lossless frames in a ring, before and behind its dateline",
        {.standard = "none: frames keep their priorities"}}},
      CheckType);
  return keys;
}

}  // namespace

KindOf<RoutingParameters> Routing() {
  const KindOf<Kind> kinds = Kinds();
  Shape shape = RoutingKeys().shape();
  shape.kind = "word, mapping";
  shape.bounds = kinds.shape.bounds + "; or a mapping with its type";
  shape.schema = fmt::format(R"({{"oneOf": [{}, {{"$ref": "#/definitions/routing"}}]}})", kinds.shape.schema);
  return {shape,
          [kinds](const Node& node, R& routing, Reading& reading) {
            routing = {};
            if (node.IsScalar()) {
              kinds.read(node, routing.kind, reading);
            } else {
              RoutingKeys().Read(node, &routing, reading);
            }
          },
          [kinds](const R& routing, const Writing& writing) {
            const bool drawn = routing.hash_seed == HashSeed{};
            if (routing.kind == Kind::ecmp && drawn) return std::string();
            if (routing.kind != Kind::flowlet && !routing.dateline && drawn)
              return kinds.write(routing.kind, writing);
            return RoutingKeys().Write(&routing, writing);
          }};
}

}  // namespace headroom::keys
