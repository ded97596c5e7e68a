// From the text of a config_db.json to a SonicConfig, with everything that is wrong in it.
#pragma once

#include <stdexcept>
#include <string>

#include "sim/finding.h"
#include "sonic/tables/config.h"
#include "sonic/tables/lookup.h"

namespace headroom {

/// The text is no configuration at all: no JSON, or JSON of another shape. what() is
/// `FILE:LINE:COL: what is wrong; what to do`.
class SonicSyntaxError : public std::runtime_error {
 public:
  SonicSyntaxError(const std::string& file, int line, int column, const std::string& what);
  int line() const { return line_; }
  int column() const { return column_; }
  const std::string& reason() const { return reason_; }  ///< what(), without the place

 private:
  int line_, column_;
  std::string reason_;
};

struct SonicFile {
  SonicConfig config;
  /// Errors first. An error is a value that SONiC would refuse or that contradicts another. A warning is one
  /// that it takes but hardly as meant. A note names what is not modelled though it concerns buffers or QoS.
  Findings findings;
};

/// Reads the nested and the flat layout and old references. Values that are none stay absent and have a
/// finding each. `file` stands in messages. With a lookup table the result, and its JSON, have the lossless
/// groups that the switch makes of it (sonic/tables/expand.h). Throws SonicSyntaxError and nothing else,
/// whatever the text.
SonicFile ReadSonicConfig(const std::string& text, const std::string& file,
                          const PgProfileLookup* lookup = nullptr);

/// The configuration's JSON as SONiC writes it, with four blanks of indentation: reading it gives an equal
/// `json`, fields that Headroom does not know included.
std::string WriteSonicConfig(const SonicConfig& config);

}  // namespace headroom
