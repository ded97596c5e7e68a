#include "sonic/edit/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>

#include "sonic/edit/edit_text.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

std::string PlaceOf(const SonicChange& c) { return fmt::format("{}|{}, field {}", c.table, c.key, c.field); }

int64_t WholeNumber(const SonicChange& c) {
  int64_t value = 0;
  const char* const end = c.after.data() + c.after.size();
  const auto [at, error] = std::from_chars(c.after.data(), end, value);
  if (error != std::errc() || at != end) {
    const bool share = c.field.ends_with("_drop_probability");
    throw SonicRefusal(
        c, fmt::format("{} is not a whole number; SONiC allows only these{}", c.after,
                       share ? ": give a whole per cent, or step: 1% for this parameter of a study" : ""));
  }
  return value;
}

void CheckRange(const SonicChange& c, int64_t least, int64_t most) {
  const int64_t value = WholeNumber(c);
  if (value >= least && value <= most) return;
  throw SonicRefusal(c, fmt::format("{} is out of SONiC's range; allowed: {} to {}", value, least, most));
}

/// Possibly with blanks around it, as in some files.
bool IsNumber(const std::string& text) {
  const size_t first = text.find_first_not_of(" -"), last = text.find_last_not_of(' ');
  return first != std::string::npos && text.find_first_not_of("0123456789", first) > last;
}

/// A name, map or choice, such as a profile in BUFFER_PG: a field that held no number may hold a word.
bool IsWord(const SonicChange& c) {
  return c.field == "action" || (c.before && !IsNumber(*c.before) && !c.after.empty());
}

/// A row of BUFFER_PG or BUFFER_QUEUE names an existing profile.
void CheckReference(const ordered_json& config, const SonicChange& c) {
  if ((c.table != "BUFFER_PG" && c.table != "BUFFER_QUEUE") || c.field != "profile") return;
  const auto profiles = config.find("BUFFER_PROFILE");
  // Older configurations write [BUFFER_PROFILE|name].
  const size_t bar = c.after.find('|');
  const std::string name =
      bar == std::string::npos ? c.after : c.after.substr(bar + 1, c.after.find(']') - bar - 1);
  if (profiles == config.end() || !profiles->contains(name))
    throw SonicRefusal(c, fmt::format("there is no BUFFER_PROFILE|{}", name));
}

