// Counts of the only service of a run.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "run/recording/records.h"

namespace headroom {

/// Its integer counts, by name.
inline std::map<std::string, uint64_t> CountsOf(const RunRecord& record) {
  std::map<std::string, uint64_t> counts;
  for (const auto& [name, count] : record.services[0]->counts) {
    if (const auto* whole = std::get_if<uint64_t>(&count)) counts[name] = *whole;
  }
  return counts;
}

}  // namespace headroom
