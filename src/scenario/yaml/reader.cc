#include "scenario/yaml/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scenario/yaml/nearest.h"

namespace headroom {

void Errors::Add(const ScenarioError& error) {
  if (!first_ || error.where().Before(first_->where())) first_.emplace(error);
}

void Errors::ThrowFirst() const {
  if (first_) throw *first_;
}

ScenarioError NotSupportedYet(const Position& where, const std::string& what, const std::string& allowed) {
  return {where, what + " is not supported yet", allowed};
}

namespace {

ScenarioError OutOfRange(const Node& node, const std::string& least, const std::string& most) {
  return {node.where, Quote(node.text) + " is out of range", fmt::format("allowed: {} to {}", least, most)};
}

}  // namespace

bool ParseFlag(const Node& node) {
  if (node.IsScalar() && node.text == "true") return true;
  if (node.IsScalar() && node.text == "false") return false;
  std::string meant;
  if (node.IsScalar()) {
    const std::string& t = node.text;
    if (t == "yes" || t == "on" || t == "True" || t == "1") meant = "true";
    if (t == "no" || t == "off" || t == "False" || t == "0") meant = "false";
  }
  throw ScenarioError(node.where, Describe(node) + " is neither true nor false", "allowed: true, false",
                      meant);
}

int64_t ParseInteger(const Node& node, int64_t least, int64_t most) {
  int64_t value = 0;
  const char* const begin = node.text.data();
  const auto [end, error] = std::from_chars(begin, begin + node.text.size(), value);
  const bool all = end == begin + node.text.size();
  if (node.IsScalar() && all && error == std::errc::result_out_of_range)
    throw OutOfRange(node, std::to_string(least), std::to_string(most));
  if (!node.IsScalar() || error != std::errc() || !all)
    throw ScenarioError(node.where, Describe(node) + " is not a whole number",
                        fmt::format("allowed: {} to {}", least, most));
  if (value < least || value > most) throw OutOfRange(node, std::to_string(least), std::to_string(most));
  return value;
}

double ParseFraction(const Node& node, bool zero, double most) {
  const double fraction = ParseFraction(node);
  const bool percent_forgotten =
      fraction > most && fraction <= most * 100 && node.text.find_first_of("%/") == std::string::npos;
  if (fraction > most || (fraction == 0 && !zero)) {
    throw ScenarioError(node.where, Quote(node.text) + " is out of range",
                        fmt::format("allowed: {} to {}%", zero ? "0" : "above 0", most * 100),
                        percent_forgotten ? Quote(node.text + "%") : "");
  }
  return fraction;
}

double ParseNumber(const Node& node, double least, double most) {
  const std::string allowed = fmt::format("allowed: {} to {}", least, most);
  double number = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [stop, error] = std::from_chars(node.text.data(), end, number);
  if (!node.IsScalar() || error != std::errc() || stop != end || !std::isfinite(number))
    throw ScenarioError(node.where, Describe(node) + " is not a number", allowed);
  if (number < least || number > most)
    throw ScenarioError(node.where, Quote(node.text) + " is out of range", allowed);
  return number;
}

std::string ParseText(const Node& node) {
  if (!node.IsScalar()) throw ScenarioError(node.where, Describe(node) + " is not a text");
  return node.text;
}

bool IsBooleanWord(const std::string& text) {
  for (const char* word : {"true", "True", "TRUE", "false", "False", "FALSE"})
    if (text == word) return true;
  return false;
}

void CheckName(const std::string& name, const Position& where) {
  if (IsBooleanWord(name))
    throw ScenarioError(where, Quote(name) + " is a boolean, not a name",
                        "allowed: 1 to 64 letters, digits, underscores and hyphens");
  static const std::string kAllowed = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
  constexpr size_t kLongest = 64;
  if (name.empty() || name.size() > kLongest || name.find_first_not_of(kAllowed) != std::string::npos)
    throw ScenarioError(where, Quote(name) + " is not a name",
                        "allowed: 1 to 64 letters, digits, underscores and hyphens");
}

std::string ParseName(const Node& node) {
  const std::string name = ParseText(node);
  CheckName(name, node.where);
  return name;
}

void RefuseBoolean(const Node& node) {
  if (!node.IsScalar() || !IsBooleanWord(node.text)) return;
  throw ScenarioError(node.where, Quote(node.text) + " is a boolean, not a name or pattern",
                      "allowed: a name, a pattern, or a list of them; \"*\" stands for all");
}

std::vector<std::string> ParseTexts(const Node& node) {
  RefuseBoolean(node);
  if (node.IsScalar()) return {node.text};
  std::vector<std::string> texts;
  for (const Node& item : ParseList(node)) {
    RefuseBoolean(item);
    texts.push_back(ParseText(item));
  }
  if (texts.empty()) throw ScenarioError(node.where, "the list is empty");
  return texts;
}

const std::vector<Node>& ParseList(const Node& node) {
  if (!node.IsList()) throw ScenarioError(node.where, Describe(node) + " is not a list");
  return node.items;
}

std::vector<std::string> ParseUniqueNames(const Node& node) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const Node& item : ParseList(node)) {
    names.push_back(ParseName(item));
    if (!seen.insert(names.back()).second)
      throw ScenarioError(item.where, Quote(names.back()) + " appears twice");
  }
  if (names.empty()) throw ScenarioError(node.where, "the list is empty");
  return names;
}

