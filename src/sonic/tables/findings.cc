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

void SonicFindings::Add(Finding::Severity severity, const SonicPlace& place, const std::string& what,
                        const std::string& change) {
  Finding finding;
  finding.severity = severity;
  finding.where = place.table.empty() ? file_ : file_ + ": " + ToString(place);
  finding.what = what;
  finding.change = change;
  finding.table = place.table;
  finding.key = place.key;
  finding.field = place.field;
  findings_.push_back(finding);
}

void SonicFindings::Error(const SonicPlace& place, const std::string& what, const std::string& change) {
  Add(Finding::Severity::error, place, what, change);
}

void SonicFindings::Warning(const SonicPlace& place, const std::string& what, const std::string& change) {
  Add(Finding::Severity::warning, place, what, change);
}

void SonicFindings::Note(const SonicPlace& place, const std::string& what, const std::string& change) {
  Add(Finding::Severity::note, place, what, change);
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
        first.emplace(Same(f.severity, f.table, field, f.what, f.change), merged.size());
    if (is_new) {
      merged.push_back(f);
    } else {
      ++more[known->second];
    }
  }
  for (const auto& [index, rows] : more)
    merged[index].what += fmt::format(" (and {} more such {})", rows, rows == 1 ? "row" : "rows");
  std::ranges::stable_sort(merged, {}, &Finding::severity);
  return merged;
}

}  // namespace headroom
