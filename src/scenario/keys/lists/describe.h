// The keys of scenarios for a reader: one by one with their paths, as lines or as tables of pages.
#pragma once

#include <string>
#include <vector>

#include "scenario/keys/keys.h"

namespace headroom::keys {

/// A key and its place.
struct KeyPlace {
  std::string path;      ///< as for --set, with "*" for an item of a list and NAME for the name of an entry
  std::string of;        ///< "type incast", where only some mappings at the path have it
  std::string kind;      ///< "time"
  std::string standard;  ///< the default, or "required"; empty: there is none
  std::string bounds;    ///< "1us to 100s"; empty: none
  std::string help;
  std::string page;     ///< below docs
  std::string section;  ///< section of its key
};

/// Every key, in the order of scenarios; other spellings follow the key that they are of.
std::vector<KeyPlace> AllKeys();
/// Those with the text in their path, with a path that --set would accept it for, or with a path or last name
/// that it matches as a shell pattern. Where it names a type, such as incast: the keys of the type, and those
/// with the name in their path.
std::vector<KeyPlace> MatchingKeys(const std::string& pattern);
/// The nearest part of a path, path, or type, in quotes; empty: none is near.
std::string NearestKey(const std::string& pattern);

/// The table of a page, "models/pfc.md", as Markdown.
std::string KeyTable(const std::string& page);

/// A schema's text on a key.
std::string Sentence(const Keys& keys, const Key& key);
std::string Capital(std::string text);

}  // namespace headroom::keys
