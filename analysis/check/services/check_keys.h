// Findings on services of keys that follow from their settings alone.
#pragma once

#include <string>
#include <vector>

#include "scenario/scenario.h"
#include "sim/finding.h"

namespace headroom {

struct KeyServiceCheck {
  std::string name, system;
  std::string traffic_class;
  size_t servers = 0, clients = 0;
  int processes = 0, client_processes = 0;  ///< processes of each server, and of each client
  Bytes cache;                              ///< memory of a server's logs and indices; 0: none
};

std::vector<KeyServiceCheck> CheckKeys(const Scenario& scenario, Findings& findings);

}  // namespace headroom
