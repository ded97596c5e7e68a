#include "scenario/experiment.h"

#include <algorithm>

#include "scenario/yaml/set_path.h"

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

namespace {

/// For example "switches.0.ecn.storage.kmin" → "kmin", "nics.0" → "nics.0"; for several paths, the name of
/// the first.
std::string LastName(const std::string& paths) {
  const std::string path = PathsOf(paths).front();
  const size_t begin = path.rfind('.') + 1;
  const bool is_place = path.find_first_not_of("0123456789", begin) == std::string::npos;
  if (!is_place || begin < 2) return path.substr(begin);
  return LastName(path.substr(0, begin - 1)) + path.substr(begin - 1);
}

std::string NameOf(const std::string& path, const std::string& value, const std::vector<Variation>& vary) {
  for (const Variation& variation : vary) {
    if (variation.path != path) continue;
    const auto at =
        std::find(variation.values.begin(), variation.values.end(), value) - variation.values.begin();
    const auto i = static_cast<size_t>(at);
    if (i < variation.names.size() && !variation.names[i].empty()) return variation.names[i];
  }
  return value;
}

}  // namespace

std::string PointText(const Point& point, const std::vector<Variation>& vary, const char* between) {
  std::string text;
  for (const auto& [path, value] : point) {
    if (!text.empty()) text += between;
    text += LastName(path) + '=' + NameOf(path, value, vary);
  }
  return text;
}

bool Agrees(const Point& point, const Point& part) {
  return std::all_of(part.begin(), part.end(), [&](const auto& fixed) {
    return std::find(point.begin(), point.end(), fixed) != point.end();
  });
}

}  // namespace headroom
