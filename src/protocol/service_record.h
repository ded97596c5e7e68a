// The results of a service over the whole run. Each kind of service has its own record.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headroom {

struct ServiceRecord {
  virtual ~ServiceRecord() = default;
  /// For kinds without their own report: names and counts, which summary.json contains unchanged.
  std::vector<std::pair<std::string, std::variant<uint64_t, double>>> counts;
};

}  // namespace headroom
