// Converts the text of a config_db.json to a SonicConfig, with all its errors.
#pragma once

#include <stdexcept>
#include <string>

#include "sim/finding.h"
#include "sonic/tables/config.h"
#include "sonic/tables/lookup.h"

namespace headroom {

/// The text is not a configuration: it is not JSON, or JSON of another structure. what() is `FILE:LINE:COL:
/// what is wrong; what to do`.
class SonicSyntaxError : public std::runtime_error {
 public:
  SonicSyntaxError(const std::string& file, int line, int column, const std::string& what);
  int line() const { return line_; }
  int column() const { return column_; }
  const std::string& reason() const { return reason_; }  ///< what() without the position

 private:
  int line_, column_;
  std::string reason_;
};

struct SonicFile {
  SonicConfig config;
  /// Errors first. An error is a value that SONiC would refuse or that contradicts another. A warning is a
  /// value that SONiC accepts but that was probably not meant. A note names a setting that concerns buffers
  /// or QoS but is not modelled.
  Findings findings;
};

/// Reads the nested and the flat layout, and old references. Invalid values stay absent and have a finding
/// each. `file`: its name in messages. With a lookup table, the result and its JSON include the lossless
/// groups that the switch derives from it (sonic/tables/expand.h). Throws only SonicSyntaxError, whatever the
/// text.
SonicFile ReadSonicConfig(const std::string& text, const std::string& file,
                          const PgProfileLookup* lookup = nullptr);

/// The configuration's JSON as SONiC writes it, indented by four blanks: reading it gives an equal `json`,
/// including unknown fields.
std::string WriteSonicConfig(const SonicConfig& config);

}  // namespace headroom
