#include "cli/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "cli/compare/change_intervals.h"
#include "cli/compare/largest_changes.h"
#include "cli/compare/profile_settings.h"
#include "cli/compare/same_entries.h"
#include "cli/compare/setting_changes.h"
#include "cli/compare/sonic_settings.h"
#include "report/pooled.h"
#include "report/result.h"
#include "report/result_scenario.h"
#include "report/statistics.h"
#include "report/text/metric_text.h"
#include "report/text/text_table.h"
#include "report/verdict.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// The cost and the names of a run always differ, so they are not compared. `censored` shows in the value's
/// own text.
bool IsCompared(const std::string& path) {
  static const std::set<std::string> names = {"scenario", "seed", "version", "digest"};
  return !path.starts_with("run.") && !names.contains(path) && path.find(".censored.") == std::string::npos;
}

std::string TextOf(const ordered_json& summary, const std::string& path) {
  const ordered_json* value = FindMetric(summary, path);
  if (!value || value->is_null()) return "-";
  if (value->is_string()) return value->get<std::string>();
  if (value->is_boolean()) return value->get<bool>() ? "true" : "false";
  return MetricText(summary).Cell(path);
}

std::vector<std::string> PathsOfBoth(const ordered_json& a, const ordered_json& b) {
  std::vector<std::string> paths;
  std::set<std::string> known;
  for (const ordered_json* summary : {&a, &b}) {
    for (const auto& [path, unused] : Leaves(*summary)) {
      if (IsCompared(path) && known.insert(path).second) paths.push_back(path);
    }
  }
  return paths;
}

}  // namespace

bool MetricChange::Beyond(double tolerance_percent) const {
  return !noise && (!percent || std::abs(*percent) > tolerance_percent);
}

namespace {

/// A remark on a change that is uncertain or too small to matter; else empty.
std::string VerdictText(const MetricChange& c, double resolution) {
  if (c.Matters()) return "";
  return *c.verdict == Verdict::none ? NoDifferenceText(resolution) : UndecidedText(c.more_seeds);
}

}  // namespace

