// The command `convert`: a scenario's thresholds in the forms that a SONiC switch accepts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace headroom {

enum class SonicForm { patch, fragment, commands, config };

struct Conversion {
  std::string text;                ///< the output in the requested form; ends with a line break
  size_t changes = 0;              ///< number of fields that differ
  std::vector<std::string> notes;  ///< each states an omitted part and the reason
};

struct SonicConfigFile {
  std::string name;  ///< name in messages
  std::string text;
};

/// Throws std::invalid_argument if the file cannot be read.
SonicConfigFile ReadConfiguration(const std::filesystem::path& path);

/// The configuration that the buffer of switch `node` comes from. An empty `node` means the only switch.
/// Throws std::invalid_argument if the switch has no configuration.
SonicConfigFile ConfigurationOf(const Scenario& scenario, const std::string& node);

/// The changes of a configuration that turn its switch into the scenario's switch `node`. Throws
/// std::invalid_argument, SonicRefusal and SonicSyntaxError.
Conversion ConvertToSonic(const Scenario& scenario, const std::string& node, const SonicConfigFile& config,
                          SonicForm form);

}  // namespace headroom
