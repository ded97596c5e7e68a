// What a service leaves behind, over the whole run. Each kind of service has a record of its own.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headroom {

struct ServiceRecord {
  virtual ~ServiceRecord() = default;
  /// Of kinds without a report of their own: names and counts, written to summary.json as they are.
  std::vector<std::pair<std::string, std::variant<uint64_t, double>>> counts;
};

}  // namespace headroom
