#include "scenario/yaml/parse_yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <optional>
#include <sstream>

namespace headroom {

namespace {

constexpr size_t kMostKeys = 4096;  // a key is looked up by linear search

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::shared_ptr<const SourceFile> file, int column_offset)
      : file_(std::move(file)), column_offset_(column_offset) {}

  Node Take() {
    if (bad_key_) throw ScenarioError(*bad_key_, "the key is not text");
    return std::move(root_);
  }

  Position At(const YAML::Mark& mark) const {
    // yaml-cpp counts from 0 and leaves -1 if it does not know the position.
    const int line = std::max(mark.line, 0) + 1;
    return {file_, line, std::max(mark.column, 0) + 1 + (line == 1 ? column_offset_ : 0)};
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  /// Called before the value that has the anchor.
  void OnAnchor(const YAML::Mark&, const std::string& name) override { anchor_name_ = name; }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    node.where = At(mark);
    AddLeaf(std::move(node), anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    RefuseTag(tag, mark);
    Node node;
    node.where = At(mark);
    const bool plain = tag == "?";
    if (!plain || (!value.empty() && value != "~" && value != "null")) {
      node.kind = Node::Kind::scalar;
      node.text = value;
    }
    AddLeaf(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) throw ScenarioError(At(mark), "the alias is inside the value that it names");
    count_ += found->second.size;
    of_aliases_ += found->second.size;
    if (of_aliases_ > kMostOfAliases)
      throw ScenarioError(At(mark),
                          fmt::format("aliases add more than {} values to the scenario", kMostOfAliases));
    Add(found->second.node, At(mark));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    RefuseTag(tag, mark);
    Open(Node::Kind::list, mark, anchor);
  }
  void OnSequenceEnd() override { Close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    RefuseTag(tag, mark);
    Open(Node::Kind::map, mark, anchor);
  }
  void OnMapEnd() override { Close(); }

 private:
  struct OpenNode {
    Node node;
    bool has_key = false;
    std::string key;
    Position key_where;
    YAML::anchor_t anchor = 0;
    size_t count_before = 0;
    std::vector<Node> merges;  ///< values named by `<<`
  };
  struct Anchored {
    Node node;
    size_t size = 0;
  };

  /// yaml-cpp gives plain values the tag "?", quoted values "!", and !!str its full name.
  void RefuseTag(const std::string& tag, const YAML::Mark& mark) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    const std::string standard = "tag:yaml.org,2002:";
    const std::string shown = tag.starts_with(standard) ? "!!" + tag.substr(standard.size()) : tag;
    throw ScenarioError(At(mark), "the YAML tag " + Quote(shown) + " is not supported",
                        "leave out the tag: the key determines the type of its value");
  }

  void Count(const Position& where) {
    ++count_;
    if (count_ - of_aliases_ > kMostNodes)
      throw ScenarioError(where, fmt::format("the file has more than {} values", kMostNodes),
                          "put messages into a file of their own: type: hpcc, file: …");
  }

  void Open(Node::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (open_.size() >= static_cast<size_t>(kDeepest))
      throw ScenarioError(At(mark), "the values are nested deeper than 64 levels");
    OpenNode open;
    open.count_before = count_;
    Count(At(mark));
    open.node.kind = kind;
    open.node.where = At(mark);
    open.node.anchor = std::exchange(anchor_name_, {});
    open.anchor = anchor;
    open_.push_back(std::move(open));
  }

  void Close() {
    OpenNode open = std::move(open_.back());
    open_.pop_back();
    for (const Node& merge : open.merges) {
      for (const Entry& entry : merge.entries)
        if (!open.node.Find(entry.key)) open.node.entries.push_back(entry);
    }
    const Position where = open.node.where;
    if (open.anchor != 0) anchors_[open.anchor] = {open.node, count_ - open.count_before};
    Add(std::move(open.node), where);
  }

  void AddLeaf(Node node, YAML::anchor_t anchor) {
    Count(node.where);
    node.anchor = std::exchange(anchor_name_, {});
    if (anchor != 0) anchors_[anchor] = {node, 1};
    const Position where = node.where;
    Add(std::move(node), where);
  }

