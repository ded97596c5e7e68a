// Typed reading of a YAML tree that finds the first of all errors in the order of the file.
//
// Every key of a mapping is read on its own: an error in one is kept, the next is still read. At the end the
// earliest is thrown. A value that could not be read keeps its default.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenario/yaml/node.h"
#include "scenario/yaml/quantity.h"
#include "sim/units.h"

namespace headroom {

/// The longest time that a scenario may name: a day.
inline constexpr Time kLongestTime = Seconds(86'400);
inline constexpr Rate kLowestRate = MegabitsPerSecond(1);
inline constexpr Rate kHighestRate = GigabitsPerSecond(100'000);
inline constexpr Bytes kLargestSize{int64_t{1} << 50};

/// Keeps the error that stands first in the files.
class Errors {
 public:
  void Add(const ScenarioError& error);
  bool Any() const { return first_.has_value(); }
  void ThrowFirst() const;

  /// Runs f; a ScenarioError that it throws is kept. False then.
  template <class F>
  bool Guard(F&& f) {
    try {
      f();
      return true;
    } catch (const ScenarioError& error) {
      Add(error);
      return false;
    }
  }

 private:
  std::optional<ScenarioError> first_;
};

/// Each throws a ScenarioError at the node.
bool ParseFlag(const Node& node);
int64_t ParseInteger(const Node& node, int64_t least, int64_t most);
/// Up to `most`; 0 only where `zero` says so.
double ParseFraction(const Node& node, bool zero, double most);
/// Without a unit: cycles, or so many a second.
double ParseNumber(const Node& node, double least, double most);
std::string ParseText(const Node& node);
std::string ParseName(const Node& node);  ///< [A-Za-z0-9_-]+
/// A text or a list of texts. REQUIRES: none; an empty list is an error.
std::vector<std::string> ParseTexts(const Node& node);
const std::vector<Node>& ParseList(const Node& node);
/// A list of names, each once and at least one.
std::vector<std::string> ParseUniqueNames(const Node& node);
/// A path, relative to the file in which it is written, of an existing regular file of at most 256 MiB.
std::filesystem::path ParsePath(const Node& node);
void CheckName(const std::string& name, const Position& where);
/// Words that other readers of YAML take for true and false; they are no names.
bool IsBooleanWord(const std::string& text);
/// Throws where a name or a pattern belongs and the node is true or false.
void RefuseBoolean(const Node& node);
size_t ParseChoice(const Node& node, const std::vector<std::string>& names,
                   const std::vector<std::string>& not_yet = {});

/// A known name; the error for an unknown one is "there is no WHAT …".
std::string ParseKnown(const Node& node, const char* what, const std::vector<std::string>& names);

/// Reads the keys of one mapping, then reports unread ones.
class MapReader {
 public:
  /// Throws a ScenarioError unless the node is a mapping.
  MapReader(const Node& node, Errors& errors);

  /// The value of a key, which is then a known one; nullptr if absent.
  const Node* Find(const std::string& key);
  /// Like Find, without making the key known.
  bool Has(const std::string& key) const { return node_.Find(key) != nullptr; }
  const Node& node() const { return node_; }
  Errors& errors() { return errors_; }

  /// f(value) where the key is present; true then, whether or not f failed. A key without a value is an
  /// error.
  template <class F>
  bool Read(const std::string& key, F&& f) {
    const Node* value = Find(key);
    if (value) errors_.Guard([&] { value->IsNull() ? FailNoValue(key) : f(*value); });
    return value != nullptr;
  }

  /// Required keys, or several of which one is required; Finish reports missing ones.
  void Need(std::initializer_list<const char*> keys);
  void NeedOneOf(const std::vector<std::string>& keys);
  /// An error at the key, if present: its feature is not there yet.
  void NotYet(std::initializer_list<const char*> keys);
  /// Errors for unread keys; without any, for missing ones: a misspelt key is not also a missing
  /// one.
  void Finish();
  /// In place of Finish if the other keys could not be read: errors for missing ones alone.
  void FinishMissing();

 private:
  [[noreturn]] void FailNoValue(const std::string& key) const;

  const Node& node_;
  Errors& errors_;
  std::vector<std::string> known_;
  std::vector<std::vector<std::string>> needed_;  ///< of each, one
  std::set<std::string> not_yet_;
};

/// "X is not supported yet" at a position.
ScenarioError NotSupportedYet(const Position& where, const std::string& what,
                              const std::string& allowed = {});

}  // namespace headroom