std::filesystem::path ParsePath(const Node& node) {
  constexpr uintmax_t kLargest = uintmax_t{256} << 20;
  const std::string text = ParseText(node);
  const std::filesystem::path path =
      (node.where.file ? node.where.file->directory : std::filesystem::path()) / text;
  std::error_code error;
  if (!text.empty() && std::filesystem::is_directory(path, error))
    throw ScenarioError(node.where, Quote(path.string(), 400) + " is a folder", "a file");
  if (text.empty() || !std::filesystem::is_regular_file(path, error))
    throw ScenarioError(node.where, "there is no file " + Quote(path.string(), 400));
  if (std::filesystem::file_size(path, error) > kLargest)
    throw ScenarioError(node.where, Quote(path.string(), 400) + " is too large", "allowed: up to 256MiB");
  return path.lexically_normal();
}

size_t ParseChoice(const Node& node, const std::vector<std::string>& names,
                   const std::vector<std::string>& not_yet) {
  const std::string allowed = "allowed: " + Join(names);
  if (!node.IsScalar()) throw ScenarioError(node.where, Describe(node) + " is not an allowed value", allowed);
  const auto found = std::find(names.begin(), names.end(), node.text);
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  if (std::find(not_yet.begin(), not_yet.end(), node.text) != not_yet.end())
    throw NotSupportedYet(node.where, Quote(node.text), allowed);
  throw ScenarioError(node.where, Quote(node.text) + " is not an allowed value", allowed,
                      Nearest(node.text, names));
}

std::string ParseKnown(const Node& node, const char* what, const std::vector<std::string>& names) {
  const std::string name = ParseText(node);
  if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  throw ScenarioError(node.where, fmt::format("there is no {} {}", what, Quote(name)),
                      "allowed: " + Join(names), Nearest(name, names));
}

MapReader::MapReader(const Node& node, Errors& errors) : node_(node), errors_(errors) {
  if (!node.IsMap()) throw ScenarioError(node.where, Describe(node) + " is not a mapping of keys to values");
}

const Node* MapReader::Find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  return node_.Find(key);
}

void MapReader::FailNoValue(const std::string& key) const {
  const auto entry =
      std::find_if(node_.entries.begin(), node_.entries.end(), [&](const Entry& e) { return e.key == key; });
  throw ScenarioError(entry->where, fmt::format("the key \"{}\" has no value", key));
}

void MapReader::Need(std::initializer_list<const char*> keys) {
  for (const char* key : keys) NeedOneOf({key});
}

void MapReader::NeedOneOf(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) Find(key);
  needed_.push_back(keys);
}

void MapReader::NotYet(std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    not_yet_.insert(key);
    for (const Entry& entry : node_.entries)
      if (entry.key == key) errors_.Add(NotSupportedYet(entry.where, Quote(entry.key)));
  }
}

void MapReader::Finish() {
  bool all_known = true;
  std::vector<std::string> absent;  // absent keys that were meant more probably than an existing key
  for (const std::string& key : known_)
    if (!Has(key)) absent.push_back(key);
  for (const Entry& entry : node_.entries) {
    if (not_yet_.contains(entry.key) || std::find(known_.begin(), known_.end(), entry.key) != known_.end())
      continue;
    all_known = false;
    const std::string near = Nearest(entry.key, absent);
    errors_.Add(ScenarioError(entry.where, "unknown key " + Quote(entry.key), "allowed: " + Join(known_),
                              near.empty() ? Nearest(entry.key, known_) : near));
  }
  if (all_known) FinishMissing();
}

void MapReader::FinishMissing() {
  for (const std::vector<std::string>& keys : needed_) {
    if (std::any_of(keys.begin(), keys.end(), [&](const std::string& key) { return Has(key); })) continue;
    const auto misspelt = std::find_if(node_.entries.begin(), node_.entries.end(),
                                       [&](const Entry& entry) { return !Nearest(entry.key, keys).empty(); });
    if (misspelt != node_.entries.end()) {
      errors_.Add(ScenarioError(misspelt->where, "unknown key " + Quote(misspelt->key), "",
                                Nearest(misspelt->key, keys)));
    } else if (keys.size() == 1) {
      errors_.Add(ScenarioError(node_.where, fmt::format("the key \"{}\" is missing", keys.front())));
    } else {
      errors_.Add(ScenarioError(node_.where, "a key is missing", "one of " + Join(keys)));
    }
  }
}

}  // namespace headroom
