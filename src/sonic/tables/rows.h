// The rows of a configuration in either layout, and the keys that name ports.
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

/// Rows of every table, in the order of the file. An entry that is not a row is a finding. The
/// pointers point into `json`, which must outlive them.
std::map<std::string, std::vector<SonicJsonRow>> SonicRows(const nlohmann::ordered_json& json,
                                                           SonicFindings& findings);

/// The layout is {"TABLE|key": …} if the first name contains a bar.
SonicConfig::Layout LayoutOf(const nlohmann::ordered_json& json);

inline constexpr int kHighestQueue = 15;

/// Fills ports, range, host and ASIC from the key of `place`. Returns false, with a finding, if the key names
/// no ports. `most`: the highest permitted group or queue.
bool ReadRangeKey(const SonicPlace& place, int most, SonicRange& range, SonicFindings& findings);

/// Reads a key of one or several ports. Empty, with a finding, if the key is wrong.
std::vector<std::string> ReadPortsKey(const SonicPlace& place, SonicFindings& findings);

}  // namespace headroom
