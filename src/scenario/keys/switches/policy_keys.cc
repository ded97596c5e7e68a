#include "scenario/keys/switches/policy_keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace headroom::keys {

namespace {

using PolicyData = BufferPolicyParameters;
using PolicyType = PolicyData::Type;

KindOf<PolicyType> PolicyTypes() {
  std::vector<std::pair<const char*, PolicyType>> choices;
  for (const PolicyType type : {PolicyType::dynamic, PolicyType::fixed, PolicyType::complete_sharing,
                                PolicyType::abm, PolicyType::reverie})
    choices.emplace_back(NameOf(type), type);
  return OneOf<PolicyType>(choices);
}

/// A field of one type, which is written only with this type.
template <class F>
KindOf<PolicyData> OfType(PolicyType type, F PolicyData::*field, KindOf<F> kind) {
  return {kind.shape,
          [field, kind](const Node& node, PolicyData& p, Reading& reading) {
            kind.read(node, p.*field, reading);
          },
          [type, field, kind](const PolicyData& p, const Writing& writing) {
            return p.type == type ? kind.write(p.*field, writing) : "";
          }};
}

void CheckPolicyType(const Node& node, const PolicyData& p, Reading&) {
  constexpr std::pair<const char*, PolicyType> kKeys[] = {
      {"limit", PolicyType::fixed},   {"unscheduled_alpha", PolicyType::abm},
      {"congested", PolicyType::abm}, {"interval", PolicyType::abm},
      {"gamma", PolicyType::reverie}, {"congested_at", PolicyType::reverie}};
  for (const auto& [key, type] : kKeys) {
    const Node* value = node.Find(key);
    if (value && p.type != type)
      throw ScenarioError(value->where, fmt::format("{} is given beside type: {}", key, NameOf(p.type)),
                          fmt::format("only type: {} has it", NameOf(type)));
  }
  if (p.type == PolicyType::fixed && !node.Find("limit"))
    throw ScenarioError(node.where, "policy static has no limit",
                        "give the bytes of each group and queue: {type: static, limit: 1MB}");
}

const KeysOf<PolicyData>& PolicyKeys() {
  static const KeysOf<PolicyData> keys(
      {.name = "buffer_policy", .page = "models/buffer-policies.md", .cost = Cost::setting},
      {{"type",
        &PolicyData::type,
        PolicyTypes(),
        "rule for the limits of profiles with a dynamic limit",
        {.required = true, .cost = Cost::fixed}},
       {"limit",
        OfType(PolicyType::fixed, &PolicyData::limit, Sizes()),
        "static: bytes that each group and queue may have beyond its reserve",
        {.standard = "required there"}},
       {"unscheduled_alpha",
        OfType(PolicyType::abm, &PolicyData::unscheduled_alpha, Numbers(1.0 / 256, 1024)),
        "abm: alpha for packets of a sender's first window",
        {.standard = "64"}},
       {"congested",
        OfType(PolicyType::abm, &PolicyData::congested, Fractions()),
        "abm: a queue counts as congested if it holds at least this share of its limit",
        {.standard = "90%"}},
       {"interval",
        OfType(PolicyType::abm, &PolicyData::interval, Times(Nanoseconds(100), Seconds(1))),
        "abm: interval between measurements of drain rates and congested queues",
        {.standard = "80us"}},
       {"gamma",
        OfType(PolicyType::reverie, &PolicyData::gamma, Fractions()),
        "reverie: weight of the old value when a departing frame updates a filtered length",
        {.standard = "0.999"}},
       {"congested_at",
        OfType(PolicyType::reverie, &PolicyData::congested_at, Sizes(Bytes(1))),
        "reverie: a queue counts as congested if its filtered length is at least this",
        {.standard = "20KiB"}}},
      CheckPolicyType);
  return keys;
}

KindOf<PolicyData> PolicyKind() {
  const KindOf<PolicyType> types = PolicyTypes();
  Shape shape = PolicyKeys().shape();
  shape.kind = "word, mapping";
  shape.bounds = types.shape.bounds + "; or a mapping with its type";
  shape.schema =
      fmt::format(R"({{"oneOf": [{}, {{"$ref": "#/definitions/buffer_policy"}}]}})", types.shape.schema);
  return {shape,
          [types](const Node& node, PolicyData& policy, Reading& reading) {
            policy = {};
            if (!node.IsScalar()) return PolicyKeys().Read(node, &policy, reading);
            types.read(node, policy.type, reading);
            CheckPolicyType(node, policy, reading);
          },
          [](const PolicyData& policy, const Writing& writing) {
            return policy == PolicyData() ? "" : PolicyKeys().Write(&policy, writing);
          }};
}

}  // namespace

KeyOf<BufferParameters> PolicyKey() {
  return {"policy",
          &BufferParameters::policy,
          PolicyKind(),
          "rule for the limits of profiles with a dynamic limit",
          {.standard = "dynamic", .page = "models/buffer-policies.md", .cost = Cost::reconfiguration}};
}

void CheckPolicy(const Node& node, const BufferParameters& buffer) {
  const Node* policy = node.Find("policy");
  if (!policy || buffer.policy.type == PolicyType::dynamic || buffer.profiles.empty()) return;
  if (std::ranges::none_of(buffer.profiles, &BufferProfile::Dynamic))
    throw ScenarioError(policy->where,
                        fmt::format("policy {} has no effect: every profile of the buffer has a static limit",
                                    NameOf(buffer.policy.type)),
                        "give profiles in pools of mode: dynamic a dynamic_th, or leave policy out");
  const Node* alpha = node.Find("alpha");
  if (alpha && !buffer.policy.UsesAlpha())
    throw ScenarioError(alpha->where,
                        fmt::format("alpha has no effect beside policy {}", NameOf(buffer.policy.type)),
                        "policies dynamic, abm and reverie have an alpha");
  if (buffer.policy.type != PolicyType::fixed) return;
  for (const BufferProfile& p : buffer.profiles) {
    if (p.Dynamic() && p.xoff && p.xon > p.size + buffer.policy.limit)
      throw ScenarioError(
          policy->where,
          fmt::format("groups of profile \"{}\" pause at {}, and resume below xon {}", p.name,
                      FormatSize(p.size + buffer.policy.limit), FormatSize(p.xon)),
          fmt::format("give a limit of at least {}, or a smaller xon", FormatSize(p.xon - p.size)));
  }
}

}  // namespace headroom::keys
