// A finding about a scenario or a switch's configuration, as `check` reports it.
#pragma once

#include <string>
#include <vector>

namespace headroom {

/// Changes that are made together, each KEY=VALUE as `--set` takes it.
using Remedy = std::vector<std::string>;

struct Finding {
  enum class Severity {
    error,    ///< lossless traffic may be lost, or the run cannot start
    warning,  ///< the scenario runs, but probably not as meant
    note      ///< worth knowing
  };
  Severity severity = Severity::note;
  std::string where;
  std::string what;  ///< the finding with its numbers
  /// Candidates, the best first: each alone probably removes the finding. `check` tries them and prints the
  /// first that removes the finding and adds no other; no text says anything about remedies besides.
  std::vector<Remedy> remedies = {};
  /// In a switch's configuration file: the place in the file that `where` names. Empty for other findings.
  std::string table = {}, key = {}, field = {};
  /// For an error in such a file: what is allowed there, or how to mend it, for the end of the message.
  std::string allowed = {};
  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

}  // namespace headroom
