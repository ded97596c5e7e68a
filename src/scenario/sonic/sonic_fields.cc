#include "scenario/sonic/sonic_fields.h"

#include <fmt/format.h>

#include "scenario/yaml/nearest.h"
#include "sonic/edit/changes.h"
#include "sonic/edit/edit_text.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

const std::vector<Entry>& EntriesOf(const Node& node, const char* what) {
  if (!node.IsMap()) throw ScenarioError(node.where, Describe(node) + " is not a mapping of " + what);
  return node.entries;
}

/// The element of `all` that `name` names. Throws if it does not exist.
const ordered_json& Named(const ordered_json& all, const std::string& name, const std::string& wrong,
                          const Position& where) {
  const auto found = all.find(name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const auto& [key, unused] : all.items()) names.push_back(key);
  throw ScenarioError(where, wrong, {}, Nearest(name, names));
}

/// All fields of the rows. A row may lack one that another has, such as QUEUE's wred_profile.
ordered_json FieldsOf(const ordered_json& rows) {
  ordered_json fields = ordered_json::object();
  for (const auto& [key, row] : rows.items())
    if (row.is_object()) fields.update(row);
  return fields;
}

/// The value of a key; the key is added if it is missing.
Node& In(Node& map, const std::string& key) {
  map.kind = Node::Kind::map;
  if (!map.Find(key)) map.entries.push_back({key, {}, {}});
  return *map.Find(key);
}

}  // namespace

std::vector<SonicField> ReadSonicFields(const Node& node, std::vector<Position>* places) {
  std::vector<SonicField> fields;
  for (const Entry& table : EntriesOf(node, "tables")) {
    for (const Entry& row : EntriesOf(table.value, "rows")) {
      for (const Entry& field : EntriesOf(row.value, "fields")) {
        fields.push_back({table.key, row.key, field.key, ParseText(field.value)});
        if (places) places->push_back(field.where);
      }
    }
  }
  return fields;
}

std::string WithSonicFields(std::string text, const std::string& file, const std::vector<SonicField>& fields,
                            const Position& where) {
  if (fields.empty() || !ordered_json::accept(text)) return text;
  const ordered_json tables = NestedSonicTables(ordered_json::parse(text));
  for (const SonicField& f : fields) {
    const ordered_json& rows =
        Named(tables, f.table, fmt::format("{} has no table {}", file, f.table), where);
    const ordered_json& row =
        Named(rows, f.key, fmt::format("{} has no row {}|{}", file, f.table, f.key), where);
    if (!row.contains(f.field))
      Named(FieldsOf(rows), f.field, fmt::format("{}: {}|{} has no field {}", file, f.table, f.key, f.field),
            where);
    text = WithSonicField(text, f.table, f.key, f.field, f.value);
  }
  return text;
}

std::string WriteSonicFields(const std::vector<SonicField>& fields) {
  Node tables;
  tables.kind = Node::Kind::map;
  for (const SonicField& f : fields) {
    Node& field = In(In(In(tables, f.table), f.key), f.field);
    field.kind = Node::Kind::scalar;
    field.text = f.value;
  }
  return ToFlow(tables);
}

}  // namespace headroom