void CheckValue(const SonicChange& c) {
  constexpr int64_t kLargestWred = INT32_MAX;
  if (c.field.ends_with("_drop_probability")) return CheckRange(c, 0, 100);
  if (c.field == "ecn" || c.field == "wred_green_enable") return;
  if (c.field == "detection_time") return CheckRange(c, 100, 5'000);  // PFC_WD: in ms
  if (c.field == "restoration_time") return CheckRange(c, 100, 60'000);
  if (c.field == "POLL_INTERVAL") return CheckRange(c, 100, 1'000);
  if (IsWord(c)) return;
  if (c.table == "WRED_PROFILE") return CheckRange(c, 0, kLargestWred);
  if (c.field == "dynamic_th") return CheckRange(c, -8, 7);
  CheckRange(c, 0, INT64_MAX);
}

/// Escapes a name for a JSON pointer, RFC 6901.
std::string Escaped(const std::string& name) {
  std::string out;
  for (const char c : name) out += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return out;
}

void CheckPatchable(const SonicChange& c) {
  if (c.table == "BUFFER_POOL") {
    throw SonicRefusal(c,
                       "config apply-patch rejects changes of BUFFER_POOL; write the whole configuration "
                       "(--to sonic-config) for config reload");
  }
  if (c.table != "BUFFER_PROFILE") return;
  if (c.field != "dynamic_th" && c.field != "xoff") {
    throw SonicRefusal(c,
                       "config apply-patch replaces only dynamic_th and xoff of BUFFER_PROFILE; write the "
                       "whole configuration (--to sonic-config) for config reload");
  }
  if (!c.before) {
    throw SonicRefusal(c,
                       "config apply-patch replaces the field but does not add it; write the whole "
                       "configuration (--to sonic-config) for config reload");
  }
}

/// Quotes a word for a shell.
std::string Word(const std::string& text) {
  if (std::all_of(text.begin(), text.end(),
                  [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; }))
    return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

const char* EcnOption(const std::string& field) {
  static const std::map<std::string, const char*> options = {
      {"green_min_threshold", "-gmin"},     {"green_max_threshold", "-gmax"},
      {"green_drop_probability", "-gdrop"}, {"yellow_min_threshold", "-ymin"},
      {"yellow_max_threshold", "-ymax"},    {"yellow_drop_probability", "-ydrop"},
      {"red_min_threshold", "-rmin"},       {"red_max_threshold", "-rmax"},
      {"red_drop_probability", "-rdrop"}};
  const auto found = options.find(field);
  return found == options.end() ? nullptr : found->second;
}

std::string MmuCommand(const SonicChange& c) {
  const char* option = c.field == "dynamic_th" ? "-a" : c.field == "static_th" ? "-s" : nullptr;
  if (c.table != "BUFFER_PROFILE" || !option) {
    throw SonicRefusal(c,
                       "no command sets it: mmuconfig sets dynamic_th and static_th of a profile, ecnconfig "
                       "thresholds of a WRED profile; use --to sonic-patch or sonic-config");
  }
  if (!c.before) throw SonicRefusal(c, "mmuconfig changes an existing threshold, but adds none");
  return fmt::format("sudo mmuconfig -p {} {} {}", Word(c.key), option, c.after);
}

}  // namespace

SonicRefusal::SonicRefusal(const SonicChange& change, const std::string& why)
    : std::runtime_error(PlaceOf(change) + ": " + why) {}

void CheckSonicChanges(const ordered_json& config, const std::vector<SonicChange>& changes) {
  ordered_json after = config;
  for (const SonicChange& c : changes) {
    CheckValue(c);
    CheckReference(config, c);
    after[c.table][c.key][c.field] = c.after;
  }
  for (const SonicChange& c : changes) {
    if (c.table != "WRED_PROFILE" || !c.field.ends_with("_threshold")) continue;
    const std::string colour = c.field.substr(0, c.field.find('_'));
    const ordered_json& row = after[c.table][c.key];
    const auto at = [&](const char* end) {
      const auto found = row.find(colour + end);
      SonicChange field = c;
      if (found == row.end()) return std::optional<int64_t>();
      field.after = SonicFieldText(*found);
      return std::optional(WholeNumber(field));
    };
    const auto least = at("_min_threshold"), most = at("_max_threshold");
    if (least && most && *least > *most) {
      throw SonicRefusal(
          c, fmt::format("the {} minimum {} would be above the maximum {}", colour, *least, *most));
    }
  }
}

ordered_json NestedSonicTables(const ordered_json& file) {
  ordered_json nested = ordered_json::object();
  for (const auto& [name, value] : file.items()) {
    if (!value.is_object()) continue;
    const size_t bar = name.find('|');
    if (bar == std::string::npos) {
      nested[name].update(value);
    } else {
      nested[name.substr(0, bar)][name.substr(bar + 1)] = value;
    }
  }
  return nested;
}

std::string SonicFieldText(const ordered_json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

ordered_json SonicPatch(const std::vector<SonicChange>& changes) {
  ordered_json patch = ordered_json::array();
  for (const SonicChange& c : changes) {
    CheckPatchable(c);
    patch.push_back({{"op", c.before ? "replace" : "add"},
                     {"path", fmt::format("/{}/{}/{}", c.table, Escaped(c.key), Escaped(c.field))},
                     {"value", c.after}});
  }
  return patch;
}

ordered_json SonicFragment(const ordered_json& config, const std::vector<SonicChange>& changes) {
  ordered_json fragment = ordered_json::object();
  for (const SonicChange& c : changes) {
    ordered_json& row = fragment[c.table][c.key];
    if (row.is_null()) row = config.at(c.table).at(c.key);
    row[c.field] = c.after;
  }
  return fragment;
}

std::vector<std::string> SonicCommands(const std::vector<SonicChange>& changes) {
  std::vector<std::string> lines;
  std::map<std::string, size_t> line_of;  // ecnconfig checks all values of a profile together
  for (const SonicChange& c : changes) {
    const char* option = c.table == "WRED_PROFILE" ? EcnOption(c.field) : nullptr;
    if (!option) {
      lines.push_back(MmuCommand(c));
      continue;
    }
    const auto [at, is_new] = line_of.try_emplace(c.key, lines.size());
    if (is_new) lines.push_back("sudo ecnconfig -p " + Word(c.key));
    lines[at->second] += fmt::format(" {} {}", option, c.after);
  }
  return lines;
}

std::string SonicText(std::string text, const std::vector<SonicChange>& changes) {
  for (const SonicChange& c : changes) text = WithSonicField(text, c.table, c.key, c.field, c.after);
  return text;
}

}  // namespace headroom
