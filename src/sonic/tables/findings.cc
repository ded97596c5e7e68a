#include "sonic/tables/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace headroom {

std::string ToString(const SonicPlace& place) {
  std::string text = place.table;
  if (!place.key.empty()) text += '|' + place.key;
  if (!place.field.empty()) text += ", field " + place.field;
  return text;
}

static std::string StepOf(const std::string& name) {
  return name.find('.') == std::string::npos ? name : '"' + name + '"';
}

Finding& SonicFindings::Add(Finding::Severity severity, const SonicPlace& place, const std::string& what,
                            const std::optional<SonicFieldEdit>& edit) {
  Finding finding;
  finding.severity = severity;
  finding.where = place.table.empty() ? file_ : file_ + ": " + ToString(place);
  finding.what = what;
  finding.table = place.table;
  finding.key = place.key;
  finding.field = place.field;
  if (edit) {
    const SonicPlace& at = edit->place;
    finding.remedies = {
        Remedy{fmt::format("{}.{}.{}={}", at.table, StepOf(at.key), StepOf(at.field), edit->value)}};
  }
  return findings_.emplace_back(std::move(finding));
}

void SonicFindings::Error(const SonicPlace& place, const std::string& what, const std::string& allowed) {
  Add(Finding::Severity::error, place, what, {}).allowed = allowed;
}

void SonicFindings::Warning(const SonicPlace& place, const std::string& what,
                            std::optional<SonicFieldEdit> edit) {
  Add(Finding::Severity::warning, place, what, edit);
}

void SonicFindings::Note(const SonicPlace& place, const std::string& what,
                         std::optional<SonicFieldEdit> edit) {
  Add(Finding::Severity::note, place, what, edit);
}

Findings SonicFindings::Merged() const {
  using Same = std::tuple<Finding::Severity, std::string, std::string, std::string, std::string>;
  std::map<Same, size_t> first;  ///< index in `merged` of the first finding of each kind
  std::map<size_t, size_t> more;
  Findings merged;
  for (const Finding& f : findings_) {
    // In that table a port is a field.
    const std::string field = f.table == "CABLE_LENGTH" ? "" : f.field;
    const auto [known, is_new] =
        first.emplace(Same(f.severity, f.table, field, f.what, f.allowed), merged.size());
    if (is_new) {
      merged.push_back(f);
      continue;
    }
    ++more[known->second];
    std::vector<Remedy>& remedies = merged[known->second].remedies;
    if (!remedies.empty() && !f.remedies.empty()) {
      Remedy& all = remedies.front();
      for (const std::string& edit : f.remedies.front())
        if (std::ranges::find(all, edit) == all.end()) all.push_back(edit);
    }
  }
  for (const auto& [index, rows] : more)
    merged[index].what += fmt::format(" (and {} more such {})", rows, rows == 1 ? "row" : "rows");
  std::ranges::stable_sort(merged, {}, &Finding::severity);
  return merged;
}

}  // namespace headroom
