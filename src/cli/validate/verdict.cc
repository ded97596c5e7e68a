#include "cli/validate/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/mean_at.h"

namespace headroom {

namespace {

std::string Labelled(const std::string& metric, const Point& point, const std::vector<Variation>& vary) {
  return point.empty() ? metric : metric + ", " + PointText(point, vary);
}

std::string WithUnit(std::string text, const std::string& unit) {
  return unit.empty() || unit == "1" ? text : text + ' ' + unit;
}

std::string AllowedText(const Expectation& e, const std::string& unit) {
  if (e.min && e.max) return WithUnit(fmt::format("{:g} … {:g}", *e.min, *e.max), unit);
  return WithUnit(e.min ? fmt::format("≥ {:g}", *e.min) : fmt::format("≤ {:g}", e.max.value_or(0)), unit);
}

/// Judges one expectation.
class Judgement {
 public:
  Judgement(const Expectation& e, const std::vector<Variation>& vary, const std::vector<Point>& points,
            const std::vector<RunOutcome>& runs, std::vector<JudgedExpectation>& out)
      : e_(e), vary_(vary), points_(points), runs_(runs), out_(out) {}

  void operator()(const MetricExpectation& what) {
    for (const std::string& metric : what.metrics) {
      const std::string unit = e_.unit.empty() ? UnitOf(metric) : e_.unit;
      for (const Point& point : Agreeing(what.at)) {
        const MeanValue m = MeanAt(runs_, metric, point, e_.unit);
        JudgedExpectation& v = New(Labelled(metric, point, vary_), AllowedText(e_, unit));
        if (!m.mean) {
          v.problem = m.problem;
          continue;
        }
        const std::string width = m.half_width ? fmt::format(" ±{:.2g}", *m.half_width) : "";
        v.simulated = WithUnit(fmt::format("{}{:.5g}{}", m.censored ? "≥" : "", *m.mean, width), unit);
        Bound(v, *m.mean, m.censored);
      }
    }
  }

  void operator()(const RatioExpectation& what) {
    for (const std::vector<MetricAt>& pair : Together({what.numerator, what.denominator})) {
      const auto& [top, bottom] = std::tie(pair[0], pair[1]);
      const std::string of =
          top.metric == bottom.metric
              ? fmt::format("{}: {} over {}", top.metric, PointText(top.at, vary_),
                            PointText(bottom.at, vary_))
              : Labelled(top.metric, top.at, vary_) + " over " + Labelled(bottom.metric, bottom.at, vary_);
      JudgedExpectation& v = New(of, AllowedText(e_, ""));
      const MeanValue x = MeanAt(runs_, top.metric, top.at, e_.unit);
      const MeanValue y = MeanAt(runs_, bottom.metric, bottom.at, e_.unit);
      if (!x.mean || !y.mean) {
        v.problem = x.mean ? y.problem : x.problem;
      } else if (*y.mean == 0) {
        v.problem = Labelled(bottom.metric, bottom.at, vary_) + ": is 0, so there is no ratio";
      } else {
        v.simulated = fmt::format("{:.5g}", *x.mean / *y.mean);
        // If the numerator is a lower bound, so is the ratio. If the denominator is one, nothing can be said.
        Bound(v, *x.mean / *y.mean, x.censored);
        if (y.censored)
          Fail(v, Labelled(bottom.metric, bottom.at, vary_) + ": depends on unfinished messages");
      }
    }
  }

  void operator()(const OrderExpectation& what) {
    for (const std::vector<MetricAt>& terms : Together(what.terms)) {
      JudgedExpectation& v = New(OrderLabel(terms), "increasing");
      std::optional<double> before;
      std::string shown;
      bool passed = true;
      for (const MetricAt& term : terms) {
        const MeanValue m = MeanAt(runs_, term.metric, term.at, e_.unit);
        if (!m.mean) {
          Fail(v, m.problem);
          break;
        }
        // Only the last term may be a lower bound: the order also holds for a greater value.
        if (m.censored && &term != &terms.back()) {
          Fail(v, Labelled(term.metric, term.at, vary_) + ": depends on unfinished messages");
        }
        const bool rises = !before || *before < *m.mean;
        passed &= rises;
        shown += (before ? rises ? " < " : " ≮ " : "") + fmt::format("{:.4g}", *m.mean);
        before = m.mean;
      }
      v.simulated = shown.empty() ? "-" : shown;
      v.passed = passed && v.problem.empty();
    }
  }

