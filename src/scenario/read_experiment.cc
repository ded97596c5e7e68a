#include "scenario/read_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scenario/yaml/nearest.h"
#include "scenario/yaml/set_path.h"

namespace headroom {

namespace {

double ParseNumber(const Node& node) {
  double number = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [stop, error] = std::from_chars(node.text.data(), end, number);
  if (!node.IsScalar() || error != std::errc() || stop != end || !std::isfinite(number))
    throw ScenarioError(node.where, Describe(node) + " is not a number",
                        "the unit goes into the key \"unit\"");
  return number;
}

std::vector<Variation> ReadVary(const Node& node, const Node& scenario, Errors& errors) {
  constexpr size_t kMostPoints = 10'000, kMostKeys = 16;
  std::vector<Variation> vary;
  size_t points = 1;
  MapReader map(node, errors);
  if (node.entries.size() > kMostKeys) throw ScenarioError(node.where, "more than 16 keys to vary");
  for (const Entry& entry : node.entries) {
    errors.Guard([&] {
      Variation variation{entry.key, {}, {}};
      const auto& values = ParseList(entry.value);
      for (const Node& value : values) {
        std::string text = ToFlow(value);
        if (std::ranges::count(variation.values, text) > 0)
          throw ScenarioError(value.where, Quote(text) + " stands twice");
        variation.values.push_back(std::move(text));
      }
      for (const Node& value : values) {
        // YAML lets a name be given anew; here names tell values apart, also from those without one.
        const bool taken = std::ranges::count(variation.names, value.anchor) > 0 ||
                           std::ranges::count(variation.values, value.anchor) > 0;
        variation.names.push_back(taken ? "" : value.anchor);
      }
      if (variation.values.empty()) throw ScenarioError(entry.value.where, "the list is empty");
      Node copy = scenario;  // only to find out whether the path leads anywhere
      SetPath(copy, entry.key, entry.value.items.front(), entry.where);
      points *= variation.values.size();
      if (points > kMostPoints) throw ScenarioError(entry.where, "more than 10000 combinations to vary");
      vary.push_back(std::move(variation));
    });
  }
  return vary;
}

/// Reads expectations against what is varied.
class ExpectReader {
 public:
  ExpectReader(const std::vector<Variation>& vary, Errors& errors) : vary_(vary), errors_(errors) {}

  Expectation Read(const Node& node) const {
    Expectation e;
    e.file = node.where.file ? node.where.file->name : "";
    e.line = node.where.line;
    MapReader map(node, errors_);
    map.Need({"source"});
    map.Text("source", e.source);
    map.NeedOneOf({"metric", "ratio", "order"});
    if (static_cast<int>(map.Has("metric")) + map.Has("ratio") + map.Has("order") > 1)
      errors_.Add(ScenarioError(node.where, "\"metric\", \"ratio\" and \"order\" do not go together"));
    Point at;
    map.Read("at", [&](const Node& value) { at = ReadPoint(value); });
    map.Read("metric", [&](const Node& value) { e.what = MetricExpectation{ParseTexts(value), at}; });
    map.Read("ratio", [&](const Node& value) { e.what = ReadRatio(value, at); });
    map.Read("order", [&](const Node& value) { e.what = ReadOrder(value, at); });
    ReadKind(map, e);
    if (!map.Has("order")) ReadBounds(map, e);
    map.Read("misses", [&](const Node& value) {
      e.misses = ParseText(value);
      if (e.misses.empty()) throw ScenarioError(value.where, "\"misses\" is the cause, in words");
    });
    map.Finish();
    return e;
  }

 private:
  /// What is printed stands under `published`, all else under `value`. Without a kind, who gives a published
  /// value says that it is one.
  static void ReadKind(MapReader& map, Expectation& e) {
    e.kind = map.Has("published") ? FigureKind::published : FigureKind::ours;
    map.Choice<FigureKind>("kind", e.kind,
                           {{kFigureKinds[0], FigureKind::published},
                            {kFigureKinds[1], FigureKind::computed},
                            {kFigureKinds[2], FigureKind::calibrated},
                            {kFigureKinds[3], FigureKind::ours}});
    const bool printed = e.kind == FigureKind::published || e.kind == FigureKind::calibrated;
    const char* const key = printed ? "published" : "value";
    if (printed) map.Need({key});
    map.Text(key, e.value);
    const char* const other = printed ? "value" : "published";
    map.Read(other, [&](const Node& node) {
      throw ScenarioError(
          node.where, fmt::format("\"{}\" beside kind {}", other, kFigureKinds[static_cast<size_t>(e.kind)]),
          printed ? "what its source prints goes into the key \"published\""
                  : "what nobody printed goes into the key \"value\"");
    });
  }

