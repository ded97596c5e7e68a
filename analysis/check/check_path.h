// The ways that a pair's flows take, hop by hop.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"

namespace headroom {

struct PathStep {
  std::string from, from_port, to, to_port;
  Rate rate;
  Time delay;                      ///< of the link, one way, transceivers included
  Time latency;                    ///< of the sending node
  size_t choice = 0, choices = 1;  ///< which of the equal next hops, counted from 1, of how many
  bool any = false;                ///< each packet, or flowlet, may take another of them
  Time arrival;                    ///< of the last bit of one frame of full payload, since it was posted
};

struct PathCheck {
  std::vector<std::string> used_by;  ///< "background, queue pair 0"
  uint16_t source_port = 0;          ///< of the first of them
  std::vector<PathStep> steps;
  double ways = 1;  ///< paths that its packets may take; the steps are those of one
  Time rtt;         ///< of one such frame and its ACK
};

/// The distinct ways from one host to another: of the persistent queue pairs that workloads have between
/// them, and of the first message where each has its own; else, of a flow from port 49152. Throws
/// ScenarioError for what is no host, std::invalid_argument for a host to itself.
std::vector<PathCheck> CheckPath(const Fabric& fabric, const std::string& from, const std::string& to);

}  // namespace headroom
