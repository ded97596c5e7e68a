#include "scenario/yaml/set_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "scenario/yaml/nearest.h"
#include "scenario/yaml/parse_yaml.h"

namespace headroom {

namespace {

Node Scalar(const std::string& text, const Position& where) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.text = text;
  node.where = where;
  return node;
}

Node EmptyMap(const Position& where) {
  Node node;
  node.kind = Node::Kind::map;
  node.where = where;
  return node;
}

/// The value of `name` or `match` as a step; empty if it cannot be one.
std::string StepOf(const Node& value) {
  if (value.IsScalar()) return value.text;
  std::string step;
  for (const Node& item : value.items) {
    if (!item.IsScalar()) return {};
    step += (step.empty() ? "[" : ",") + item.text;
  }
  return step.empty() ? step : step + ']';
}

/// Changes [a, "b"] to [a,b].
std::string WithoutBlanks(std::string step) {
  if (step.starts_with('[')) std::erase_if(step, [](char c) { return c == ' ' || c == '"'; });
  return step;
}

/// The value of `match` for a step that is a pattern, or of the form [a,b].
Node MatchOf(const std::string& step, const Position& where) {
  if (!step.starts_with('[') || !step.ends_with(']') || step.find(',') == std::string::npos)
    return Scalar(step, where);
  Node list;
  list.kind = Node::Kind::list;
  list.where = where;
  std::istringstream texts(step.substr(1, step.size() - 2));
  for (std::string text; std::getline(texts, text, ',');) list.items.push_back(Scalar(text, where));
  return list;
}

Node EntryFor(const std::string& step, const Position& where) {
  Node entry = EmptyMap(where);
  entry.entries.push_back({"match", where, MatchOf(step, where)});
  return entry;
}

/// Whether the path is a list whose items are applied on top of each other, by their matches.
bool IsMatched(const std::string& path) { return path == "switches" || path == "nics" || path == "hosts"; }

std::vector<Node*> ItemsOf(Node& list, const std::string& step, const std::string& before,
                           const Position& where) {
  size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error == std::errc() && end == step.data() + step.size()) {
    if (index >= list.items.size())
      throw ScenarioError(where, fmt::format("there is no item {}", index),
                          fmt::format("the list has {} items, counted from 0", list.items.size()));
    return {&list.items[index]};
  }
  std::vector<Node*> found;
  std::vector<std::string> names;
  const std::string plain = WithoutBlanks(step);
  for (Node& item : list.items) {
    for (const char* key : {"name", "match"}) {
      const Node* name = item.Find(key);
      if (!name) continue;
      names.push_back(StepOf(*name));
      if (names.back() == step || names.back() == plain) found.push_back(&item);
    }
  }
  if (found.empty() && step == "*")
    for (Node& item : list.items) found.push_back(&item);
  if (found.empty() && IsMatched(before)) {
    list.items.push_back(EntryFor(plain, where));
    found.push_back(&list.items.back());
  }
  if (found.empty())
    throw ScenarioError(where, "the list has no item " + Quote(step),
                        names.empty() ? "" : "allowed: " + Join(names), Nearest(step, names));
  return found;
}

/// Whether the path leads to a key with a name as its value, or with a mapping of this type.
bool IsNameOfType(const std::string& path) {
  const std::string key = path.substr(path.rfind('.') + 1);
  return key == "congestion_control" || key == "recovery" || key == "policy";
}

/// The nodes that one step of the path leads to; missing nodes are added.
std::vector<Node*> Step(Node& node, const std::string& step, const std::string& before,
                        const Position& where) {
  if (node.IsNull()) {
    node = EmptyMap(where);
    if (IsMatched(before)) node.kind = Node::Kind::list;
  }
  if (node.IsList()) return ItemsOf(node, step, before, where);
  if (node.IsScalar() && IsNameOfType(before)) {
    Node mapping = EmptyMap(node.where);
    mapping.entries.push_back({"type", node.where, node});
    node = std::move(mapping);
  }
  if (!node.IsMap())
    throw ScenarioError(
        where, fmt::format("{} has no keys", Quote(before, 200)),
        fmt::format("its value there is {}; replace the whole value by a mapping", Quote(node.text, 60)));
  if (!node.Find(step)) {
    Node fresh;
    fresh.where = where;
    node.entries.push_back({step, where, fresh});
  }
  return {node.Find(step)};
}

/// The end of the step that begins there: at a dot, or at the path's end. A step in quotes may contain dots.
size_t EndOfStep(const std::string& path, size_t begin) {
  if (begin < path.size() && path[begin] == '"')
    if (const size_t quote = path.find('"', begin + 1); quote != std::string::npos) begin = quote;
  return std::min(path.find('.', begin), path.size());
}

std::string WithoutQuotes(const std::string& step) {
  const bool quoted = step.size() >= 2 && step.front() == '"' && step.back() == '"';
  return quoted ? step.substr(1, step.size() - 2) : step;
}

void SetOne(Node& root, const std::string& path, const Node& value, const Position& where) {
  std::vector<Node*> nodes{&root};
  std::string before;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t dot = EndOfStep(path, begin);
    const std::string step = WithoutQuotes(path.substr(begin, dot - begin));
    if (step.empty()) throw ScenarioError(where, Quote(path, 200) + " is not a path of keys");
    std::vector<Node*> next;
    for (Node* node : nodes)
      for (Node* found : Step(*node, step, before, where)) next.push_back(found);
    nodes = std::move(next);
    before = path.substr(0, dot);
    begin = dot + 1;
    if (std::count(before.begin(), before.end(), '.') > kDeepest)
      throw ScenarioError(where, "the path is too long");
  }
  for (Node* node : nodes) *node = value;
}

}  // namespace

std::vector<std::string> PathsOf(const std::string& paths) {
  std::vector<std::string> found(1);
  bool quoted = false;
  int depth = 0;
  for (const char c : paths) {
    quoted ^= c == '"';
    if (!quoted) depth += (c == '[') - (c == ']');
    if (c == ',' && !quoted && depth == 0) {
      found.emplace_back();
    } else if (c != ' ' || !found.back().empty()) {
      found.back() += c;
    }
  }
  return found;
}

void SetPath(Node& root, const std::string& path, const Node& value, const Position& where) {
  const std::vector<std::string> paths = PathsOf(path);
  if (paths.size() == 1) return SetOne(root, path, value, where);
  if (!value.IsList() || value.items.size() != paths.size())
    throw ScenarioError(
        where,
        fmt::format("{} keys that change together need lists of {} values", paths.size(), paths.size()),
        "KEY,KEY=[VALUE,VALUE]");
  for (size_t i = 0; i < paths.size(); ++i) SetOne(root, paths[i], value.items[i], where);
}

std::string StepToKey(const std::string& key) {
  return key.find('.') == std::string::npos ? key : '"' + key + '"';
}

std::string StepToItem(const Node& item) {
  for (const char* key : {"name", "match"}) {
    if (const Node* value = item.Find(key)) return StepOf(*value);
  }
  return {};
}

void ApplySet(Node& root, const std::string& assignment, const std::filesystem::path& directory, int order) {
  const auto file = std::make_shared<SourceFile>(SourceFile{"--set " + assignment, directory, order, true});
  const size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw ScenarioError({file, 1, 1}, "not an assignment",
                        "give KEY=VALUE, such as seed=2 or workloads.burst.fan_in=8");
  const Node value = ParseYaml(assignment.substr(equals + 1), file, static_cast<int>(equals) + 1);
  SetPath(root, assignment.substr(0, equals), value, {file, 1, 1});
}

}  // namespace headroom
