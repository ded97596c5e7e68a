// `vary:`, `seeds:` and `expect:`.
#include "scenario/keys/sections/experiment_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scenario/yaml/nearest.h"
#include "scenario/yaml/set_path.h"

namespace headroom::keys {

namespace {

constexpr const char* kExpectPage = "expectations.md";
using Variations = std::vector<Variation>;

double ParseNumber(const Node& node) {
  double number = 0;
  const char* const end = node.text.data() + node.text.size();
  const auto [stop, error] = std::from_chars(node.text.data(), end, number);
  if (!node.IsScalar() || error != std::errc() || stop != end || !std::isfinite(number))
    throw ScenarioError(node.where, Describe(node) + " is not a number",
                        "give a number, and its unit by the key \"unit\"");
  return number;
}

Variations ReadVary(const Node& node, const Node& scenario, Errors& errors) {
  constexpr size_t kMostPoints = 10'000, kMostKeys = 16;
  Variations vary;
  size_t points = 1;
  MapReader map(node, errors);
  if (node.entries.size() > kMostKeys) throw ScenarioError(node.where, "more than 16 keys to vary");
  for (const Entry& entry : node.entries) {
    errors.Guard([&] {
      const std::vector<std::string> paths = PathsOf(entry.key);
      for (const std::string& path : paths) {
        if (path == "seed" || path == "seeds")
          throw ScenarioError(entry.where, Quote(path) + " cannot be varied",
                              "give the number of seeds for each point by seeds: 2, outside vary");
        if (std::ranges::count(paths, path) > 1)
          throw ScenarioError(entry.where, Quote(path, 200) + " appears twice");
      }
      Variation variation{entry.key, {}, {}};
      const auto& values = ParseList(entry.value);
      points *= std::max<size_t>(values.size(), 1);  // precedes the comparison of values
      if (points > kMostPoints) throw ScenarioError(entry.where, "more than 10000 combinations to vary");
      for (const Node& value : values) {
        std::string text = ToFlow(value);
        if (std::ranges::count(variation.values, text) > 0)
          throw ScenarioError(value.where, Quote(text) + " appears twice");
        variation.values.push_back(std::move(text));
      }
      for (const Node& value : values) {
        // YAML permits a repeated name. Here names distinguish values, also from those without a name.
        const bool taken = std::ranges::count(variation.names, value.anchor) > 0 ||
                           std::ranges::count(variation.values, value.anchor) > 0;
        variation.names.push_back(taken ? "" : value.anchor);
      }
      if (variation.values.empty()) throw ScenarioError(entry.value.where, "the list is empty");
      for (const Node& value : values) {  // only to find out whether the path exists
        Node copy = scenario;
        SetPath(copy, entry.key, value, paths.size() == 1 ? entry.where : value.where);
        if (paths.size() == 1)
          break;  // for keys that change together, each value is a list of the right length
      }
      vary.push_back(std::move(variation));
    });
  }
  return vary;
}

const Variation& Varied(const Entry& entry, const Variations& vary) {
  std::vector<std::string> paths;
  for (const Variation& variation : vary) {
    if (variation.path == entry.key) return variation;
    paths.push_back(variation.path);
  }
  throw ScenarioError(entry.where, Quote(entry.key, 200) + " is not varied", "", Nearest(entry.key, paths));
}

std::string CheckedValue(const Variation& variation, const Node& value) {
  const std::string text = ToFlow(value);
  if (std::find(variation.values.begin(), variation.values.end(), text) == variation.values.end())
    throw ScenarioError(value.where,
                        fmt::format("{} is not a value of {}", Quote(text), Quote(variation.path, 200)),
                        "allowed: " + Join(variation.values));
  return text;
}

Point With(Point at, const Point& more) {
  at.insert(at.end(), more.begin(), more.end());
  return at;
}

Point ReadPoint(const Node& node, const Variations& vary) {
  if (!node.IsMap()) throw ScenarioError(node.where, Describe(node) + " does not map varied keys to values");
  Point point;
  for (const Entry& entry : node.entries)
    point.emplace_back(entry.key, CheckedValue(Varied(entry, vary), entry.value));
  return point;
}

MetricAt ReadTerm(const Node& node, const Point& at, const Variations& vary) {
  if (node.IsList()) {  // For example [metric, {key: value}].
    if (node.items.size() != 2)
      throw ScenarioError(node.where, "give each term as a metric or [metric, {key: value}]");
    return {ParseText(node.items[0]), With(at, ReadPoint(node.items[1], vary))};
  }
  return {ParseText(node), at};
}

/// [metric, at, at], [metric, metric], or separate terms.
RatioExpectation ReadRatio(const Node& node, const Point& at, const Variations& vary) {
  const std::vector<Node>& items = ParseList(node);
  if (items.size() == 3 && items[1].IsMap() && items[2].IsMap()) {
    const std::string metric = ParseText(items[0]);
    return {{metric, With(at, ReadPoint(items[1], vary))}, {metric, With(at, ReadPoint(items[2], vary))}};
  }
  if (items.size() == 2) return {ReadTerm(items[0], at, vary), ReadTerm(items[1], at, vary)};
  throw ScenarioError(node.where, "give a ratio as [metric, {key: value}, {key: value}] or [metric, metric]");
}

/// A value of the one varied key that `at` leaves open.
Point PointOfValue(const Node& value, const Point& at, const Variations& vary) {
  if (value.IsMap()) return ReadPoint(value, vary);
  const Variation* open = nullptr;
  for (const Variation& variation : vary) {
    const bool fixed =
        std::any_of(at.begin(), at.end(), [&](const auto& a) { return a.first == variation.path; });
    if (fixed) continue;
    if (open)
      throw ScenarioError(value.where, "several keys are varied",
                          "for an order of values, fix all other keys by \"at\"");
    open = &variation;
  }
  if (!open) throw ScenarioError(value.where, "no key under vary has this value");
  return {{open->path, CheckedValue(*open, value)}};
}

/// [metric, values of the varied key], [metric, [at, at, …]] or [term, term, …].
OrderExpectation ReadOrder(const Node& node, const Point& at, const Variations& vary) {
  const std::vector<Node>& items = ParseList(node);
  OrderExpectation order;
  const bool one_metric =
      items.size() == 2 && items[0].IsScalar() && items[1].IsList() && !items[1].items.empty() &&
      !(items[1].items[0].IsScalar() && items[1].items.size() == 2 && items[1].items[1].IsMap());
  if (one_metric) {
    const std::string metric = ParseText(items[0]);
    for (const Node& value : items[1].items)
      order.terms.push_back({metric, With(at, PointOfValue(value, at, vary))});
  } else {
    for (const Node& item : items) order.terms.push_back(ReadTerm(item, at, vary));
  }
  if (order.terms.size() < 2) throw ScenarioError(node.where, "give at least two terms");
  return order;
}

/// An expectation, and the point of its metrics.
struct Expected {
  Expectation e;
  Point at;
};

/// Numbers with their unit in a separate key.
KindOf<std::optional<double>> Number() {
  return {{"number", "", R"({"$ref": "#/definitions/number"})"},
          [](const Node& node, std::optional<double>& out, Reading&) { out = ParseNumber(node); },
          {}};
}

/// REQUIRES: min and max are known.
KindOf<Expectation> Within() {
  return {{"list", "[least, most]",
           R"({"type": "array", "minItems": 2, "maxItems": 2, "items": {"$ref": "#/definitions/number"}})"},
          [](const Node& node, Expectation& e, Reading&) {
            if (e.min || e.max) throw ScenarioError(node.where, "\"within\" excludes \"min\" and \"max\"");
            const std::vector<Node>& ends = ParseList(node);
            if (ends.size() != 2) throw ScenarioError(node.where, "give \"within\" as [least, most]");
            e.min = ParseNumber(ends[0]);
            e.max = ParseNumber(ends[1]);
          },
          {}};
}

KindOf<Expected> At() {
  return {{"mapping", "varied keys, each with its value", R"({"type": "object"})"},
          [](const Node& node, Expected& x, Reading& reading) { x.at = ReadPoint(node, *reading.vary); },
          {}};
}

KindOf<Expected> Metric() {
  return {{"texts", "", Texts().shape.schema},
          [](const Node& node, Expected& x, Reading&) {
            x.e.what = MetricExpectation{ParseTexts(node), x.at};
          },
          {}};
}

KindOf<Expected> Ratio() {
  return {{"list", "[metric, {key: value}, {key: value}] or [metric, metric]",
           R"({"type": "array", "minItems": 2, "maxItems": 3})"},
          [](const Node& node, Expected& x, Reading& reading) {
            x.e.what = ReadRatio(node, x.at, *reading.vary);
          },
          {}};
}

KindOf<Expected> Order() {
  return {
      {"list", "[metric, [value, value, …]] or [metric, metric, …]", R"({"type": "array", "minItems": 2})"},
      [](const Node& node, Expected& x, Reading& reading) {
        x.e.what = ReadOrder(node, x.at, *reading.vary);
      },
      {}};
}

KindOf<std::string> Cause() {
  return {Text().shape,
          [](const Node& node, std::string& out, Reading&) {
            out = ParseText(node);
            if (out.empty()) throw ScenarioError(node.where, "give the cause by \"misses\", in words");
          },
          {}};
}

/// A figure as it will be shown.
KindOf<std::string> Figure() { return {{"text", "", R"({"type": ["string", "number"]})"}, Text().read, {}}; }

/// A printed figure is in `published`, every other figure in `value`. If `published` is given without a kind,
/// the kind is published.
void CheckFigure(const Node& node, Expectation& e) {
  if (!node.Find("kind") && node.Find("published")) e.kind = FigureKind::published;
  const bool printed = e.kind == FigureKind::published || e.kind == FigureKind::calibrated;
  const char* const other = printed ? "value" : "published";
  if (const Node* wrong = node.Find(other))
    throw ScenarioError(
        wrong->where,
        fmt::format("\"{}\" is not allowed with kind {}", other, kFigureKinds[static_cast<size_t>(e.kind)]),
        printed ? "give the printed value by the key \"published\""
                : "give the unprinted value by the key \"value\"");
}

void CheckBounds(const Node& node, const Expectation& e, const Reading& reading) {
  const std::vector<std::string> bounds{"min", "max", "within", "unit", "range"};
  const bool order = node.Find("order") != nullptr;
  bool any = false;
  for (const Entry& entry : node.entries) {
    const bool bound = std::ranges::find(bounds, entry.key) != bounds.end();
    if (order && bound)
      throw ScenarioError(entry.where, fmt::format("{} beside \"order\"", Quote(entry.key)),
                          "`order` cannot be combined with min, max or within");
    any |= bound && entry.key != "unit" && entry.key != "range";
  }
  if (!order && !any && !reading.errors.Any())
    throw ScenarioError(node.where, "a key is missing", "give one of min, max, within");
  if (e.min && e.max && *e.min > *e.max)
    throw ScenarioError(node.where, fmt::format("no value is between {} and {}", *e.min, *e.max));
}

void CheckExpectation(const Node& node, Expected& x, Reading& reading) {
  reading.errors.Guard([&] { CheckFigure(node, x.e); });
  reading.errors.Guard([&] { CheckBounds(node, x.e, reading); });
}

const KeysOf<Expected>& ExpectationKeys() {
  using X = Expected;
  using E = Expectation;
  std::vector<std::pair<const char*, FigureKind>> kinds;
  for (size_t i = 0; i < kFigureKinds.size(); ++i)
    kinds.emplace_back(kFigureKinds[i], static_cast<FigureKind>(i));
  static const KeysOf<X> keys(
      {.name = "expectation", .page = kExpectPage, .one_of = {{"metric", "ratio", "order"}}},
      {{"source", &X::e, &E::source, Text(), "source of the expected number", {.required = true}},
       {"at",
        At(),
        "point of vary; the expectation holds for all values of keys that are left out",
        {.standard = "none"}},
       {"metric", Metric(),
        "path in summary.json, or path of a series: rates.HOST.QP.at(TIME), queues.NODE.PORT.QUEUE.p95, "
        "ports.NODE.PORT.PRIORITY.COLUMN; or a list of paths"},
       {"ratio", Ratio(), "value of the first term divided by the value of the second"},
       {"order", Order(), "terms whose values ascend strictly"},
       {"kind",
        &X::e,
        &E::kind,
        OneOf<FigureKind>(kinds),
        "where the number comes from. published: the source prints it; computed: it follows from rules "
        "that the source prints; calibrated: printed, and a parameter of the model was derived from it; "
        "ours: our own bound",
        {.standard = "published if the key published is given, else ours"}},
       {"published", &X::e, &E::value, Figure(),
        "kinds published and calibrated: the printed value, to "
        "be shown"},
       {"value", &X::e, &E::value, Figure(), "kinds computed and ours: the expected value, to be shown"},
       {"min", &X::e, &E::min, Number(), "inclusive"},
       {"max", &X::e, &E::max, Number(), "inclusive"},
       {"within", &X::e, Within(), "lower and upper bound, inclusive"},
       {"unit", &X::e, &E::unit, Text(), "unit of min, max and within", {.standard = "the metric's own"}},
       {"range", &X::e, &E::range, Text(), "reason for the bounds min, max or within"},
       {"misses", &X::e, &E::misses, Cause(),
        "cause of a known miss: the expectation counts as a miss as long as it does not hold, and fails "
        "once it holds"}},
      CheckExpectation);
  return keys;
}

}  // namespace

KindOf<std::vector<Variation>> Vary() {
  return {
      {"lists by path", "up to 16 keys, or groups of keys that change together",
       R"({"type": "object", "maxProperties": 16, "additionalProperties": {"type": "array", "minItems": 1}})"},
      [](const Node& node, Variations& out, Reading& reading) {
        out = ReadVary(node, *reading.document, reading.errors);
      },
      {}};
}

KindOf<std::vector<Expectation>> Expectations() {
  return {{"list",
           "",
           R"({"type": "array", "items": {"$ref": "#/definitions/expectation"}})",
           {&ExpectationKeys()},
           "*"},
          [](const Node& node, std::vector<Expectation>& out, Reading& reading) {
            for (const Node& item : ParseList(node)) {
              reading.errors.Guard([&] {
                Expected x;
                x.e.file = item.where.file ? item.where.file->name : "";
                x.e.line = item.where.line;
                ExpectationKeys().Read(item, &x, reading);
                out.push_back(std::move(x.e));
              });
            }
          },
          {}};
}

}  // namespace headroom::keys
