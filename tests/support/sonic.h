// The small SONiC configurations of tests/sonic/data, unchanged or edited.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sonic/tables/read.h"
#include "support/text_file.h"

namespace headroom {

inline std::string SonicText(const std::string& name) {
  return ReadTextFile(std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/sonic/data" / name);
}

inline SonicConfig ReadSonic(const std::string& name) {
  return ReadSonicConfig(SonicText(name), name).config;
}

/// A pointer (such as "/PORT/Ethernet0/speed") and its new value; null removes it.
using SonicEdit = std::pair<std::string, nlohmann::ordered_json>;

inline std::string EditedSonicText(const std::string& name, const std::vector<SonicEdit>& edits) {
  using Json = nlohmann::ordered_json;
  Json json = Json::parse(SonicText(name));
  for (const auto& [path, value] : edits) {
    const Json::json_pointer pointer(path);
    if (value.is_null()) {
      json.at(pointer.parent_pointer()).erase(pointer.back());
    } else {
      json[pointer] = value;
    }
  }
  return json.dump(2);
}

/// An edited rack.config_db.json with the name x.json.
inline SonicFile EditedRack(const std::vector<SonicEdit>& edits) {
  return ReadSonicConfig(EditedSonicText("rack.config_db.json", edits), "x.json");
}

/// "error: WHERE: WHAT; CHANGE", one finding in each line.
inline std::string FindingsText(const Findings& findings) {
  std::string text;
  for (const Finding& f : findings) {
    text += f.severity == Finding::Severity::error     ? "error: "
            : f.severity == Finding::Severity::warning ? "warning: "
                                                       : "note: ";
    text += f.where + ": " + f.what + (f.allowed.empty() ? "" : "; " + f.allowed) + '\n';
  }
  return text;
}

}  // namespace headroom
