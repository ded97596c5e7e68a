// The command `convert`: a scenario's thresholds in the forms in which a SONiC switch takes them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace headroom {

enum class SonicForm { patch, fragment, commands, config };

struct Conversion {
  std::string text;                ///< of the form that was asked for; ends with a line break
  size_t changes = 0;              ///< fields that differ
  std::vector<std::string> notes;  ///< what is left out, and why
};

/// What of `config` (the text of a config_db.json, `file` in messages) has to change for its switch to be the
/// scenario's switch `node` (its name; empty: the only one). Throws std::invalid_argument, SonicRefusal and
/// SonicSyntaxError.
Conversion ConvertToSonic(const Scenario& scenario, const std::string& node, const std::string& config,
                          const std::string& file, SonicForm form);

}  // namespace headroom
