// A scenario's changes of the named buffer profile that it uses.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/keys/switches/buffer_keys.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/parse_yaml.h"

namespace headroom::keys {

namespace {

BufferProfile* ProfileOf(BufferParameters& buffer, const std::string& name) {
  const auto found = std::ranges::find(buffer.profiles, name, &BufferProfile::name);
  return found == buffer.profiles.end() ? nullptr : &*found;
}

void PlaceAll(Node& node, const Position& where) {
  node.where = where;
  for (Node& item : node.items) PlaceAll(item, where);
  for (Entry& entry : node.entries) {
    entry.where = where;
    PlaceAll(entry.value, where);
  }
}

/// The position of the last value of a tree.
Position LastOf(const Node& node) {
  Position last = node.where;
  const auto take = [&](const Position& where) {
    if (last.Before(where)) last = where;
  };
  for (const Node& item : node.items) take(LastOf(item));
  for (const Entry& entry : node.entries) take(LastOf(entry.value));
  return last;
}

/// The rows of a profile as a scenario would write them; errors are reported at `where`.
Node TablesOf(const BufferParameters& buffer, const Position& where) {
  Node tables = ParseYaml(WriteBufferTables(buffer), {});
  PlaceAll(tables, where);
  return tables;
}

/// An unknown, incomplete row was probably meant to change an existing one.
void CheckRow(const Entry& row, const Node& known, const char* table, const char* needs,
              const std::string& profile) {
  if (known.Find(row.key) || row.value.Find(needs)) return;
  std::vector<std::string> names;
  for (const Entry& entry : known.entries) names.push_back(entry.key);
  throw ScenarioError(row.where, fmt::format("profile \"{}\" has no {} {}", profile, table, Quote(row.key)),
                      fmt::format("allowed: {}, or a new row with its {}", Join(names), needs),
                      Nearest(row.key, names));
}

bool IsLimit(const std::string& field) {
  return field == "dynamic_th" || field == "static_th" || field == "alpha";
}
bool GivesLimit(const Node& row) {
  return std::ranges::any_of(row.entries, [](const Entry& e) { return IsLimit(e.key); });
}

/// Applies the rows of a scenario to those of a profile.
Node Changed(Node base, const Node& own, const std::string& profile) {
  for (const auto& [table, needs] : {std::pair("BUFFER_POOL", "type"), std::pair("BUFFER_PROFILE", "pool")}) {
    const Node* rows = own.Find(table);
    if (!rows || !rows->IsMap()) continue;
    Node& known = *base.Find(table);
    for (const Entry& row : rows->entries) {
      CheckRow(row, known, table, needs, profile);
      Node* old = known.Find(row.key);
      // One kind of threshold replaces the other.
      if (old && GivesLimit(row.value))
        std::erase_if(old->entries, [](const Entry& e) { return IsLimit(e.key); });
    }
  }
  // Errors of a changed row refer to the scenario; those of other rows follow.
  for (Entry& table : base.entries) {
    const Node* rows = own.Find(table.key);
    for (Entry& row : table.value.entries)
      if (const Node* changed = rows ? rows->Find(row.key) : nullptr) row.where = changed->where;
  }
  return Merge(base, own);
}

/// Records which values of a profile come from the scenario: for a new profile, all.
void MarkOwn(BufferProfile& profile, const Node* row, bool is_new) {
  const auto gives = [&](const char* field) { return is_new || (row && row->Find(field)); };
  profile.own.xoff |= gives("xoff");
  profile.own.threshold |= is_new || (row && GivesLimit(*row));
  profile.own.xon_offset |= gives("xon_offset");
}

void ChangeTables(const Node& node, BufferParameters& buffer, Reading& reading) {
  if (!node.IsMap()) throw ScenarioError(node.where, Describe(node) + " is not a mapping of tables");
  BufferParameters own = buffer;
  own.pools.clear();
  own.profiles.clear();
  Errors wrong;
  Reading own_reading = reading.WithErrors(wrong);
  BufferTableKeys().Read(Changed(TablesOf(buffer, LastOf(node)), node, buffer.profile), &own, own_reading);
  wrong.ThrowFirst();
  const Node* rows = node.Find("BUFFER_PROFILE");
  for (BufferProfile& profile : own.profiles) {
    const BufferProfile* before = ProfileOf(buffer, profile.name);
    if (before) profile.own = before->own;
    MarkOwn(profile, rows ? rows->Find(profile.name) : nullptr, !before);
  }
  buffer = std::move(own);
}

}  // namespace

KindOf<BufferParameters> Alpha() {
  const KindOf<double> alpha = Alphas();
  return {alpha.shape,
          [alpha](const Node& node, BufferParameters& buffer, Reading& reading) {
            double value = 1;
            alpha.read(node, value, reading);
            BufferProfile* profile = ProfileOf(buffer, buffer.lossless_group);
            if (!profile) return;  // the name of the profile is wrong, which has been reported
            profile->dynamic_th.reset();
            profile->static_th.reset();
            profile->alpha.reset();
            const double exponent = std::log2(value);
            if (exponent == std::round(exponent)) {
              profile->dynamic_th = static_cast<int>(exponent);
            } else {
              profile->alpha = value;
            }
            profile->own.threshold = true;
            buffer.changes += ", alpha: " + alpha.write(value, {});
          },
          {}};
}

KindOf<BufferParameters> ChangedSize() {
  const KindOf<Bytes> size = Sizes(Kibibytes(1));
  return {size.shape,
          [size](const Node& node, BufferParameters& buffer, Reading& reading) {
            if (buffer.profile.empty()) return;
            const Bytes before = buffer.size;
            size.read(node, buffer.size, reading);
            const double factor = static_cast<double>(buffer.size.v) / static_cast<double>(before.v);
            const auto grow = [factor](Bytes& bytes) {
              bytes = Bytes(std::llround(static_cast<double>(bytes.v) * factor));
            };
            for (BufferPool& pool : buffer.pools) {
              grow(pool.size);
              grow(pool.xoff);
            }
            for (BufferProfile& profile : buffer.profiles)
              if (profile.static_th) grow(*profile.static_th);
            buffer.changes += ", size: " + FormatSize(buffer.size);
          },
          {}};
}

KindOf<BufferParameters> ChangedTables() {
  std::string tables;
  for (const Key& table : BufferTableKeys().keys())
    tables += fmt::format(R"({}"{}": {{"$ref": "#/definitions/changed_rows"}})", tables.empty() ? "" : ", ",
                          table.name);
  return {
      {"tables", "",
       fmt::format(R"({{"type": "object", "additionalProperties": false, "properties": {{{}}}}})", tables)},
      [](const Node& node, BufferParameters& buffer, Reading& reading) {
        if (buffer.profile.empty()) return;
        ChangeTables(node, buffer, reading);
        buffer.changes += ", tables: " + ToFlow(node);
      },
      {}};
}

}  // namespace headroom::keys
