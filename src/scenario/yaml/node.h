// A YAML document as a tree; every value has its position in the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/yaml/error.h"

namespace headroom {

struct Entry;

/// A value: null, a scalar (kept as text), a list or a mapping in the order of the
/// file.
struct Node {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  std::string text;            ///< of a scalar: its text
  std::vector<Node> items;     ///< of a list: its items
  std::vector<Entry> entries;  ///< of a mapping: its entries; keys are unique
  Position where;
  std::string anchor{};  ///< the name that the file gives it (`&name`), or empty

  bool IsNull() const { return kind == Kind::null; }
  bool IsScalar() const { return kind == Kind::scalar; }
  bool IsList() const { return kind == Kind::list; }
  bool IsMap() const { return kind == Kind::map; }
  /// The value of a key, or nullptr. REQUIRES: nothing; a value that is not a mapping has no keys.
  const Node* Find(std::string_view key) const;
  Node* Find(std::string_view key);
};

struct Entry {
  std::string key;
  Position where;
  Node value;
};

/// For messages: `"text"` shortened to a readable length, "nothing", "a list" or "a mapping".
std::string Describe(const Node& node);
/// The text in double quotes, shortened, with other bytes as \xNN.
std::string Quote(std::string_view text, size_t longest = 60);
/// The value as YAML on one line; reading it back gives an equal value.
std::string ToFlow(const Node& node);
/// A list of texts, or the text itself if there is only one.
Node NodeOfTexts(const std::vector<std::string>& texts);
/// The same on one line, in quotes if necessary.
std::string WriteTexts(const std::vector<std::string>& texts);

/// Applies `over` to `base`: mappings merge key by key, all other values are replaced. A path of keys that
/// matches one of `whole` (shell patterns over keys joined by dots, for example "ecn.*") is replaced as a
/// unit.
Node Merge(const Node& base, const Node& over, const std::vector<std::string>& whole = {},
           const std::string& path = {});

}  // namespace headroom
