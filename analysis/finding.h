// What `check` finds wrong or remarkable in a scenario.
#pragma once

#include <string>
#include <vector>

namespace headroom {

struct Finding {
  enum class Severity {
    error,    ///< lossless traffic may be lost, or the run cannot start
    warning,  ///< it runs, but likely not as meant
    note      ///< worth knowing
  };
  Severity severity = Severity::note;
  std::string where;
  std::string what;    ///< with the numbers
  std::string change;  ///< what would help; empty: nothing needs to
};

using Findings = std::vector<Finding>;

}  // namespace headroom
