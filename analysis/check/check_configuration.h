// Guarantees of a switch's configuration at all its ports, with or without links.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/switch_classes.h"
#include "sim/finding.h"

namespace headroom {

/// The lossless groups of all ports of a configuration that share a pool's headroom.
struct ConfiguredPool {
  std::string pool;
  Bytes size{};  ///< size of the shared headroom
  uint32_t groups = 0;
  Bytes sum_xoff{};  ///< their bytes if all of them are paused at the same time
};

/// A switch that has a configuration. The other parts of `check` concern its linked ports.
struct ConfigurationCheck {
  std::string at;
  uint32_t switches = 0;
  uint32_t linked = 0, ports = 0;
  std::vector<ConfiguredPool> pools;
};

/// Notes pools with less headroom than the sum for the groups of all ports, linked or not.
/// CheckHeadroom has the need of linked ports.
std::vector<ConfigurationCheck> CheckConfigurations(const std::vector<SwitchClass>& switches,
                                                    Findings& findings);

}  // namespace headroom
