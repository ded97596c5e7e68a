#include "sonic/tables/rows.h"

#include <algorithm>

#include "sonic/tables/row_reader.h"

namespace headroom {

namespace {

constexpr const char* kAsRange =
    "give a key such as \"Ethernet0|3\", \"Ethernet0,Ethernet4|3-4\" or \"host|asic|Ethernet0|3\"";

/// A number of one or two digits; -1 for anything else.
int SmallNumber(const std::string& text) {
  if (text.empty() || text.size() > 2) return -1;
  if (text.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::stoi(text);
}

std::vector<std::string> BarParts(const std::string& key) {
  std::vector<std::string> parts;
  for (size_t begin = 0;;) {
    const size_t bar = key.find('|', begin);
    parts.push_back(Trimmed(key.substr(begin, bar - begin)));
    if (bar == std::string::npos) return parts;
    begin = bar + 1;
  }
}

}  // namespace

SonicConfig::Layout LayoutOf(const nlohmann::ordered_json& json) {
  const bool flat = !json.empty() && json.begin().key().find('|') != std::string::npos;
  return flat ? SonicConfig::Layout::flat : SonicConfig::Layout::nested;
}

namespace {

/// Whether it is a row as redis-dump prints it: {"type": "hash", "ttl": -0.001, "value": {"field": …}}. Some
/// versions omit the time to live. Keys that are not table rows, such as CONFIG_DB_INITIALIZED, are not
/// hashes.
bool IsOfRedisDump(const nlohmann::ordered_json& row) {
  if (!row.is_object() || !row.contains("value")) return false;
  return row.contains("ttl") || (row.contains("type") && row["type"] == "hash" && row["value"].is_object());
}

}  // namespace

std::map<std::string, std::vector<SonicJsonRow>> SonicRows(const nlohmann::ordered_json& json,
                                                           SonicFindings& findings) {
  std::map<std::string, std::vector<SonicJsonRow>> tables;
  const auto add = [&](const SonicPlace& place, const nlohmann::ordered_json& fields) {
    if (fields.is_object()) {
      tables[place.table].push_back({place, &fields});
    } else {
      findings.Error(place, "is not a row of fields", "give the row as {\"field\": \"value\", …}");
    }
  };
  if (std::ranges::any_of(json, IsOfRedisDump)) {
    findings.Error({}, "is in the format of redis-dump, which puts fields under \"value\", beside \"type\"",
                   "give the config_db.json, or the output of `jq 'with_entries(select(.value.type == "
                   "\"hash\") | .value |= .value)'` for this file");
    return tables;
  }
  for (const auto& [name, value] : json.items()) {
    if (name.find("_TABLE:") != std::string::npos) {
      findings.Error({}, "is a dump of APPL_DB, which a switch computes from its configuration",
                     "give the config_db.json");
      continue;
    }
    if (const size_t bar = name.find('|'); bar != std::string::npos) {
      add({name.substr(0, bar), name.substr(bar + 1), ""}, value);
    } else if (!value.is_object()) {
      findings.Error({name, "", ""}, "is not a table of rows",
                     "give the table as {\"key\": {\"field\": \"value\", …}, …}");
    } else {
      for (const auto& [key, fields] : value.items()) add({name, key, ""}, fields);
    }
  }
  return tables;
}

std::vector<std::string> ReadPortsKey(const SonicPlace& place, SonicFindings& findings) {
  std::vector<std::string> ports = CommaParts(place.key);
  if (std::ranges::find(ports, std::string()) == ports.end()) return ports;
  findings.Error(place, "its key has an empty port name",
                 "give a key such as \"Ethernet0\" or \"Ethernet0,Ethernet4\"");
  return {};
}

bool ReadRangeKey(const SonicPlace& place, int most, SonicRange& range, SonicFindings& findings) {
  range.place = place;
  const std::vector<std::string> parts = BarParts(place.key);
  if (parts.size() == 2 || parts.size() == 4) {
    const std::string& numbers = parts.back();
    const size_t dash = numbers.find('-');
    range.first = SmallNumber(numbers.substr(0, dash));
    range.last = dash == std::string::npos ? range.first : SmallNumber(numbers.substr(dash + 1));
    range.ports = CommaParts(parts[parts.size() - 2]);
    if (parts.size() == 4) {
      range.host = parts[0];
      range.asic = parts[1];
    }
    const bool named = std::ranges::find(range.ports, std::string()) == range.ports.end();
    if (named && range.first >= 0 && range.first <= range.last && range.last <= most) return true;
  }
  findings.Error(place, "its key names no ports and numbers from 0 to " + std::to_string(most), kAsRange);
  return false;
}

}  // namespace headroom
