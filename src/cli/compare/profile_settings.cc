#include "cli/compare/profile_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "scenario/keys/switches/buffer_keys.h"
#include "scenario/yaml/parse_yaml.h"
#include "scenario/yaml/set_path.h"
#include "switch/buffer/profiles.h"

namespace headroom {

namespace {

Node TextNode(const std::string& text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = text;
  return node;
}

Node& MadeAt(Node& map, const std::string& key) {
  map.kind = Node::Kind::map;
  if (!map.Find(key)) map.entries.push_back({key, {}, {}});
  return *map.Find(key);
}

std::string AlphaOf(const BufferParameters& buffer) {
  if (!buffer.by_speed.empty()) return "by speed";
  const BufferProfile* lossless = FindProfile(buffer, buffer.lossless_group);
  const int th = lossless ? lossless->dynamic_th.value_or(0) : 0;
  return th < 0 ? fmt::format("1/{}", 1 << -th) : std::to_string(1 << th);
}

Node TablesOfProfile(const BufferParameters& buffer) {
  return ParseYaml(keys::WriteBufferTables(buffer), {});
}

/// Copies the profile's values into `own` for keys that `other` has.
void FillFrom(const BufferParameters& profile, const Node& other, Node& own) {
  if (other.Find("alpha") && !own.Find("alpha")) MadeAt(own, "alpha") = TextNode(AlphaOf(profile));
  if (other.Find("policy") && !own.Find("policy")) MadeAt(own, "policy") = TextNode("dynamic");
  const Node* tables = other.Find("tables");
  if (!tables) return;
  const Node known = TablesOfProfile(profile);
  for (const Entry& table : tables->entries) {
    for (const Entry& row : table.value.entries) {
      for (const Entry& field : row.value.entries) {
        const Node* rows = known.Find(table.key);
        const Node* fields = rows ? rows->Find(row.key) : nullptr;
        const Node* value = fields ? fields->Find(field.key) : nullptr;
        if (!value) continue;
        Node& place = MadeAt(MadeAt(MadeAt(own, "tables"), table.key), row.key);
        if (!place.Find(field.key)) MadeAt(place, field.key) = *value;
      }
    }
  }
}

}  // namespace

void SpellOutProfiles(Node& a, Node& b) {
  Node *in_a = a.Find("switches"), *in_b = b.Find("switches");
  if (!in_a || !in_b) return;
  for (Node& entry : in_a->items) {
    const auto same = std::ranges::find_if(
        in_b->items, [&](const Node& item) { return StepToItem(item) == StepToItem(entry); });
    if (same == in_b->items.end()) continue;
    Node *own = entry.Find("buffer"), *other = same->Find("buffer");
    const Node *name = own ? own->Find("profile") : nullptr,
               *second = other ? other->Find("profile") : nullptr;
    const auto profile =
        name && second && name->text == second->text ? FindBufferProfile(name->text) : std::nullopt;
    if (!profile) continue;
    const Node before = *own;
    FillFrom(*profile, *other, *own);
    FillFrom(*profile, before, *other);
  }
}

}  // namespace headroom
