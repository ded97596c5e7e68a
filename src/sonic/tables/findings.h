// Collects the errors of one SONiC configuration.
#pragma once

#include <optional>
#include <string>

#include "sim/finding.h"
#include "sonic/tables/value.h"

namespace headroom {

/// A new value of a field.
struct SonicFieldEdit {
  SonicPlace place;
  std::string value;
};

class SonicFindings {
 public:
  explicit SonicFindings(std::string file) : file_(std::move(file)) {}

  /// `what` and `allowed` contain no key if many rows probably have the same error: such errors are reported
  /// once.
  void Error(const SonicPlace& place, const std::string& what, const std::string& allowed);
  /// `edit`: probably removes the finding.
  void Warning(const SonicPlace& place, const std::string& what, std::optional<SonicFieldEdit> edit = {});
  void Note(const SonicPlace& place, const std::string& what, std::optional<SonicFieldEdit> edit = {});

  /// Errors first. Findings that differ only in their key become one, with the first key, the number of other
  /// rows, and the edits of all rows as one remedy: TABLE.KEY.FIELD=VALUE each.
  Findings Merged() const;

 private:
  Finding& Add(Finding::Severity severity, const SonicPlace& place, const std::string& what,
               const std::optional<SonicFieldEdit>& edit);

  std::string file_;
  Findings findings_;
};

}  // namespace headroom
