#include "scenario/experiment.h"

#include <algorithm>

namespace headroom {

std::vector<Point> Points(const Experiment& experiment) {
  std::vector<Point> points{{}};
  for (const Variation& variation : experiment.vary) {
    std::vector<Point> longer;
    for (const Point& point : points) {
      for (const std::string& value : variation.values) {
        longer.push_back(point);
        longer.back().emplace_back(variation.path, value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::vector<std::string> PointSets(const Point& point, unsigned long long seed) {
  std::vector<std::string> sets;
  for (const auto& [path, value] : point) sets.push_back(path + "=" + value);
  sets.push_back("seed=" + std::to_string(seed));
  return sets;
}

bool Agrees(const Point& point, const Point& part) {
  return std::all_of(part.begin(), part.end(), [&](const auto& fixed) {
    return std::find(point.begin(), point.end(), fixed) != point.end();
  });
}

}  // namespace headroom
