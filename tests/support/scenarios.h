// Scenarios built in code.
#pragma once

#include <string>
#include <vector>

#include "dcqcn/generations.h"
#include "net/topology/topology_builders.h"
#include "scenario/scenario.h"
#include "switch/buffer/profiles.h"

namespace headroom {

/// This topology with the 24 MB buffer everywhere, 500 ns a switch, exact clocks, the published DCQCN, no
/// ECN, no workload. Priority 3 is lossless, 0 is lossy, CNPs have 6.
inline Scenario ScenarioOf(const Topology& topology) {
  Scenario s;
  s.name = "test";
  s.duration = Milliseconds(1);
  s.deadline = Milliseconds(100);
  s.topology = topology;
  s.classes[0] = {"lossy", 0, 0, false, 1, false};
  s.classes[3] = {"storage", 3, 3, true, 1, false};
  s.classes[6] = {"cnp", 6, 48, false, 1, true};
  SwitchParameters sw;
  sw.buffer = *FindBufferProfile("azure-24mb");
  sw.oscillator = OscillatorParameters::Exact();
  s.switches.assign(topology.nodes.size() - topology.hosts, sw);
  NicParameters nic;
  nic.dcqcn = FindGeneration("dcqcn-paper")->dcqcn;
  nic.oscillator = OscillatorParameters::Exact();
  s.nics.assign(topology.hosts, nic);
  s.hosts.resize(topology.hosts);
  return s;
}

/// With exact clocks, for closed forms.
inline Scenario Exact(Scenario s) {
  for (NicParameters& nic : s.nics) nic.oscillator = OscillatorParameters::Exact();
  for (SwitchParameters& one : s.switches) one.oscillator = OscillatorParameters::Exact();
  return s;
}

inline Scenario StarScenario(int hosts, const LinkSpec& link) {
  std::vector<std::string> names;
  for (int i = 0; i < hosts; ++i) names.push_back("h" + std::to_string(i));
  return ScenarioOf(BuildStar(names, link));
}

inline EcnParameters Ecn(int64_t kmin, int64_t kmax, double pmax) {
  EcnParameters e;
  e.kmin = Bytes(kmin);
  e.kmax = Bytes(kmax);
  e.pmax = pmax;
  return e;
}

inline std::vector<NodeId> Hosts(NodeId first, NodeId end) {
  std::vector<NodeId> hosts;
  for (NodeId h = first; h < end; ++h) hosts.push_back(h);
  return hosts;
}

template <class Arrivals>
WorkloadParameters WorkloadOf(const std::string& name, const Arrivals& arrivals, uint8_t priority = 3) {
  WorkloadParameters w;
  w.name = name;
  w.priority = priority;
  w.arrivals = arrivals;
  return w;
}

}  // namespace headroom
