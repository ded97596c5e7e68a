#include "report/metric_path.h"

#include <algorithm>

#include "scenario/yaml/nearest.h"

namespace headroom {

using nlohmann::ordered_json;

static std::vector<std::string> SplitPath(const std::string& path) {
  std::vector<std::string> keys(1);
  for (const char c : path) {
    if (c == '.') {
      keys.emplace_back();
    } else {
      keys.back() += c;
    }
  }
  return keys;
}

const ordered_json* FindMetric(const ordered_json& summary, const std::string& path) {
  const ordered_json* at = &summary;
  for (const std::string& key : SplitPath(path)) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(key);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

static std::optional<double> NumberOf(const ordered_json* found) {
  if (!found || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::optional<double> FindNumber(const ordered_json& summary, const std::string& path) {
  return NumberOf(FindMetric(summary, path));
}

const ordered_json* MetricIndex::Find(const std::string& path) const {
  const ordered_json* at = &summary_;
  for (size_t begin = 0; begin <= path.size();) {
    if (!at->is_object()) return nullptr;
    const size_t end = std::min(path.find('.', begin), path.size());
    const auto [of, fresh] = members_.try_emplace(at);
    if (fresh) {
      for (const auto& [key, value] : at->get_ref<const ordered_json::object_t&>())
        of->second.emplace(key, &value);
    }
    const auto found = of->second.find(std::string_view(path).substr(begin, end - begin));
    if (found == of->second.end()) return nullptr;
    at = found->second;
    begin = end + 1;
  }
  return at;
}

std::optional<double> MetricIndex::Number(const std::string& path) const { return NumberOf(Find(path)); }

static void Collect(const ordered_json& node, const std::string& path,
                    std::vector<std::pair<std::string, ordered_json>>& out) {
  for (const auto& [key, value] : node.items()) {
    if (path.empty() && key == "seeds") continue;
    const std::string below = path.empty() ? key : path + '.' + key;
    if (value.is_object()) {
      Collect(value, below, out);
    } else if (!value.is_array()) {
      out.emplace_back(below, value);
    }
  }
}

std::vector<std::pair<std::string, ordered_json>> Leaves(const ordered_json& summary) {
  std::vector<std::pair<std::string, ordered_json>> out;
  Collect(summary, "", out);
  return out;
}

std::string NearestPath(const ordered_json& summary, const std::string& path) {
  std::vector<std::string> paths;
  for (const auto& [name, value] : Leaves(summary)) paths.push_back(name);
  if (const std::string near = Nearest(path, paths); !near.empty()) return near;
  // Otherwise the correct first keys stay, and the first wrong one is compared with its siblings.
  const ordered_json* at = &summary;
  std::string right;
  for (const std::string& key : SplitPath(path)) {
    if (!at->is_object()) break;
    const auto found = at->find(key);
    if (found == at->end()) {
      std::vector<std::string> siblings;
      for (const auto& [name, value] : at->items()) siblings.push_back(name);
      const std::string near = Nearest(key, siblings);
      return near.empty() ? near : '"' + right + near.substr(1);
    }
    right += key + '.';
    at = &*found;
  }
  return {};
}

}  // namespace headroom
