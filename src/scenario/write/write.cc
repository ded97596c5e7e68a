#include "scenario/write/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenario/keys/faults/fault_keys.h"
#include "scenario/keys/hosts/host_keys.h"
#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/network/topology_keys.h"
#include "scenario/keys/sections/scenario_keys.h"
#include "scenario/keys/services/service_keys.h"
#include "scenario/keys/switches/switch_keys.h"
#include "scenario/keys/workloads/workload_keys.h"
#include "scenario/read/matched_entries.h"
#include "scenario/yaml/node.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

std::vector<std::string> Names(const Topology& topology, size_t begin, size_t end) {
  std::vector<std::string> names;
  for (size_t n = begin; n < end; ++n) names.push_back(topology.nodes[n].name);
  return names;
}

/// Where the values of a list are; shared ones have one place.
template <class List>
std::vector<const void*> PlacesOf(const List& list) {
  std::vector<const void*> places;
  for (const auto& value : list) places.push_back(&value);
  return places;
}

Resolved Write(const Scenario& s, const ScenarioSource& source) {
  ReferencedFiles files;
  std::string text = "# Every default is written out; running this file gives the same results.\n";
  const keys::Writing whole{.classes = &s.classes,
                            .topology = &s.topology,
                            .files = &files,
                            .services = s.services.empty() ? nullptr : &s.services};
  text += keys::ScenarioKeys().WriteLines(&s, whole) +
          "topology:" + keys::TopologyKind().write(source.topology, whole) +
          "\npriorities:" + keys::Classes().write(s.classes, whole) + '\n';
  keys::Writing entry = whole;
  entry.indent = 4;
  const std::vector<std::string> hosts = Names(s.topology, 0, s.topology.hosts);
  const auto lines_of = [&entry](const keys::Keys& keys) {
    return [&](const void* value) { return keys.WriteLines(value, entry); };
  };
  if (!s.switches.empty())
    text += "switches:\n" + WriteEntries(Names(s.topology, s.topology.hosts, s.topology.nodes.size()),
                                         source.switch_matches, kWholeOfSwitches, PlacesOf(s.switches),
                                         lines_of(keys::SwitchKeys()));
  text +=
      "nics:\n" + WriteEntries(hosts, source.nic_matches, {}, PlacesOf(s.nics), lines_of(keys::NicKeys()));
  const bool software =
      std::ranges::any_of(s.hosts, [](const HostParameters& h) { return h != HostParameters(); });
  const bool cores =
      std::ranges::any_of(s.services, [](const AnyService& p) { return p->CoreClass().has_value(); });
  if (cores || software)
    text += "hosts:\n" +
            WriteEntries(hosts, source.host_matches, {}, PlacesOf(s.hosts), lines_of(keys::HostKeys()));
  if (!s.services.empty()) {
    std::vector<ServiceEntry> services;
    for (size_t i = 0; i < s.services.size(); ++i) services.push_back({s.services[i], source.services[i]});
    text += "services:" + keys::Services().write(services, whole) + '\n';
  }
  std::vector<Workload> workloads;
  for (size_t i = 0; i < s.workloads.size(); ++i) workloads.push_back({s.workloads[i], source.workloads[i]});
  text += "workloads:" + keys::Workloads().write(workloads, whole) + '\n';
  if (!s.faults.empty()) text += "faults:" + keys::Faults().write(s.faults, whole) + '\n';
  const std::string observed = keys::ObservationKeys().Write(&s.observe, whole);
  if (!observed.empty()) text += "observe:" + observed + '\n';
  return {text, files.files()};
}

}  // namespace

Resolved WriteResolved(const ScenarioFile& file) { return Write(file.scenario, file.source); }

Resolved WriteResolved(const ScenarioFile& file, uint64_t seed) {
  Scenario scenario = file.scenario;
  scenario.seed = seed;
  return Write(scenario, file.source);
}
}  // namespace headroom
