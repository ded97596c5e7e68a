// The rows of a configuration, whichever layout it has, and the keys that name ports.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sonic/tables/config.h"
#include "sonic/tables/findings.h"

namespace headroom {

struct SonicJsonRow {
  SonicPlace place;
  const nlohmann::ordered_json* fields = nullptr;  ///< an object; not null
};

/// Rows of every table, in the order of the file. An entry that is no row is a finding. Pointers are into
/// `json`.
std::map<std::string, std::vector<SonicJsonRow>> SonicRows(const nlohmann::ordered_json& json,
                                                           SonicFindings& findings);

/// {"TABLE|key": …} where the first name has a bar.
SonicConfig::Layout LayoutOf(const nlohmann::ordered_json& json);

inline constexpr int kHighestQueue = 15;

/// Fills ports, range, host and ASIC from the key of `place`. False: it names none, which is a finding.
/// `most`: the highest group or queue.
bool ReadRangeKey(const SonicPlace& place, int most, SonicRange& range, SonicFindings& findings);

/// A key that is one port or several. Empty: a finding.
std::vector<std::string> ReadPortsKey(const SonicPlace& place, SonicFindings& findings);

}  // namespace headroom
