// Findings about services that follow from their settings alone, and figures of their set-up. What a service
// reaches is not foreseen here.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "analysis/check/services/check_failover.h"
#include "analysis/check/services/check_keys.h"
#include "sim/finding.h"

namespace headroom {

struct ServiceCheck {
  std::string name, protocol, traffic_class;
  size_t compute = 0, extent_nodes = 0;
  double receives = 0;    ///< RECVs posted at an extent node
  Bytes receive_bytes{};  ///< bytes registered for them
  size_t connections() const { return compute * extent_nodes; }
};

struct ServicesChecks {
  std::vector<ServiceCheck> services;
  std::vector<FailoverCheck> failovers;  ///< for services with a failover
  std::vector<KeyServiceCheck> keys;
};

ServicesChecks CheckServices(const Fabric& fabric, Findings& findings);

}  // namespace headroom