  static void ReadBounds(MapReader& map, Expectation& e) {
    map.Read("min", [&](const Node& value) { e.min = ParseNumber(value); });
    map.Read("max", [&](const Node& value) { e.max = ParseNumber(value); });
    map.Read("within", [&](const Node& value) {
      if (e.min || e.max) throw ScenarioError(value.where, "\"within\" beside \"min\" or \"max\"");
      const std::vector<Node>& ends = ParseList(value);
      if (ends.size() != 2) throw ScenarioError(value.where, "\"within\" is [least, most]");
      e.min = ParseNumber(ends[0]);
      e.max = ParseNumber(ends[1]);
    });
    map.Text("unit", e.unit);
    map.Text("range", e.range);
    map.NeedOneOf({"min", "max", "within"});
    if (e.min && e.max && *e.min > *e.max)
      map.errors().Add(
          ScenarioError(map.node().where, fmt::format("nothing is within {} and {}", *e.min, *e.max)));
  }

  const Variation& Varied(const Entry& entry) const {
    std::vector<std::string> paths;
    for (const Variation& variation : vary_) {
      if (variation.path == entry.key) return variation;
      paths.push_back(variation.path);
    }
    throw ScenarioError(entry.where, Quote(entry.key, 200) + " is not varied", "", Nearest(entry.key, paths));
  }

  static std::string CheckedValue(const Variation& variation, const Node& value) {
    const std::string text = ToFlow(value);
    if (std::find(variation.values.begin(), variation.values.end(), text) == variation.values.end())
      throw ScenarioError(value.where,
                          fmt::format("{} is not a value of {}", Quote(text), Quote(variation.path, 200)),
                          "allowed: " + Join(variation.values));
    return text;
  }

  Point ReadPoint(const Node& node) const {
    if (!node.IsMap())
      throw ScenarioError(node.where, Describe(node) + " is not a mapping of varied keys to values");
    Point point;
    for (const Entry& entry : node.entries)
      point.emplace_back(entry.key, CheckedValue(Varied(entry), entry.value));
    return point;
  }

  MetricAt ReadTerm(const Node& node, const Point& at) const {
    if (node.IsList()) {  // [metric, {key: value}]
      if (node.items.size() != 2)
        throw ScenarioError(node.where, "a term is a metric or [metric, {key: value}]");
      return {ParseText(node.items[0]), With(at, ReadPoint(node.items[1]))};
    }
    return {ParseText(node), at};
  }

  static Point With(Point at, const Point& more) {
    at.insert(at.end(), more.begin(), more.end());
    return at;
  }

  /// [metric, at, at], [metric, metric], or terms of their own.
  RatioExpectation ReadRatio(const Node& node, const Point& at) const {
    const std::vector<Node>& items = ParseList(node);
    if (items.size() == 3 && items[1].IsMap() && items[2].IsMap()) {
      const std::string metric = ParseText(items[0]);
      return {{metric, With(at, ReadPoint(items[1]))}, {metric, With(at, ReadPoint(items[2]))}};
    }
    if (items.size() == 2) return {ReadTerm(items[0], at), ReadTerm(items[1], at)};
    throw ScenarioError(node.where, "a ratio is [metric, {key: value}, {key: value}] or [metric, metric]");
  }

  /// [metric, values of the varied key], [metric, [at, at, …]] or [term, term, …].
  OrderExpectation ReadOrder(const Node& node, const Point& at) const {
    const std::vector<Node>& items = ParseList(node);
    OrderExpectation order;
    const bool one_metric =
        items.size() == 2 && items[0].IsScalar() && items[1].IsList() && !items[1].items.empty() &&
        !(items[1].items[0].IsScalar() && items[1].items.size() == 2 && items[1].items[1].IsMap());
    if (one_metric) {
      const std::string metric = ParseText(items[0]);
      for (const Node& value : items[1].items)
        order.terms.push_back({metric, With(at, PointOfValue(value, at))});
    } else {
      for (const Node& item : items) order.terms.push_back(ReadTerm(item, at));
    }
    if (order.terms.size() < 2) throw ScenarioError(node.where, "an order of fewer than two");
    return order;
  }

  /// A value of the one varied key that `at` leaves open.
  Point PointOfValue(const Node& value, const Point& at) const {
    if (value.IsMap()) return ReadPoint(value);
    const Variation* open = nullptr;
    for (const Variation& variation : vary_) {
      const bool fixed =
          std::any_of(at.begin(), at.end(), [&](const auto& a) { return a.first == variation.path; });
      if (fixed) continue;
      if (open)
        throw ScenarioError(value.where, "several keys are varied",
                            "in an order of values \"at\" fixes all but one");
      open = &variation;
    }
    if (!open) throw ScenarioError(value.where, "no key is varied that this could be a value of");
    return {{open->path, CheckedValue(*open, value)}};
  }

  const std::vector<Variation>& vary_;
  Errors& errors_;
};

}  // namespace

Experiment ReadExperiment(MapReader& map, const Node& scenario) {
  Experiment experiment;
  map.Read("vary", [&](const Node& node) { experiment.vary = ReadVary(node, scenario, map.errors()); });
  map.Integer("seeds", experiment.seeds, 1, kMostSeeds);
  map.Read("expect", [&](const Node& node) {
    const ExpectReader reader(experiment.vary, map.errors());
    for (const Node& item : ParseList(node))
      map.errors().Guard([&] { experiment.expect.push_back(reader.Read(item)); });
  });
  return experiment;
}

}  // namespace headroom
