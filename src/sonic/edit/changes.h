// Changes of a SONiC configuration, and the forms in which a switch takes them.
//
// Sources at sonic-net/sonic-utilities 691b1bbc4. `config apply-patch` checks patches against
// generic_config_updater/gcu_field_operation_validators.conf.json. BUFFER_POOL: nothing. BUFFER_PROFILE:
// replace dynamic_th and xoff. WRED_PROFILE: not restricted there. PFC_WD: add, replace and remove.
// scripts/mmuconfig sets an existing dynamic_th or static_th of a profile, scripts/ecnconfig thresholds and
// probabilities of a WRED profile. Values: sonic-yang-models, and swss qosorch.cpp, which reads WRED
// thresholds as 32-bit integers.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace headroom {

/// A field of a row that is to have another value.
struct SonicChange {
  std::string table, key, field;
  std::optional<std::string> before;  ///< none: the row has no such field
  std::string after;
  bool operator==(const SonicChange&) const = default;
};

/// The tables of a configuration as {"TABLE": {"key": {…}}}, whichever layout the file has.
nlohmann::ordered_json NestedSonicTables(const nlohmann::ordered_json& file);

/// A field's text without blanks around it; of a value that is no text, its JSON.
std::string SonicFieldText(const nlohmann::ordered_json& value);

/// SONiC would refuse a change. what() is `TABLE|key, field f: what it refuses; what to do`.
class SonicRefusal : public std::runtime_error {
 public:
  SonicRefusal(const SonicChange& change, const std::string& why);
};

/// Throws SonicRefusal if SONiC would not load a value. WRED thresholds may not exceed 2147483647, nor, in
/// one colour of `config`, the minimum the maximum. Probabilities are 0 to 100, dynamic_th −8 to 7, times of
/// PFC_WD those of pfcwd. A field with a whole number stays one, and a profile must exist. `config` is what
/// NestedSonicTables gives.
void CheckSonicChanges(const nlohmann::ordered_json& config, const std::vector<SonicChange>& changes);

// The forms. Each throws SonicRefusal for a change that SONiC does not take in that form.

/// RFC 6902, for `config apply-patch`. Paths are those of CONFIG_DB, whichever layout the file has.
nlohmann::ordered_json SonicPatch(const std::vector<SonicChange>& changes);
/// The rows that change, whole, with their new values, for `config load`.
nlohmann::ordered_json SonicFragment(const nlohmann::ordered_json& config,
                                     const std::vector<SonicChange>& changes);
/// `ecnconfig` and `mmuconfig` lines.
std::vector<std::string> SonicCommands(const std::vector<SonicChange>& changes);
/// The text of the configuration with its values changed, everything else byte for byte.
std::string SonicText(std::string text, const std::vector<SonicChange>& changes);

}  // namespace headroom