  void Add(Node node, const Position& where) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    OpenNode& open = open_.back();
    if (open.node.IsList()) {
      open.node.items.push_back(std::move(node));
    } else if (!open.has_key) {
      // Reported only at the end: if a bracket is not closed, the parser treats it as a key before it
      // notices.
      if (!node.IsScalar() && !bad_key_) bad_key_ = where;
      AddKey(open, node.IsScalar() ? node.text : "?" + std::to_string(count_), where);
    } else {
      open.has_key = false;
      if (open.key == "<<") {
        AddMerge(open, std::move(node));
      } else {
        open.node.entries.push_back({std::move(open.key), open.key_where, std::move(node)});
      }
    }
  }

  static void AddKey(OpenNode& open, const std::string& key, const Position& where) {
    for (const Entry& entry : open.node.entries) {
      if (entry.key == key)
        throw ScenarioError(where, "the key " + Quote(key) + " appears twice, first in line " +
                                       std::to_string(entry.where.line));
    }
    if (open.node.entries.size() >= kMostKeys)
      throw ScenarioError(where, "the mapping has more than 4096 keys");
    open.has_key = true;
    open.key = key;
    open.key_where = where;
  }

  static void AddMerge(OpenNode& open, Node node) {
    std::vector<Node> merges;
    if (node.IsList()) {
      merges = std::move(node.items);
    } else {
      merges.push_back(std::move(node));
    }
    for (Node& merge : merges) {
      if (!merge.IsMap()) throw ScenarioError(merge.where, "<< merges mappings, not " + Describe(merge));
      open.merges.push_back(std::move(merge));
    }
  }

  std::shared_ptr<const SourceFile> file_;
  int column_offset_;
  Node root_;
  std::vector<OpenNode> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::string anchor_name_;
  size_t count_ = 0, of_aliases_ = 0;  ///< all values, and those that aliases add
  std::optional<Position> bad_key_;
};

/// yaml-cpp reads a bracketed value to its end before it reports its beginning. A limit on the number of
/// brackets bounds the cost, wherever they are.
void CheckBrackets(const std::string& text, const std::shared_ptr<const SourceFile>& file) {
  constexpr int64_t kMostOpen = 10'000, kMostCommas = 2 * static_cast<int64_t>(kMostNodes);
  int64_t open = 0, commas = 0;
  for (const char c : text) {
    open += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    commas += c == ',' ? 1 : 0;
    if (open > kMostOpen) throw ScenarioError({file, 1, 1}, "the file has more than 10000 open brackets");
    if (commas > kMostCommas)
      throw ScenarioError({file, 1, 1}, fmt::format("the file has more than {} commas", kMostCommas));
  }
}

/// To YAML, an unquoted text that begins with * is an alias.
void CheckStar(const std::string& text, const YAML::Exception& e, const Position& where) {
  if (e.msg != YAML::ErrorMsg::UNKNOWN_ANCHOR && e.msg != YAML::ErrorMsg::ALIAS_NOT_FOUND) return;
  const size_t star = text.rfind('*', static_cast<size_t>(std::max(e.mark.pos, 0)));
  if (star == std::string::npos) return;
  const std::string alias = text.substr(star, text.find_first_of(" \t\r\n,]}", star) - star);
  const std::string rule = "write a text that begins with * in quotes";
  if (!where.file->argument)
    throw ScenarioError(where, "there is no anchor " + Quote(alias.substr(1)), rule, '"' + alias + '"');
  // The shell turns `--set KEY="*"` into `--set KEY=*`.
  std::string word = where.file->name.substr(where.file->name.find(' ') + 1);
  const size_t at = word.size() - text.size() + star;
  word.replace(at, alias.size(), '"' + alias + '"');
  throw ScenarioError(where, rule, "", "'" + word + "'");
}

/// The first tab in the indentation, up to line `last`; yaml-cpp's message names another cause.
std::optional<YAML::Mark> TabInIndentation(const std::string& text, int last) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; number <= last && std::getline(lines, line); ++number) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos || line.find_first_not_of(" \t") < tab) continue;
    YAML::Mark mark;
    mark.line = number;
    mark.column = static_cast<int>(tab);
    return mark;
  }
  return std::nullopt;
}

}  // namespace

Node ParseYaml(const std::string& text, std::shared_ptr<const SourceFile> file, int column_offset) {
  CheckBrackets(text, file);
  TreeBuilder builder(std::move(file), column_offset);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    Node root = builder.Take();
    if (parser.HandleNextDocument(builder))
      throw ScenarioError(builder.Take().where,
                          "a second YAML document begins here; a scenario is one "
                          "document");
    return root;
  } catch (const YAML::Exception& e) {
    if (const auto tab = TabInIndentation(text, e.mark.line))
      throw ScenarioError(builder.At(*tab), "the indentation contains a tab", "indent with spaces");
    CheckStar(text, e, builder.At(e.mark));
    throw ScenarioError(builder.At(e.mark), "not valid YAML: " + e.msg);
  }
}

}  // namespace headroom
