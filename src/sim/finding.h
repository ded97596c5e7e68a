// A finding about a scenario or a switch's configuration, as `check` reports it.
#pragma once

#include <string>
#include <vector>

namespace headroom {

struct Finding {
  enum class Severity {
    error,    ///< lossless traffic may be lost, or the run cannot start
    warning,  ///< the scenario runs, but probably not as meant
    note      ///< worth knowing
  };
  Severity severity = Severity::note;
  std::string where;
  std::string what;    ///< the finding with its numbers
  std::string change;  ///< a remedy; empty if none is needed
  /// In a switch's configuration file: the place in the file that `where` names. Empty for other findings.
  std::string table = {}, key = {}, field = {};
  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

}  // namespace headroom
