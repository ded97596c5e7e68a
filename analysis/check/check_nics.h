// Limits of NICs that are not ideal: the packets per second of each of their stations at full payload,
// against those of the line.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "sim/finding.h"

namespace headroom {

/// Time of one full packet at each station; 0: none. The slowest is the limit.
struct NicWay {
  enum class Limit { line, pipeline, engine, pcie };
  enum class Does { sends, receives, answers_reads };
  Does does = Does::sends;
  Time line, pipeline, engine, pcie;
  Time miss;  ///< more at the pipeline where its connection's state is not in the cache
  /// Packets of this payload and more fill the line; none: not even full ones do.
  std::optional<Bytes> full_from;
  Limit LimitedBy() const;
  Time Slowest() const;
};

/// Hosts whose NICs and lines are alike.
struct NicCheck {
  std::string set;
  /// Keys under `resources`, as "pcie.bandwidth", whose values are not the set's: with the NIC's and the
  /// set's.
  struct Difference {
    std::string key, value, of_set;
  };
  std::vector<Difference> differences;
  uint32_t hosts = 0;
  std::string example;
  Rate rate;
  std::vector<NicWay> ways;
};

/// "sends", "receives", "answers READs"
const char* WayName(NicWay::Does does);
/// "line", "pipeline", "engine", "PCIe"
const char* LimitName(NicWay::Limit limit);

/// Ideal NICs have no findings. Ways: bulk WRITEs and SENDs out and in, with payload that is fetched from
/// memory and that lands there; and the responses of READs where a workload has them.
std::vector<NicCheck> CheckNics(const Fabric& fabric, Findings& findings);

}  // namespace headroom
