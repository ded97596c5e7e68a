#include "cli/compare/compare_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "report/pooled.h"
#include "report/result.h"
#include "report/statistics.h"
#include "report/verdict.h"

namespace headroom {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kForm =
    "give a JSON list of requests {\"metric\": PATH, \"from\": RUNS, \"to\": RUNS}, with RUNS as {\"SEED\": "
    "{\"value\": NUMBER, \"dir\": FOLDER}}";

/// What was read for earlier requests.
struct Store {
  std::map<std::filesystem::path, SeedResult> runs;
  ReadValues values;
};

/// The runs of one setting, by seed.
struct Runs {
  std::string metric;
  Store& store;
  std::map<uint64_t, std::optional<double>> values;
  std::map<uint64_t, std::filesystem::path> dirs;

  /// The percentile over the messages of these seeds; null without one.
  Json Pooled(const std::vector<uint64_t>& seeds) const {
    std::vector<SeedResult> runs;
    for (const uint64_t seed : seeds) {
      const auto dir = dirs.find(seed);
      if (dir == dirs.end() || !std::filesystem::exists(dir->second / "summary.json")) return nullptr;
      auto known = store.runs.find(dir->second);
      if (known == store.runs.end())
        known = store.runs.emplace(dir->second, SeedResult{ReadSummary(dir->second), dir->second}).first;
      runs.push_back(known->second);
    }
    return PooledPercentile(runs, metric, store.values);
  }
  /// A percentile by size is in no summary.
  std::optional<double> Value(uint64_t seed) const {
    if (const auto& known = values.at(seed)) return known;
    const Json entry = Pooled({seed});
    return entry.is_object() && entry.contains("value") ? std::optional(entry["value"].get<double>())
                                                        : std::nullopt;
  }
};

Runs RunsOf(const Json& request, const char* side, Store& store) {
  Runs runs{request.at("metric").get<std::string>(), store, {}, {}};
  for (const auto& [text, run] : request.at(side).items()) {
    const uint64_t seed = std::stoull(text);
    if (const Json& value = run.at("value"); value.is_null()) {
      runs.values[seed] = std::nullopt;
    } else {
      runs.values[seed] = value.get<double>();
    }
    if (const Json& dir = run.at("dir"); !dir.is_null()) runs.dirs[seed] = dir.get<std::string>();
  }
  return runs;
}

Json ValueJson(const Runs& runs) {
  std::vector<uint64_t> seeds;
  for (const auto& [seed, unused] : runs.values) seeds.push_back(seed);
  const Json entry = seeds.empty() ? Json() : runs.Pooled(seeds);
  if (!entry.is_object() || (entry.empty() && seeds.size() > 1)) return nullptr;
  Json out = {{"mean", nullptr},
              {"half_width_95", nullptr},
              {"n", seeds.size()},
              {"censored", entry.contains("censored")}};
  if (!entry.empty()) out["mean"] = entry["value"];
  if (entry.contains("high"))
    out["half_width_95"] = entry["high"].get<double>() - entry["value"].get<double>();
  return out;
}

Json ChangeJson(const Json& request, const Runs& from, const Runs& to) {
  const bool of_pairs = request.value("pairs", false);
  const double error = request.value("error", kError) / (of_pairs ? 2 : 1),
               resolution = request.value("resolution", kResolution);
  std::vector<uint64_t> seeds;
  for (const auto& [seed, unused] : from.values)
    if (to.values.contains(seed)) seeds.push_back(seed);
  const Json before = seeds.size() > 1 ? from.Pooled(seeds) : Json();
  const Json after = before.is_object() && !before.empty() ? to.Pooled(seeds) : Json();
  const bool pooled = after.is_object() && !after.empty();
  size_t count = seeds.size();
  Effect effect;
  std::vector<std::pair<double, double>> pairs;
  for (const uint64_t seed : pooled && !of_pairs ? std::vector<uint64_t>() : seeds) {
    const auto x = from.Value(seed), y = to.Value(seed);
    if (x && y) pairs.emplace_back(*x, *y);
  }
  if (pooled) {
    effect = PooledChange(before, after, true, error);
  } else {
    if (pairs.empty()) return nullptr;
    count = pairs.size();
    effect = EffectOfPairs(pairs, error);
  }
  Json out = {{"change", effect.Change()}, {"low", nullptr},
              {"high", nullptr},           {"seeds", count},
              {"verdict", nullptr},        {"seeds_to_decide", nullptr},
              {"pooled", nullptr}};
  if (pooled) out["pooled"] = {before["value"], after["value"]};
  if (count < 2) return out;
  const Verdict verdict = VerdictOf(effect, resolution);
  out["low"] = effect.Low();
  out["high"] = effect.High();
  out["verdict"] = VerdictName(verdict);
  if (const auto median =
          of_pairs && verdict == Verdict::undecided ? MedianOfPairs(pairs, error) : std::nullopt;
      median && median->low * median->high > 0) {
    out["change"] = median->change;
    out["low"] = median->low;
    out["high"] = median->high;
    out["verdict"] = VerdictName(median->high < 0 ? Verdict::lower : Verdict::higher);
    return out;
  }
  const auto counts = request.value("counts", std::vector<size_t>{});
  if (verdict == Verdict::undecided && (!counts.empty() || !request.contains("counts"))) {
    const auto found = SeedsToDecide(effect, count, resolution, error, counts);
    if (found) out["seeds_to_decide"] = *found;
  }
  return out;
}

}  // namespace

Json ComparePoints(const Json& requests) {
  Json answers = Json::array();
  try {
    if (!requests.is_array()) throw std::invalid_argument("they are not a list");
    Store store;
    for (const Json& request : requests) {
      if (request.is_object() && request.contains("degrees")) {
        answers.push_back(StudentT(request["degrees"].get<size_t>(), request.value("error", kError)));
        continue;
      }
      const Runs to = RunsOf(request, "to", store);
      answers.push_back(request.contains("from") ? ChangeJson(request, RunsOf(request, "from", store), to)
                                                 : ValueJson(to));
    }
  } catch (const std::logic_error& error) {  // of a number, or of this function
    throw std::invalid_argument(fmt::format("--points: {}; {}", error.what(), kForm));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(fmt::format("--points: {}; {}", error.what(), kForm));
  }
  return answers;
}

}  // namespace headroom
