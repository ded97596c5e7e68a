// Metrics of a summary as text, with their interval if the summary is an aggregate.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "report/metric_path.h"
#include "report/statistics.h"
#include "report/text/text_table.h"

namespace headroom {

class MetricText {
 public:
  explicit MetricText(const nlohmann::ordered_json& summary) : index_(summary) {}

  bool SeveralSeeds() const { return index_.summary().contains("seeds"); }

  double Number(const std::string& path) const { return index_.Number(path).value_or(0); }

  /// "-" without a value; "≥" before a lower bound; " ±w" after it if the interval is known and not 0; " (n
  /// of N)" if only n of N seeds have the metric. With several seeds: the percentile over the messages of all
  /// seeds if there is one, else the mean.
  std::string Cell(const std::string& path) const {
    if (const auto* pooled = index_.Find("seeds.pooled." + path)) return PooledCell(*pooled);
    const auto value = index_.Number(path);
    if (!value) return "-";
    const size_t dot = path.rfind('.');
    const auto* censored = index_.Find(path.substr(0, dot) + ".censored." + path.substr(dot + 1));
    std::string text = (censored ? "≥" : "") + FormatReadable(*value);
    const auto width = index_.Number("seeds.metrics." + path + ".half_width_95");
    if (width) text += HalfText(*value, *width);
    const auto n = index_.Number("seeds.metrics." + path + ".n");
    if (n && *n < static_cast<double>(index_.summary()["seeds"]["list"].size()))
      text += fmt::format(" ({:.0f} of {})", *n, index_.summary()["seeds"]["list"].size());
    return text;
  }

 private:
  static std::string PooledCell(const nlohmann::ordered_json& entry) {
    const double value = entry.at("value").get<double>();
    const double half =
        std::max(entry.at("high").get<double>() - value, value - entry.at("low").get<double>());
    std::string text = (entry.contains("censored") ? "≥" : "") + FormatReadable(value);
    return text + HalfText(value, half);
  }
  /// Half the width of an interval.
  static std::string HalfText(double value, double half) {
    if (half == 0) return "";
    if (TellsNothing(value, half)) return " ±?";
    return " ±" + FormatGrouped(half, ReadableDecimals(value));
  }

  const MetricIndex index_;
};

}  // namespace headroom
