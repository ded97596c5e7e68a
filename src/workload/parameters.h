// A workload as plain data, with its hosts already resolved.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "net/opcode.h"
#include "workload/arrivals.h"

namespace headroom {

/// The verbs of workloads, with their names in scenario files and results.
inline constexpr std::pair<const char*, Operation> kVerbs[] = {{"write", Operation::write},
                                                               {"write_with_imm", Operation::write_imm},
                                                               {"send", Operation::send},
                                                               {"send_with_imm", Operation::send_imm},
                                                               {"send_with_invalidate", Operation::send_inv},
                                                               {"read", Operation::read_request}};
/// REQUIRES: `verb` is one of them.
constexpr const char* VerbName(Operation verb) {
  for (const auto& [name, operation] : kVerbs) {
    if (operation == verb) return name;
  }
  return "";
}

struct WorkloadParameters {
  std::string name;
  std::string type;                   ///< as written; must be registered (keys::RegisteredType)
  Operation verb = Operation::write;  ///< the receiver posts a READ: the data move from `from` to `to`
  uint8_t priority = 0;
  bool registers = false;  ///< a memory registration is posted before each message
  bool qp_per_message = false;
  int qps_per_pair = 1;
  AnyArrivals arrivals;
  bool operator==(const WorkloadParameters&) const = default;
};

/// Whether it offers operations of a service, which consist of messages; otherwise it offers messages.
inline bool OffersOperations(const WorkloadParameters& w) { return w.arrivals->Asks().has_value(); }

}  // namespace headroom
