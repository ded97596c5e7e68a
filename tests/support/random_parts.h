// The sections of a random scenario, each drawn with knowledge of the earlier ones.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "support/dice.h"
#include "support/random_scenario.h"

namespace headroom {

struct RandomNetwork {
  std::string type;
  std::string text;  ///< text of `topology`
  std::vector<std::string> hosts, switches;
  /// The ends of links in the form that faults use: a NIC of a host and its switch, or two switches.
  std::vector<std::pair<std::string, std::string>> host_links, fabric_links;
  size_t most_ports = 0;  ///< most ports of a switch
  int64_t nics = 1;       ///< of each host
};

struct RandomClass {
  std::string name, text;
  bool lossless = false;
};

/// The part that is drawn so far. Sections are drawn in the order of the text.
struct RandomDraft {
  Dice d;
  RandomScenarioKinds kinds;
  int64_t duration_us = 0;
  RandomNetwork network{};
  std::vector<RandomClass> classes{};  ///< classes without cnp
  bool hpcc = false;                   ///< inputs and rules of the HPCC simulator
  bool reads = false;                  ///< most messages are READs
  std::vector<std::string> storage{}, tables{}, connections{}, training{};  ///< names of services
  std::string extent_node{};    ///< extent node of the storage service
  bool small_disks = false;     ///< I/Os of the files lie beyond the end of its disks
  bool back_leg = false;        ///< the service has one
  std::string slow_receiver{};  ///< a host whose NIC must have a receive buffer

  std::string ClassName() { return d.OneOf(classes).name; }
  std::string LosslessClass() {
    std::vector<std::string> names;
    for (const RandomClass& c : classes)
      if (c.lossless) names.push_back(c.name);
    return names.empty() ? ClassName() : d.OneOf(names);
  }
};

inline std::string ListText(const std::vector<std::string>& names) {
  return "[" + fmt::format("{}", fmt::join(names, ", ")) + "]";
}

RandomNetwork DrawNetwork(Dice& d, const RandomScenarioKinds& kinds);
std::string DrawServices(RandomDraft& draft);   ///< entries; empty: none
std::string DrawWorkloads(RandomDraft& draft);  ///< entries, one at least
std::string DrawFaults(RandomDraft& draft);     ///< entries; empty: none

}  // namespace headroom
