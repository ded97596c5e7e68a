// Changes of a SONiC configuration, and the formats in which a switch accepts them.
//
// Sources at sonic-net/sonic-utilities 691b1bbc4. `config apply-patch` checks patches against
// generic_config_updater/gcu_field_operation_validators.conf.json. BUFFER_POOL: no change is permitted.
// BUFFER_PROFILE: replace dynamic_th and xoff. WRED_PROFILE: that file does not restrict it. PFC_WD: add,
// replace and remove. scripts/mmuconfig sets an existing dynamic_th or static_th of a profile;
// scripts/ecnconfig sets thresholds and probabilities of a WRED profile. Values: sonic-yang-models, and swss
// qosorch.cpp, which reads WRED thresholds as 32-bit integers.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace headroom {

/// A new value for a field of a row.
struct SonicChange {
  std::string table, key, field;
  std::optional<std::string> before;  ///< none: the row has no such field
  std::string after;
  bool operator==(const SonicChange&) const = default;
};

/// The tables of a configuration as {"TABLE": {"key": {…}}}, for either layout of the file.
nlohmann::ordered_json NestedSonicTables(const nlohmann::ordered_json& file);

/// A field's text without surrounding blanks; for a value that is not text, its JSON.
std::string SonicFieldText(const nlohmann::ordered_json& value);

/// SONiC would refuse a change. what() is `TABLE|key, field f: what is refused; what to do`.
class SonicRefusal : public std::runtime_error {
 public:
  SonicRefusal(const SonicChange& change, const std::string& why);
};

/// Throws SonicRefusal if SONiC would not load a value. WRED thresholds may not exceed 2147483647, and within
/// one colour of `config` the minimum may not exceed the maximum. Probabilities are 0 to 100, dynamic_th is
/// −8 to 7, times of PFC_WD are within pfcwd's ranges. A field with a whole number must keep one, and a
/// profile must exist. `config` is a result of NestedSonicTables.
void CheckSonicChanges(const nlohmann::ordered_json& config, const std::vector<SonicChange>& changes);

// The formats: Each function throws SonicRefusal for a change that SONiC does not accept in that format.

/// Makes an RFC 6902 patch, for `config apply-patch`. Paths are those of CONFIG_DB, for either layout of the
/// file.
nlohmann::ordered_json SonicPatch(const std::vector<SonicChange>& changes);
/// The complete changed rows, with their new values, for `config load`.
nlohmann::ordered_json SonicFragment(const nlohmann::ordered_json& config,
                                     const std::vector<SonicChange>& changes);
/// `ecnconfig` and `mmuconfig` lines.
std::vector<std::string> SonicCommands(const std::vector<SonicChange>& changes);
/// The text of the configuration with changed values; all other bytes are unchanged.
std::string SonicText(std::string text, const std::vector<SonicChange>& changes);

}  // namespace headroom
