// Limits of NICs that are not ideal: compares the packets per second of each station at full payload with
// those of the line.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// Time of one full packet at each station; 0: none. The slowest station is the limit.
struct NicPath {
  enum class Limit { line, pipeline, engine, pcie };
  enum class Does { sends, receives, answers_reads };
  Does does = Does::sends;
  Time line, pipeline, engine, pcie;
  Time miss;  ///< additional time at the pipeline if the connection's state is not in the cache
  /// Packets with at least this payload fill the line; none if not even full packets do.
  std::optional<Bytes> full_from;
  Limit LimitedBy() const;
  Time Slowest() const;
};

/// Hosts with equal NICs and lines.
struct NicCheck {
  std::string set;
  /// Keys under `resources`, such as "pcie.bandwidth", whose values differ from the set's: with the NIC's
  /// value and the set's.
  struct Difference {
    std::string key, value, of_set;
  };
  std::vector<Difference> differences;
  uint32_t hosts = 0;
  std::string example;
  Rate rate;
  std::vector<NicPath> paths;
};

/// "sends", "receives", "answers READs"
const char* PathName(NicPath::Does does);
/// "line", "pipeline", "engine", "PCIe"
const char* LimitName(NicPath::Limit limit);

/// Ideal NICs have no findings. Directions: bulk WRITEs and SENDs sent and received, with payload that is
/// fetched from memory and written to memory; and the responses of READs if a workload has them.
std::vector<NicCheck> CheckNics(const Fabric& fabric, Findings& findings);

}  // namespace headroom
