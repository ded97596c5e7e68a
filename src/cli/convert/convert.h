// The command `convert`: a scenario's thresholds in the forms in which a SONiC switch takes them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace headroom {

enum class SonicForm { patch, fragment, commands, config };

struct Conversion {
  std::string text;                ///< of the requested form; ends with a line break
  size_t changes = 0;              ///< fields that differ
  std::vector<std::string> notes;  ///< what is left out, and why
};

struct SonicConfigFile {
  std::string name;  ///< in messages
  std::string text;
};

/// Throws std::invalid_argument where the file cannot be read.
SonicConfigFile ReadConfiguration(const std::filesystem::path& path);

/// The configuration that the buffer of switch `node` is of (its name; empty: the only one). Throws
/// std::invalid_argument if it has none.
SonicConfigFile ConfigurationOf(const Scenario& scenario, const std::string& node);

/// Changes of a configuration that make its switch the scenario's switch `node`. Throws
/// std::invalid_argument, SonicRefusal and SonicSyntaxError.
Conversion ConvertToSonic(const Scenario& scenario, const std::string& node, const SonicConfigFile& config,
                          SonicForm form);

}  // namespace headroom
