// The paths of a pair's flows, hop by hop.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"

namespace headroom {

struct PathStep {
  std::string from, from_port, to, to_port;
  Rate rate;
  Time delay;    ///< of the link, in one direction, transceivers included
  Time latency;  ///< latency of the sending node
  size_t choice = 0,
         choices = 1;  ///< index of the chosen next hop among the equal ones, from 1, and their number
  bool any = false;    ///< each packet, or flowlet, may take another next hop
  Time arrival;        ///< arrival of the last bit of one frame of full payload, since it was posted
};

struct PathCheck {
  std::vector<std::string> used_by;  ///< for example "background, queue pair 0"
  uint16_t source_port = 0;          ///< source port of the first entry of `used_by`
  std::vector<PathStep> steps;
  double paths = 1;  ///< number of paths that its packets may take; the steps are those of one path
  Time rtt;          ///< round trip of one such frame and its ACK
};

/// The distinct paths from one host to another: those of persistent queue pairs between them, of workloads
/// and of their services, and of the first message where each message has its own queue pair. If no workload
/// sends between them: the path of a flow from port 49152. Throws ScenarioError if a name is no host,
/// std::invalid_argument for a host to itself.
std::vector<PathCheck> CheckPath(const Fabric& fabric, const std::string& from, const std::string& to);

}  // namespace headroom