 private:
  JudgedExpectation& New(std::string metric, std::string allowed) {
    JudgedExpectation v;
    v.metric = std::move(metric);
    v.allowed = std::move(allowed);
    v.kind = e_.kind;
    v.value = e_.value.empty() ? "-" : e_.value;
    v.range = e_.range;
    v.misses = e_.misses;
    v.simulated = "-";
    v.source = e_.source;
    v.file = e_.file;
    v.line = e_.line;
    return out_.emplace_back(std::move(v));
  }

  static void Fail(JudgedExpectation& v, std::string problem) {
    v.passed = false;
    v.problem = std::move(problem);
  }

  void Bound(JudgedExpectation& v, double value, bool censored) const {
    v.passed = (!e_.min || value >= *e_.min) && (!e_.max || value <= *e_.max);
    if (v.passed && censored && e_.max) {
      Fail(v, v.metric + ": depends on unfinished messages, so it may be above the bound");
    }
  }

  std::vector<Point> Agreeing(const Point& part) const {
    std::vector<Point> agreeing;
    std::copy_if(points_.begin(), points_.end(), std::back_inserter(agreeing),
                 [&](const Point& p) { return Agrees(p, part); });
    return agreeing;
  }

  /// The terms at full points, once for each choice of the values that they leave open. Terms that leave the
  /// same keys open get the same values. A term that leaves none open is the same in each choice.
  std::vector<std::vector<MetricAt>> Together(const std::vector<MetricAt>& terms) {
    std::vector<std::vector<Point>> of_term;
    size_t count = 1;
    for (const MetricAt& term : terms) {
      of_term.push_back(Agreeing(term.at));
      count = std::max(count, of_term.back().size());
    }
    std::vector<std::vector<MetricAt>> out;
    for (size_t i = 0; i < count; ++i) {
      std::vector<MetricAt>& chosen = out.emplace_back();
      for (size_t t = 0; t < terms.size(); ++t) {
        const std::vector<Point>& points = of_term[t];
        if (points.size() != 1 && points.size() != count) {
          Fail(New(Labelled(terms[t].metric, terms[t].at, vary_), "-"),
               terms[t].metric + ": the terms leave different keys open; give all of them in every term");
          return {};
        }
        chosen.push_back({terms[t].metric, points[points.size() == 1 ? 0 : i]});
      }
    }
    return out;
  }

  std::string OrderLabel(const std::vector<MetricAt>& terms) const {
    const bool one_metric = std::all_of(terms.begin(), terms.end(),
                                        [&](const MetricAt& t) { return t.metric == terms.front().metric; });
    std::string label = one_metric ? terms.front().metric + ": " : "";
    for (const MetricAt& term : terms) {
      if (&term != &terms.front()) label += " < ";
      label += one_metric ? PointText(term.at, vary_) : Labelled(term.metric, term.at, vary_);
    }
    return label;
  }

  const Expectation& e_;
  const std::vector<Variation>& vary_;
  const std::vector<Point>& points_;
  const std::vector<RunOutcome>& runs_;
  std::vector<JudgedExpectation>& out_;
};

}  // namespace

std::vector<JudgedExpectation> Judge(const Experiment& experiment, const std::vector<RunOutcome>& runs) {
  std::vector<JudgedExpectation> out;
  const std::vector<Point> points = Points(experiment);
  for (const Expectation& e : experiment.expect)
    std::visit(Judgement(e, experiment.vary, points, runs, out), e.what);
  for (JudgedExpectation& v : out) {
    if (v.misses.empty() || !v.problem.empty()) continue;
    if (v.passed) v.problem = v.metric + ": holds, but is marked as a miss; remove \"misses\"";
    v.passed = !v.passed;
  }
  return out;
}

}  // namespace headroom
