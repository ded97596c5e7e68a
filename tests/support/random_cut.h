// Cuts of a network at any links, for tests of runs in parts and ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "net/topology/topology.h"
#include "support/text_file.h"

namespace headroom {

/// Each node in any part, but the hosts `together` in part 0, and a host's NICs and devices in one. Empty if
/// a part would have no node.
inline std::vector<int> RandomCut(const Topology& topology, const std::vector<NodeId>& together, int parts,
                                  uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> of(topology.nodes.size(), -1);
  std::map<std::string, size_t> leaders;  // of hosts: the node that decides for the others
  for (const NodeId host : together) {
    of[host] = 0;
    leaders.try_emplace(HostName(topology.nodes[host].name), host);
  }
  std::vector<size_t> others;
  for (size_t n = 0; n < of.size(); ++n) {
    if (leaders.try_emplace(HostName(topology.nodes[n].name), n).second) others.push_back(n);
  }
  std::shuffle(others.begin(), others.end(), random);
  int first = together.empty() ? 0 : 1;  // each part gets a node
  for (const size_t n : others)
    of[n] = first < parts ? first++ : static_cast<int>(random() % static_cast<uint64_t>(parts));
  for (size_t n = 0; n < of.size(); ++n) of[n] = of[leaders[HostName(topology.nodes[n].name)]];
  return first == parts ? of : std::vector<int>();
}

/// The names of the files of one folder that are missing or different in the other.
inline std::string DifferingFiles(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::string names;
  for (const auto& entry : std::filesystem::directory_iterator(one)) {
    const std::filesystem::path file = other / entry.path().filename();
    const bool same = std::filesystem::exists(file) && ReadTextFile(file) == ReadTextFile(entry.path());
    if (!same && entry.is_regular_file()) names += entry.path().filename().string() + " ";
  }
  return names;
}

}  // namespace headroom
