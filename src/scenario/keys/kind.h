// Kinds of values: how each is read with its errors, written, and described.
//
// A function makes a kind, with arguments as in a table: Times(Nanoseconds(1), Seconds(10)), Fractions(),
// OneOf<Machine>({{"paper", Machine::paper}, …}), OrWord("never", kNever, Times()). A new kind consists of a
// Shape, a function that reads (a ScenarioError goes to the reader of keys) and one that writes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenario/keys/context.h"
#include "scenario/yaml/quantity.h"

namespace headroom::keys {

class Keys;

/// The allowed forms of a value.
struct Shape {
  std::string kind;                   ///< for example "time", "whole number", "mapping"
  std::string bounds;                 ///< for example "1us to 100s", "a, b or c"; empty if there are none
  std::string schema;                 ///< JSON Schema of the value
  std::vector<const Keys*> inside{};  ///< mappings that are allowed there
  std::string step{};  ///< step from the value to their keys, as in paths of --set; "*" in a list
};

/// A value of type F. If nothing is written, the key is left out.
template <class F>
struct KindOf {
  Shape shape;
  std::function<void(const Node&, F&, Reading&)> read;
  std::function<std::string(const F&, const Writing&)> write;
};

KindOf<Time> Times(Time least = Time(0), Time most = kLongestTime);
KindOf<Rate> Rates(Rate least = kLowestRate, Rate most = kHighestRate);
KindOf<Bytes> Sizes(Bytes least = Bytes(0), Bytes most = kLargestSize);
KindOf<bool> Flag();
KindOf<std::string> Text();
KindOf<std::string> Name();
/// Above 0 (with `zero`, from 0) to `most`.
KindOf<double> Fractions(double most = 1, bool zero = false);
/// Numbers without a unit.
KindOf<double> Numbers(double least, double most);
/// Clock rates in hertz.
KindOf<double> Clocks();
/// A text or a list of them, at least one.
KindOf<std::vector<std::string>> Texts();
/// As in vendors' files and SONiC's: whole numbers of a unit.
KindOf<Time> Counts(Time unit, int64_t least, int64_t most);
KindOf<Rate> Counts(Rate unit, int64_t least, int64_t most);
KindOf<Bytes> Counts(Bytes unit, int64_t least, int64_t most);

Shape ShapeOfIntegers(int64_t least, int64_t most);
Shape ShapeOfChoice(const std::vector<std::string>& names);
Shape ShapeOrWord(const char* word, Shape shape);
Shape ShapeOfList(Shape items, size_t least, std::string step = "*");

/// Whole numbers of the field's type.
struct Integers {
  int64_t least, most;
  template <std::integral F>
  operator KindOf<F>() const {  // NOLINT: a field of a table
    return {ShapeOfIntegers(least, most),
            [least = least, most = most](const Node& node, F& out, Reading&) {
              out = static_cast<F>(ParseInteger(node, least, most));
            },
            [](const F& value, const Writing&) { return std::to_string(value); }};
  }
};

/// Names for the values of an enumeration, or of a flag.
template <class E>
KindOf<E> OneOf(std::vector<std::pair<const char*, E>> choices,
                const std::vector<std::string>& not_yet = {}) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.push_back(choice.first);
  return {ShapeOfChoice(names),
          [choices, names, not_yet](const Node& node, E& out, Reading&) {
            out = choices[ParseChoice(node, names, not_yet)].second;
          },
          [choices](const E& value, const Writing&) {
            for (const auto& choice : choices)
              if (choice.second == value) return std::string(choice.first);
            return std::string();
          }};
}

/// A value that may be left out, and is then not written.
template <class F>
KindOf<std::optional<F>> Maybe(KindOf<F> kind) {
  return {kind.shape,
          [kind](const Node& node, std::optional<F>& out, Reading& reading) {
            F value{};
            kind.read(node, value, reading);
            out = std::move(value);
          },
          [kind](const std::optional<F>& value, const Writing& writing) {
            return value ? kind.write(*value, writing) : std::string();
          }};
}

/// A word that represents one value.
template <class F>
KindOf<F> OrWord(const char* word, std::type_identity_t<F> meaning, KindOf<F> kind) {
  return {ShapeOrWord(word, kind.shape),
          [word, meaning, kind](const Node& node, F& out, Reading& reading) {
            if (node.IsScalar() && node.text == word) {
              out = meaning;
            } else {
              kind.read(node, out, reading);
            }
          },
          [word, meaning, kind](const F& value, const Writing& writing) {
            return value == meaning ? std::string(word) : kind.write(value, writing);
          }};
}

/// Items of one kind.
template <class F>
KindOf<std::vector<F>> ListOf(KindOf<F> kind) {
  return {ShapeOfList(kind.shape, 1),
          [kind](const Node& node, std::vector<F>& out, Reading& reading) {
            out.clear();
            for (const Node& item : ParseList(node)) kind.read(item, out.emplace_back(), reading);
            if (out.empty()) throw ScenarioError(node.where, "the list is empty");
          },
          [kind](const std::vector<F>& values, const Writing& writing) {
            std::string text;
            for (const F& value : values) (text += text.empty() ? "" : ", ") += kind.write(value, writing);
            return '[' + text + ']';
          }};
}

}  // namespace headroom::keys
