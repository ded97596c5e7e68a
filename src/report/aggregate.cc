#include "report/aggregate.h"

#include <algorithm>
#include <array>
#include <string>

#include "report/statistics.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// A place in all summaries, and its combined value.
struct Combined {
  ordered_json value;
  ordered_json interval;  ///< null if there are no numbers
};

/// The worst of several status names.
std::string WorstStatus(const std::vector<const ordered_json*>& values) {
  const std::vector<std::string> from_best = {"complete", "deadline", "deadlock", "interrupted"};
  const auto badness = [&](const ordered_json* v) {
    return std::find(from_best.begin(), from_best.end(), v->get<std::string>()) - from_best.begin();
  };
  return **std::max_element(values.begin(), values.end(),
                            [&](auto* a, auto* b) { return badness(a) < badness(b); });
}

Combined CombineNumbers(const std::vector<const ordered_json*>& values) {
  std::vector<double> numbers;
  for (const ordered_json* v : values) {
    if (v->is_number()) numbers.push_back(v->get<double>());
  }
  if (numbers.empty()) return {};
  const MeanInterval m = IntervalOfMean(numbers);
  ordered_json interval;
  interval["mean"] = m.mean;
  interval["half_width_95"] = m.half_width ? ordered_json(*m.half_width) : ordered_json();
  interval["n"] = m.n;
  return {m.mean, interval};
}

/// Whether a number is a maximum: the mean of maxima over seeds would hide the worst.
bool IsPeak(const std::string& key) {
  return (key.starts_with("peak_") && key != "peak_rss_mb") || key == "closest_to_xoff";
}

ordered_json LargestOf(const std::vector<const ordered_json*>& values) {
  ordered_json largest;
  for (const ordered_json* v : values) {
    if (v->is_number() && (largest.is_null() || v->get<double>() > largest.get<double>()))
      largest = v->get<double>();
  }
  return largest;
}

Combined Combine(const std::string& key, const std::vector<const ordered_json*>& values) {
  const auto any = [&](auto is) { return std::any_of(values.begin(), values.end(), is); };
  if (any([](auto* v) { return v->is_object(); })) {
    // Every key that any run has, in the order of first appearance.
    Combined out{ordered_json::object(), ordered_json::object()};
    for (const ordered_json* v : values) {
      for (const auto& [name, unused] : v->items()) {
        if (out.value.contains(name)) continue;
        std::vector<const ordered_json*> below;
        for (const ordered_json* other : values) {
          if (other->is_object() && other->contains(name)) below.push_back(&(*other)[name]);
        }
        Combined one = Combine(name, below);
        out.value[name] = std::move(one.value);
        out.interval[name] = std::move(one.interval);
      }
    }
    return out;
  }
  if (any([](auto* v) { return v->is_boolean(); })) {
    const bool all = !any([](auto* v) { return v->is_boolean() && !v->template get<bool>(); });
    return {all, nullptr};
  }
  if (key == "status") return {WorstStatus(values), nullptr};
  if (any([](auto* v) { return v->is_string(); })) return {*values.front(), nullptr};
  return IsPeak(key) ? Combined{LargestOf(values), nullptr} : CombineNumbers(values);
}

/// Roots of pauses are combined if only their numbers differ; a run that does not name a root has a share of
/// zero.
ordered_json RootsOf(const std::vector<ordered_json>& summaries) {
  auto roots = ordered_json::array();
  double all = 0;
  for (const ordered_json& s : summaries) {
    for (const ordered_json& root : s["pfc"]["roots"]) {
      const auto same = [&](const ordered_json& r) {
        return std::ranges::all_of(std::array{"node", "port", "queue", "kind", "workload"},
                                   [&](const char* key) { return r[key] == root[key]; });
      };
      auto at = std::find_if(roots.begin(), roots.end(), same);
      if (at == roots.end()) {
        roots.push_back(root);
        roots.back()["paused_us"] = 0.0;
        at = roots.end() - 1;
      }
      (*at)["paused_us"] = (*at)["paused_us"].get<double>() + root["paused_us"].get<double>();
      all += root["paused_us"].get<double>();
    }
    all += s["pfc"]["other_roots"]["paused_us"].get<double>();
  }
  for (ordered_json& root : roots) {
    const double us = root["paused_us"].get<double>();
    root["paused_us"] = us / static_cast<double>(summaries.size());
    root["share"] = us / all;
  }
  std::stable_sort(roots.begin(), roots.end(), [](const ordered_json& a, const ordered_json& b) {
    return a["paused_us"].get<double>() > b["paused_us"].get<double>();
  });
  return roots;
}

/// The resources that were full with some seed: means over these seeds, and their number.
ordered_json FullOf(const std::vector<ordered_json>& summaries) {
  auto all = ordered_json::array();
  for (const ordered_json& s : summaries) {
    for (const ordered_json& one : s.value("full", ordered_json::array())) {
      auto at = std::ranges::find_if(all, [&](const ordered_json& r) {
        return r["workload"] == one["workload"] && r["resource"] == one["resource"];
      });
      if (at == all.end()) {
        all.push_back(one);
        all.back()["seeds"] = 1;
        continue;
      }
      const int seeds = (*at)["seeds"].get<int>();
      (*at)["share"] = ((*at)["share"].get<double>() * seeds + one["share"].get<double>()) / (seeds + 1);
      (*at)["places"] = std::max((*at)["places"].get<int>(), one["places"].get<int>());
      (*at)["seeds"] = seeds + 1;
    }
  }
  return all;
}

/// Removes values without an interval: strings, booleans, and objects that contain only such values.
void Prune(ordered_json& intervals) {
  for (const char* key : {"scenario", "seed", "status", "version", "digest"}) intervals.erase(key);
  if (intervals.contains("conservation")) intervals["conservation"].erase("ok");
  if (intervals.contains("histories")) intervals["histories"].erase("ok");
  if (intervals.contains("operations")) {
    for (auto& workload : intervals["operations"]) {
      for (auto& kind : workload) {
        if (kind.contains("latency_us")) kind["latency_us"].erase("censored");
      }
    }
  }
  if (!intervals.contains("messages")) return;
  for (auto& workload : intervals["messages"]) {
    for (const char* key : {"completion_us", "delivery_us", "slowdown"}) {
      if (workload.contains(key)) workload[key].erase("censored");
    }
  }
}

}  // namespace

ordered_json Aggregate(const std::vector<ordered_json>& summaries, size_t planned) {
  std::vector<const ordered_json*> values;
  auto seeds = ordered_json::array();
  for (const ordered_json& s : summaries) {
    values.push_back(&s);
    seeds.push_back(s.at("seed"));
  }
  Combined all = Combine("", values);
  all.value["seed"] = summaries.front()["seed"];
  const auto has_roots = [](const ordered_json& s) {
    return s.contains("pfc") && s["pfc"].contains("roots");
  };
  if (std::all_of(summaries.begin(), summaries.end(), has_roots)) {
    all.value["pfc"]["roots"] = RootsOf(summaries);
    all.interval["pfc"].erase("roots");
  }
  if (all.value.contains("full")) {
    all.value["full"] = FullOf(summaries);
    all.interval.erase("full");
  }
  Prune(all.interval);
  ordered_json& of = all.value["seeds"] = {{"list", std::move(seeds)}};
  if (planned > summaries.size()) {
    of["planned"] = planned;
    all.value["status"] = "interrupted";
  }
  of["metrics"] = std::move(all.interval);
  return all.value;
}

}  // namespace headroom
