// Typed reading of a YAML tree that reports the first of all errors in the order of the file.
//
// The keys of a mapping are read independently: an error in one is kept, and the next is still read. At the
// end the first error is thrown. A value that could not be read keeps its default.
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

/// Keeps the error with the first position in the files.
class Errors {
 public:
  void Add(const ScenarioError& error);
  bool Any() const { return first_.has_value(); }
  void ThrowFirst() const;

  /// Runs f and keeps a ScenarioError that it throws. Returns false in that case.
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

/// Each of these functions throws a ScenarioError at the node.
bool ParseFlag(const Node& node);
int64_t ParseInteger(const Node& node, int64_t least, int64_t most);
/// A fraction up to `most`; 0 is permitted only with `zero`.
double ParseFraction(const Node& node, bool zero, double most);
/// A number without a unit, for example cycles, or a count per second.
double ParseNumber(const Node& node, double least, double most);
std::string ParseText(const Node& node);
std::string ParseName(const Node& node);  ///< A name: [A-Za-z0-9_-]+
/// A text or a list of texts. REQUIRES: nothing; an empty list is an error.
std::vector<std::string> ParseTexts(const Node& node);
const std::vector<Node>& ParseList(const Node& node);
/// A list of unique names, at least one.
std::vector<std::string> ParseUniqueNames(const Node& node);
/// A path of an existing regular file of at most 256 MiB, relative to the file that contains the path.
std::filesystem::path ParsePath(const Node& node);
void CheckName(const std::string& name, const Position& where);
/// Words that other YAML readers interpret as true and false; they are not names.
bool IsBooleanWord(const std::string& text);
/// Throws if the node is true or false, because a name or a pattern is expected.
void RefuseBoolean(const Node& node);
size_t ParseChoice(const Node& node, const std::vector<std::string>& names,
                   const std::vector<std::string>& not_yet = {});

/// A known name; the error for an unknown one is "there is no WHAT …".
std::string ParseKnown(const Node& node, const char* what, const std::vector<std::string>& names);

/// Reads the keys of one mapping, then reports keys that were not read.
class MapReader {
 public:
  /// Throws a ScenarioError unless the node is a mapping.
  MapReader(const Node& node, Errors& errors);

  /// The value of a key, which then counts as known; nullptr if absent.
  const Node* Find(const std::string& key);
  /// Like Find, but the key does not become known.
  bool Has(const std::string& key) const { return node_.Find(key) != nullptr; }
  const Node& node() const { return node_; }
  Errors& errors() { return errors_; }

  /// Calls f(value) if the key is present; returns true in that case, whether or not f failed. A key without
  /// a value is an error.
  template <class F>
  bool Read(const std::string& key, F&& f) {
    const Node* value = Find(key);
    if (value) errors_.Guard([&] { value->IsNull() ? FailNoValue(key) : f(*value); });
    return value != nullptr;
  }

  /// Names required keys, or several keys of which one is required; Finish reports missing keys.
  void Need(std::initializer_list<const char*> keys);
  void NeedOneOf(const std::vector<std::string>& keys);
  /// Reports an error at each key, if present: its feature is not supported yet.
  void NotYet(std::initializer_list<const char*> keys);
  /// Reports keys that were not read; if there are none, reports missing keys. So a misspelt key is not also
  /// reported as missing.
  void Finish();
  /// Replaces Finish if the other keys could not be read: reports only missing keys.
  void FinishMissing();

 private:
  [[noreturn]] void FailNoValue(const std::string& key) const;

  const Node& node_;
  Errors& errors_;
  std::vector<std::string> known_;
  std::vector<std::vector<std::string>> needed_;  ///< one key of each group is needed
  std::set<std::string> not_yet_;
};

/// The error "X is not supported yet" at a position.
ScenarioError NotSupportedYet(const Position& where, const std::string& what,
                              const std::string& allowed = {});

}  // namespace headroom
