#include "cli/check/remedies.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>
#include <vector>

namespace headroom {
namespace {

/// Severity, place, and text without numbers.
using Identity = std::tuple<Finding::Severity, std::string, std::string>;

/// The text with all numbers, and their units, as #.
std::string WithoutNumbers(const std::string& text) {
  static const std::regex numbers("[0-9][0-9.,]*( ?[kMGTmnµup]*(B|s|bps|b/s|m)\\b)?");
  return std::regex_replace(text, numbers, "#");
}

std::set<Identity> IdentitiesOf(const Finding& finding) {
  std::set<Identity> identities;
  const std::string what = WithoutNumbers(finding.what), separator = "; ";
  for (size_t begin = 0; begin <= finding.where.size();) {
    const size_t end = std::min(finding.where.find(separator, begin), finding.where.size());
    identities.emplace(finding.severity, finding.where.substr(begin, end - begin), what);
    begin = end + separator.size();
  }
  return identities;
}

std::set<Identity> IdentitiesOf(const Findings& findings) {
  std::set<Identity> all;
  for (const Finding& finding : findings) all.merge(IdentitiesOf(finding));
  return all;
}

/// Whether all findings after a change were there before, and none is one of `finding`.
bool Removes(const Finding& finding, const std::set<Identity>& before, const std::set<Identity>& after) {
  const std::set<Identity> gone = IdentitiesOf(finding);
  return std::ranges::all_of(
      after, [&](const Identity& identity) { return before.contains(identity) && !gone.contains(identity); });
}

}  // namespace

void KeepProven(Findings& findings, const std::function<Findings(const Remedy&)>& findings_with,
                size_t trials) {
  const std::set<Identity> before = IdentitiesOf(findings);
  std::map<Remedy, std::optional<std::set<Identity>>> tried;  // none: the settings are refused
  for (Finding& finding : findings) {
    std::vector<Remedy> proven;
    for (Remedy& remedy : finding.remedies) {
      const auto [trial, added] = tried.try_emplace(remedy);
      if (added && tried.size() > trials) break;
      if (added) {
        try {
          trial->second = IdentitiesOf(findings_with(remedy));
        } catch (const std::exception&) {
        }
      }
      if (!trial->second || !Removes(finding, before, *trial->second)) continue;
      proven.push_back(std::move(remedy));
      break;
    }
    finding.remedies = std::move(proven);
  }
}

size_t TrialsFor(size_t nodes, size_t points) {
  constexpr size_t kMost = 12, kNodesAndPoints = 2000;
  return std::min(kMost, kNodesAndPoints / std::max<size_t>(1, nodes * points));
}

std::string RemedyText(const Remedy& remedy) {
  constexpr const char* kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.=_-:/%+,";
  std::string text;
  for (const std::string& set : remedy) {
    const bool plain = set.find_first_not_of(kPlain) == std::string::npos;
    text += (text.empty() ? "--set " : " --set ") + (plain ? set : "'" + set + "'");
  }
  return text;
}

}  // namespace headroom
