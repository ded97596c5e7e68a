// Collects the errors of one SONiC configuration.
#pragma once

#include <string>

#include "sim/finding.h"
#include "sonic/tables/value.h"

namespace headroom {

class SonicFindings {
 public:
  explicit SonicFindings(std::string file) : file_(std::move(file)) {}

  /// `what` and `change` contain no key if many rows probably have the same error: such errors are reported
  /// once.
  void Error(const SonicPlace& place, const std::string& what, const std::string& change);
  void Warning(const SonicPlace& place, const std::string& what, const std::string& change);
  void Note(const SonicPlace& place, const std::string& what, const std::string& change = {});

  /// Errors first. Findings that differ only in their key become one, with the first key and the number of
  /// other rows.
  Findings Merged() const;

 private:
  void Add(Finding::Severity severity, const SonicPlace& place, const std::string& what,
           const std::string& change);

  std::string file_;
  Findings findings_;
};

}  // namespace headroom
