// Collects what is wrong in one SONiC configuration.
#pragma once

#include <string>

#include "sim/finding.h"
#include "sonic/tables/value.h"

namespace headroom {

class SonicFindings {
 public:
  explicit SonicFindings(std::string file) : file_(std::move(file)) {}

  /// `what` and `change` name no key if many rows probably have the same fault: such faults are reported
  /// once.
  void Error(const SonicPlace& place, const std::string& what, const std::string& change);
  void Warning(const SonicPlace& place, const std::string& what, const std::string& change);
  void Note(const SonicPlace& place, const std::string& what, const std::string& change = {});

  /// Errors first. Findings that differ in their key alone are one, with the first key and how many rows
  /// more.
  Findings Merged() const;

 private:
  void Add(Finding::Severity severity, const SonicPlace& place, const std::string& what,
           const std::string& change);

  std::string file_;
  Findings findings_;
};

}  // namespace headroom