std::vector<MetricChange> Changes(const ComparedResult& of_a, const ComparedResult& of_b,
                                  const CompareOptions& options, size_t& equal) {
  const ordered_json &a = of_a.summary, &b = of_b.summary;
  std::vector<MetricChange> changes;
  equal = 0;
  const auto asked = [&](const std::string& path) {
    return options.metrics.empty() || std::ranges::find(options.metrics, path) != options.metrics.end();
  };
  for (const std::string& path : PathsOfBoth(a, b)) {
    if (!asked(path)) continue;
    const ordered_json* in_a = FindMetric(a, path);
    const ordered_json* in_b = FindMetric(b, path);
    const ordered_json none;
    if ((in_a ? *in_a : none) == (in_b ? *in_b : none)) {
      ++equal;
      continue;
    }
    MetricChange change;
    change.path = path;
    change.a = TextOf(a, path);
    change.b = TextOf(b, path);
    const auto x = FindNumber(a, path), y = FindNumber(b, path);
    change.size = std::abs(y.value_or(0) - x.value_or(0));
    if (x && y) {
      const std::optional<Effect> effect = EffectOf(of_a, of_b, path);
      if (effect) {
        change.percent = 100 * effect->Change();
        change.ends_percent = {100 * effect->Low(), 100 * effect->High()};
        change.noise = effect->Low() <= 0 && 0 <= effect->High();
        change.verdict = VerdictOf(*effect, options.resolution);
        const size_t seeds = SeedsInPairs(of_a, of_b);
        if (*change.verdict == Verdict::undecided && seeds > 1)
          if (const auto decides = SeedsToDecide(*effect, seeds, options.resolution))
            change.more_seeds = *decides - seeds;
      } else {
        if (*x != 0) change.percent = (*y - *x) / std::abs(*x) * 100;
        change.noise = IsWithinInterval(of_a, of_b, path, *y - *x);
        if (change.noise) change.verdict = Verdict::undecided;
      }
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

namespace {

/// Changes that one line represents, and the subject of that line.
struct Family {
  std::string name;     ///< the common name of their paths; a path without a family has its own
  const char* of = "";  ///< the subject in the plural
  bool same_unit =
      false;  ///< all members are µs of one time: the line reports the largest by size, not by share
};

/// Names a family: buffer.<switch>.<metric> becomes buffer.*.<metric>. All cores form one family; so do the
/// parts of a time at one percentile, and the waits there at all places.
Family FamilyOf(const std::string& path) {
  if (path.starts_with("cores.")) return {"cores.*", "cores"};
  if (path.starts_with("buffer.")) return {"buffer.*" + path.substr(path.rfind('.')), "switches"};
  for (const auto& [key, of] : {std::pair(".parts_us.p", "parts"),
                                {".parts_at_us.p", "parts"},
                                {".waits_us.p", "waits"},
                                {".waits_at_us.p", "waits"}}) {
    const size_t at = path.find(key);
    if (at == std::string::npos) continue;
    const size_t percentile = at + std::string_view(key).size() - 1;
    const std::string_view rest = std::string_view(path).substr(percentile);
    const size_t digits = rest.find_first_not_of("0123456789", 1);
    if (digits > 1 && digits < rest.size() && rest[digits] == '.')
      return {path.substr(0, percentile + digits) + ".*", of, true};
  }
  return {path};
}

/// The change that represents a family.
struct Largest {
  MetricChange change;
  Family family;
  size_t members = 0, beyond = 0;  ///< `beyond`: members beyond the tolerance
};

/// A region has hundreds of switches, cores and queues. For each of their metrics, the largest change
/// represents all changes.
std::vector<Largest> LargestOfFamilies(const std::vector<MetricChange>& changes, double tolerance) {
  std::vector<Largest> out;
  std::map<std::string, size_t> place;
  for (const MetricChange& c : changes) {
    const Family family = FamilyOf(c.path);
    if (family.same_unit && c.path.ends_with(".towards")) continue;  // the node at the end of the link
    const auto [at, is_new] = place.try_emplace(family.name, out.size());
    if (is_new) out.push_back({c, family});
    Largest& largest = out[at->second];
    ++largest.members;
    largest.beyond += c.Beyond(tolerance);
    const auto size = [&](const MetricChange& of) {
      return family.same_unit ? of.size : of.percent ? std::abs(*of.percent) : HUGE_VAL;
    };
    if (size(c) > size(largest.change)) largest.change = c;
  }
  return out;
}

/// The slowdown of a message is its completion time over a constant, and its delivery ends shortly before its
/// completion. If one of them changed as the completion time did, one line reports both.
bool RepeatsCompletion(const MetricChange& c, const std::vector<MetricChange>& all) {
  if (!c.path.starts_with("messages.") || !c.percent) return false;
  const size_t statistic = c.path.rfind('.');
  const size_t name = c.path.rfind('.', statistic - 1);
  const std::string told = c.path.substr(name, statistic - name);
  if (told != ".slowdown" && told != ".delivery_us") return false;
  const std::string other = c.path.substr(0, name) + ".completion_us" + c.path.substr(statistic);
  return std::any_of(all.begin(), all.end(), [&](const MetricChange& o) {
    return o.path == other && o.percent && std::abs(*o.percent - *c.percent) < 0.05 && o.noise == c.noise;
  });
}

/// operations.W.all.x adds nothing if all operations are reads, or all are writes.
bool RepeatsKind(const MetricChange& c, const std::vector<MetricChange>& all) {
  const size_t at = c.path.find(".all.");
  if (!c.path.starts_with("operations.") || at == std::string::npos) return false;
  return std::any_of(all.begin(), all.end(), [&](const MetricChange& o) {
    return o.a == c.a && o.b == c.b && o.noise == c.noise &&
           (o.path == c.path.substr(0, at) + ".read." + c.path.substr(at + 5) ||
            o.path == c.path.substr(0, at) + ".write." + c.path.substr(at + 5));
  });
}

/// pfc.by_tier.TIER.x and pfc.by_priority.P.x add nothing if one tier or priority caused the entire change.
bool RepeatsTotal(const MetricChange& c, const std::vector<MetricChange>& all) {
  if (!c.path.starts_with("pfc.by_")) return false;
  const std::string total = "pfc" + c.path.substr(c.path.rfind('.'));
  return std::any_of(all.begin(), all.end(),
                     [&](const MetricChange& o) { return o.path == total && o.a == c.a && o.b == c.b; });
}

int DecimalsOf(double percent) {
  const double size = std::abs(percent);
  return size < 10 ? 2 : size < 1000 ? 1 : 0;
}

std::string ChangeText(const MetricChange& c) {
  if (!c.percent) return "";
  if (c.ends_percent) {
    const auto [low, high] = *c.ends_percent;
    const auto [near, far] = std::minmax({high - *c.percent, *c.percent - low});
    const int decimals = DecimalsOf(std::max(std::abs(*c.percent), far));
    if (c.noise && TellsNothing(100, far))
      return fmt::format("{:+.{}f} % ±?", *c.percent, DecimalsOf(*c.percent));
    // If one side of the interval is much longer than the other, "±" would cover changes that the interval
    // excludes.
    if (far > 2 * near || (low * high > 0 && far >= 0.95 * std::abs(*c.percent)))
      return fmt::format("{:+.{}f} % ({:+.{}f} to {:+.{}f})", *c.percent, decimals, low, decimals, high,
                         decimals);
    return fmt::format("{:+.{}f} % ±{:.{}f}", *c.percent, decimals, far, decimals);
  }
  if (std::abs(*c.percent) < 0.01) return *c.percent < 0 ? "> -0.01 %" : "< +0.01 %";
  return fmt::format("{:+.{}f} %", *c.percent, DecimalsOf(*c.percent));
}

ComparedResult ReadCompared(const std::filesystem::path& dir) {
  ComparedResult result{ReadSummary(dir), {}};
  if (!result.summary.contains("seeds")) return result;
  std::vector<std::filesystem::path> missing;
  for (const auto& seed : result.summary["seeds"]["list"]) {
    const auto at = dir / ("seed-" + seed.dump());
    if (std::filesystem::exists(at / "summary.json")) {
      result.by_seed.emplace(seed.get<uint64_t>(), ReadSummary(at));
    } else {
      missing.push_back(at / "summary.json");
    }
  }
  // A summary alone is compared by its means and intervals. A result that lacks some seeds is damaged.
  if (!missing.empty() && !result.by_seed.empty()) {
    throw ResultError(fmt::format("{} is missing, but {} lists its seed; run the scenario again with --force",
                                  missing[0].string(), (dir / "summary.json").string()));
  }
  return result;
}

/// Whether the result has the metric; a percentile by size is added to it.
bool AddMetric(ComparedResult& result, const std::filesystem::path& dir, const std::string& metric) {
  if (FindNumber(result.summary, metric)) return true;
  std::vector<SeedResult> seeds;
  if (result.IsOneRun()) seeds.push_back({result.summary, dir});
  for (const auto& [seed, summary] : result.by_seed)
    seeds.push_back({summary, dir / fmt::format("seed-{}", seed)});
  return !seeds.empty() && AddBySize(result.summary, seeds, metric);
}

/// The reason why a resolved scenario may differ from the run. Empty if it does not differ, or if its files
/// are gone.
std::string WhyNotAsRun(const Node& root) {
  const Node* switches = root.Find("switches");
  const auto has_configuration = [](const Node& entry) {
    const Node* buffer = entry.Find("buffer");
    return buffer && buffer->Find("sonic");
  };
  if (!switches || std::ranges::none_of(switches->items, has_configuration)) return "";
  try {
    ReadScenarioOfResult(std::filesystem::path(root.where.file->name).parent_path());
  } catch (const ResultError& error) {
    return error.what();
  } catch (const ScenarioError&) {
  }
  return "";
}

/// The settings in which the results differ, including unintended ones; none, with the reason, if that is
/// unknown.
std::optional<std::vector<SettingChange>> ChangedSettings(const std::filesystem::path& a,
                                                          const std::filesystem::path& b, std::string& why) {
  std::optional<Node> in_a = ReadResolved(a), in_b = ReadResolved(b);
  if (!in_a || !in_b) {
    why = Visible((in_a ? b : a).string()) + " has no resolved.yaml";
    return std::nullopt;
  }
  for (const Node* root : {&*in_a, &*in_b}) {
    why = WhyNotAsRun(*root);
    if (!why.empty()) return std::nullopt;
  }
  GiveSameEntries(*in_a, *in_b);
  SpellOutSonic(*in_a, *in_b);
  SpellOutProfiles(*in_a, *in_b);
  return SettingChanges(*in_a, *in_b);
}

std::string SettingsText(const std::filesystem::path& a, const std::filesystem::path& b) {
  constexpr size_t kMostLines = 30;
  std::string why;
  const auto changes = ChangedSettings(a, b, why);
  if (!changes) return fmt::format("settings are not compared: {}\n", why);
  if (changes->empty()) return "all settings are equal\n";
  TextTable table("lrr", {"setting", "A", "B"});
  for (size_t i = 0; i < std::min(changes->size(), kMostLines); ++i)
    table.AddRow({(*changes)[i].path, Shorten((*changes)[i].a, 30), Shorten((*changes)[i].b, 30)});
  std::string text = table.ToString();
  if (changes->size() > kMostLines) {
    text += fmt::format("and {} more settings that differ, of {} in all\n", changes->size() - kMostLines,
                        changes->size());
  }
  return text;
}

/// The value of a metric: of percentiles, over the messages of all seeds if there are several.
ordered_json ValueJson(const ordered_json& summary, const std::string& path) {
  if (const ordered_json* pooled = FindMetric(summary, "seeds.pooled." + path)) return pooled->at("value");
  const ordered_json* found = FindMetric(summary, path);
  return found ? *found : ordered_json();
}

ordered_json ChangeJson(const MetricChange& c, const ordered_json& a, const ordered_json& b) {
  const auto ends = c.ends_percent;
  return {{"metric", c.path},
          {"a", ValueJson(a, c.path)},
          {"b", ValueJson(b, c.path)},
          {"change_percent", c.percent ? ordered_json(*c.percent) : ordered_json()},
          {"low_percent", ends ? ordered_json(ends->first) : ordered_json()},
          {"high_percent", ends ? ordered_json(ends->second) : ordered_json()},
          {"within_interval", c.noise},
          {"verdict", c.verdict ? ordered_json(VerdictName(*c.verdict)) : ordered_json()}};
}

/// The changes to see first; empty if there are few changes anyway.
std::string LargestText(const std::vector<MetricChange>& changes, const CompareOptions& options) {
  constexpr size_t kMost = 5;
  if (changes.size() <= kMost || !options.metrics.empty()) return "";
  TextTable table("lrrr", {"what changed most", "A", "B", "change"});
  for (const MetricChange& c : LargestChanges(changes, options.resolution, kMost))
    table.AddRow({Shorten(c.path, 44), c.a, c.b, ChangeText(c)});
  return table.Empty() ? "" : table.ToString() + '\n';
}

std::string NameOf(const std::filesystem::path& dir, const ordered_json& summary) {
  if (summary.contains("seeds")) {
    const ordered_json& seeds = summary["seeds"];
    const std::string of = seeds.contains("planned") ? " of " + seeds["planned"].dump() : "";
    return fmt::format("{} ({}, {}{} seeds)", Visible(dir.string()), summary.value("scenario", ""),
                       seeds["list"].size(), of);
  }
  return fmt::format("{} ({}, seed {})", Visible(dir.string()), summary.value("scenario", ""),
                     summary["seed"].dump());
}

/// Both results and their changes.
struct Compared {
  const std::filesystem::path &dir_a, &dir_b;
  ComparedResult a, b;
  std::vector<MetricChange> changes{};
  size_t equal = 0;
};

Compared ReadBoth(const std::filesystem::path& a, const std::filesystem::path& b,
                  const CompareOptions& options) {
  Compared both{a, b, ReadCompared(a), ReadCompared(b)};
  for (const std::string& metric : options.metrics) {
    const bool found_a = AddMetric(both.a, a, metric), found_b = AddMetric(both.b, b, metric);
    if (found_a || found_b) continue;
    const std::string near = NearestPath(both.a.summary, metric);
    throw ResultError(fmt::format("{}: neither result has this metric{}", metric,
                                  near.empty() ? "" : "; did you mean " + near + "?"));
  }
  KeepPooledOfBoth(both.a, both.b);
  both.changes = Changes(both.a, both.b, options, both.equal);
  return both;
}

std::string JsonOf(const Compared& of) {
  std::string why;
  const auto settings = ChangedSettings(of.dir_a, of.dir_b, why);
  ordered_json json = {{"settings", nullptr}, {"why_no_settings", why}, {"equal", of.equal}};
  if (settings) json["settings"] = ordered_json::array();
  for (const SettingChange& s : settings.value_or(std::vector<SettingChange>{}))
    json["settings"].push_back({{"setting", s.path}, {"a", s.a}, {"b", s.b}});
  json["changes"] = ordered_json::array();
  for (const MetricChange& c : of.changes)
    json["changes"].push_back(ChangeJson(c, of.a.summary, of.b.summary));
  return json.dump(1) + '\n';
}

/// The table of all changes, with the explanation of its intervals.
std::string ChangesText(const Compared& of, const CompareOptions& options, double tolerance) {
  TextTable table("lrrrl", {"metric", "A", "B", "change", ""});
  bool repeats = false;
  for (const auto& [c, family, members, beyond] : LargestOfFamilies(of.changes, tolerance)) {
    if (RepeatsTotal(c, of.changes) || RepeatsKind(c, of.changes)) continue;
    if (RepeatsCompletion(c, of.changes)) {
      repeats = true;
      continue;
    }
    std::string note =
        options.tolerance_percent && c.Beyond(tolerance) ? "beyond" : VerdictText(c, options.resolution);
    if (members > 1) {
      note += fmt::format("{}most of {} {}", note.empty() ? "" : ", ", members, family.of);
      if (options.tolerance_percent && beyond > 0) note += fmt::format(", {} beyond", beyond);
    }
    table.AddRow({Shorten(c.path, family.same_unit ? 64 : 44), c.a, c.b, ChangeText(c), note});
  }
  std::string text;
  if (!table.Empty()) {
    text = table.ToString();
    const bool tells_nothing = text.find("±?") != std::string::npos;
    text += IntervalsText(of.a, of.b);
    if (tells_nothing) text += "±?: the interval is wider than the value; give more seeds\n";
    text += '\n';
  }
  if (repeats)
    text +=
        "not listed: slowdowns and delivery times that changed by the same share as the completion "
        "times\n";
  return text;
}

}  // namespace

int Compare(const std::filesystem::path& a, const std::filesystem::path& b, const CompareOptions& options,
            std::ostream& whole) {
  const Compared both = ReadBoth(a, b, options);
  const double tolerance = options.tolerance_percent.value_or(0);
  const auto beyond = std::ranges::count_if(both.changes, [&](auto& c) { return c.Beyond(tolerance); });
  const int code = options.tolerance_percent && beyond > 0 ? 1 : 0;
  if (options.json) {
    whole << JsonOf(both);
    return code;
  }
  std::ostringstream out;  // prints no results if one of the two proves damaged
  out << "A  " << NameOf(a, both.a.summary) << "\nB  " << NameOf(b, both.b.summary) << "\n\n";
  out << LargestText(both.changes, options) << SettingsText(a, b) << '\n';
  out << ChangesText(both, options, tolerance);
  out << fmt::format("{} metrics changed, {} are equal", both.changes.size(), both.equal);
  if (options.tolerance_percent) out << fmt::format("; {} changed by more than {:g} %", beyond, tolerance);
  out << '\n';
  const MetricText speed_a(both.a.summary), speed_b(both.b.summary);
  out << fmt::format("speed of the simulator: A {:.2f}, B {:.2f} M packet-hops per CPU second\n",
                     speed_a.Number("run.packet_hops_per_cpu_s") / 1e6,
                     speed_b.Number("run.packet_hops_per_cpu_s") / 1e6);
  whole << out.view();
  return code;
}

}  // namespace headroom
