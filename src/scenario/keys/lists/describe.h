// The keys of scenarios for a reader: one by one with their paths, as lines or as tables of pages.
#pragma once

#include <string>
#include <vector>

#include "scenario/keys/keys.h"

namespace headroom::keys {

/// A key and its place.
struct KeyPlace {
  std::string path;      ///< as for --set, with "*" for a list item and NAME for the name of an entry
  std::string of;        ///< for example "type incast", if only some mappings at the path have the key
  std::string kind;      ///< for example "time"
  std::string standard;  ///< the default, or "required"; empty if there is none
  std::string bounds;    ///< for example "1us to 100s"; empty if there are none
  std::string help;
  std::string page;     ///< path below docs
  std::string section;  ///< section of the key
};

/// Every key, in the order of scenarios; other spellings follow their key.
std::vector<KeyPlace> AllKeys();
/// The keys whose path contains the text, whose path --set would accept for it, or whose path or last name
/// matches it as a shell pattern. If the text names a type, such as incast: the keys of the type, and keys
/// with the name in their path.
std::vector<KeyPlace> MatchingKeys(const std::string& pattern);
/// The most similar part of a path, path, or type, in quotes; empty if none is similar.
std::string NearestKey(const std::string& pattern);

/// The table of a page, "models/pauses.md", as Markdown.
std::string KeyTable(const std::string& page);

/// The text of a schema about a key.
std::string Sentence(const Keys& keys, const Key& key);
std::string Capital(std::string text);

}  // namespace headroom::keys
