#include "scenario/read/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "scenario/keys/faults/fault_keys.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/network/topology_keys.h"
#include "scenario/keys/sections/experiment_keys.h"
#include "scenario/keys/sections/scenario_keys.h"
#include "scenario/keys/services/service_keys.h"
#include "scenario/keys/workloads/workload_keys.h"
#include "scenario/memory/memory.h"
#include "scenario/names.h"
#include "scenario/packet_headers.h"
#include "scenario/read/check_ack_flags.h"
#include "scenario/read/check_controls.h"
#include "scenario/read/check_ports.h"
#include "scenario/read/check_results.h"
#include "scenario/read/check_routing.h"
#include "scenario/read/check_targets.h"
#include "scenario/read/read_hosts.h"
#include "scenario/read/read_nics.h"
#include "scenario/read/read_switches.h"
#include "scenario/read/run_times.h"
#include "scenario/yaml/document.h"
#include "scenario/yaml/pattern.h"
#include "switch/buffer/profiles.h"

namespace headroom {

namespace {

constexpr double kMostPorts = 65535;  // route tables contain 16-bit port numbers

std::vector<std::vector<std::string>> MatchesOf(const Node* list) {
  std::vector<std::vector<std::string>> matches;
  if (!list) return matches;
  for (const Node& entry : list->items) {
    const Node* match = entry.Find("match");
    matches.push_back(match ? ParseTexts(*match) : std::vector<std::string>{});
  }
  return matches;
}

}  // namespace

/// Reads one document once.
class Loader {
 public:
  Loader(const Node& root, const std::filesystem::path& path, double memory_limit)
      : root_(root), path_(path), memory_limit_(memory_limit), map_(root, errors_) {
    scenario_.file = path.string();
  }

  ScenarioFile Load() {
    Scenario& s = scenario_;
    s.name = path_.stem().string();
    keys::Reading reading{.errors = errors_};
    keys::ScenarioKeys().ReadInto(map_, &s, reading);
    if (!map_.Has("name")) errors_.Guard([&] { CheckName(s.name, root_.where); });
    const bool topology = ReadNetwork();
    const bool classes = ReadClasses();
    // The other sections refer to nodes and classes by name.
    if (topology && classes) {
      ReadDevices();
      ReadTraffic();
    } else {
      for (const char* key : {"switches", "nics", "hosts", "services", "workloads", "faults", "observe"})
        map_.Find(key);
    }
    ReadExperiment();
    map_.Finish();
    errors_.ThrowFirst();
    std::vector<size_t> entries;
    for (const Workload& workload : workloads_) entries.push_back(workload.source.entry);
    CheckTimes(map_, s, entries);
    CheckTargets(workloads_, services_, s.topology, errors_);
    CheckAckFlags(workloads_, services_, s.topology, s.nics, errors_);
    CheckControlled(workloads_, s.topology, s.nics, errors_);
    CheckResults(root_, s, errors_);
    errors_.ThrowFirst();
    CheckScenarioMemory(s);
    return {std::move(scenario_), std::move(experiment_), std::move(source_)};
  }

 private:
  /// Reads a section to which other sections refer by name: completely, or not at all. Returns false if the
  /// section is wrong.
  template <class F>
  bool ReadWhole(const char* key, F&& read) {
    bool right = true;
    map_.Read(key, [&](const Node& node) {
      right = false;
      Errors own;
      read(node, own);
      own.ThrowFirst();
      right = true;
    });
    return right;
  }

  bool ReadNetwork() {
    map_.Need({"topology"});
    TopologySpec& spec = source_.topology;
    bool fits = false;
    map_.Read("topology", [&](const Node& node) {
      Errors own;
      keys::Reading reading{.errors = own, .document = &root_};
      keys::TopologyKind().read(node, spec, reading);
      own.ThrowFirst();
      const TopologySize size = SizeOf(spec);
      CheckTopologyMemory(node, EstimateMemory(size));
      if (size.most_ports > kMostPorts)
        throw ScenarioError(node.where, fmt::format("a node would have {:.0f} ports", size.most_ports),
                            "allowed: up to 65535");
      fits = true;
    });
    return fits && errors_.Guard([&] { scenario_.topology = BuildTopology(spec); });
  }

  bool ReadClasses() {
    TrafficClasses& classes = scenario_.classes;
    classes = keys::DefaultTrafficClasses();
    const bool right = ReadWhole("priorities", [&](const Node& node, Errors& own) {
      keys::Reading reading{.errors = own};
      keys::Classes().read(node, classes, reading);
    });
    if (const auto cnp = keys::FindClass(classes, "cnp")) scenario_.cnp_priority = *cnp;
    return right;
  }

  std::vector<std::string> Names(size_t begin, size_t end) const {
    std::vector<std::string> names;
    for (size_t n = begin; n < end; ++n) names.push_back(scenario_.topology.nodes[n].name);
    return names;
  }

  /// Sets the HPCC simulator's thresholds, which depend on the rate of its first host.
  static void SetHpccSpeeds(Scenario& s) {
    const auto first = std::ranges::find_if(
        s.topology.links, [](const TopologyLink& l) { return l.a.node == 0 || l.b.node == 0; });
    if (first == s.topology.links.end()) return;
    for (size_t i = 0; i < s.switches.size(); ++i) {
      if (std::as_const(s.switches)[i].buffer.profile == "hpcc")
        s.switches[i].buffer.by_speed = HpccSpeeds(first->spec.rate);
    }
  }

  /// Flows take the paths of another simulator by source ports for which the fixed hash leads there.
  static void FixHashes(Scenario& s, const Node& workloads) {
    for (size_t i = 0; i < s.switches.size(); ++i) {
      const HashSeed hash = std::as_const(s.switches)[i].routing.hash_seed;
      if (hash.kind == HashSeed::Kind::fixed) continue;
      if (hash.given)
        throw ScenarioError(
            workloads.where,
            fmt::format("flows take the HPCC simulator's paths, but the hash_seed of {} is not fixed",
                        s.topology.nodes[s.topology.hosts + i].name),
            "give paths: hash to the workload, or routing: {hash_seed: fixed} to the switches");
      s.switches[i].routing.hash_seed.kind = HashSeed::Kind::fixed;
    }
  }

  void ReadDevices() {
    Scenario& s = scenario_;
    const auto present = [&](const char* key) {
      const Node* list = nullptr;
      map_.Read(key, [&](const Node& node) { list = &node; });
      return list;
    };
    const Node* switches = present("switches");
    const Node* nics = present("nics");
    const Node* software = present("hosts");
    const size_t hosts = s.topology.hosts;
    errors_.Guard([&] {
      s.switches = ReadSwitches(switches, s.topology, s.classes, root_.where, s.switch_findings, errors_);
      source_.switch_matches = MatchesOf(switches);
      SetHpccSpeeds(s);
      if (switches) CheckWatchdogPorts(switches->where);
      if (!errors_.Any()) CheckRouting(s, switches, root_.Find("topology")->where, errors_);
    });
    errors_.Guard([&] {
      s.nics = ReadNics(nics, Names(0, hosts), s.classes, s.mtu, root_.where, errors_);
      source_.nic_matches = MatchesOf(nics);
      SetPacketHeaders(s);
      if (!errors_.Any()) CheckRecords(s, nics, root_.where, errors_);
    });
    errors_.Guard([&] {
      s.hosts = ReadHosts(software, Names(0, hosts), errors_);
      source_.host_matches = MatchesOf(software);
      if (!errors_.Any()) SetBonds(s, software, nics, root_.Find("topology")->where, errors_);
    });
  }

  /// Checks that every watchdog watches a port of at least one of its switches.
  void CheckWatchdogPorts(const Position& where) const {
    const Scenario& s = scenario_;
    std::map<std::string, bool> watches;
    for (const TopologyLink& link : s.topology.links) {
      for (const LinkEnd* end : {&link.a, &link.b}) {
        if (end->node < s.topology.hosts) continue;
        for (const WatchdogParameters& w : s.switches[end->node - s.topology.hosts].pfc.watchdogs)
          watches[w.ports] |= Matches(w.ports, end->port);
      }
    }
    for (const auto& [pattern, any] : watches) {
      if (!any)
        throw ScenarioError(where, fmt::format("watchdog: ports: {} matches no port", Quote(pattern)),
                            "give a pattern that matches a port of at least one switch with this watchdog");
    }
  }

  void ReadTraffic() {
    Scenario& s = scenario_;
    const NodeNames names(s.topology);
    map_.Need({"workloads"});
    keys::Reading reading{.errors = errors_,
                          .classes = &s.classes,
                          .topology = &s.topology,
                          .names = &names,
                          .nics = &s.nics,
                          .services = &services_,
                          .mtu = s.mtu};
    const bool services = ReadWhole("services", [&](const Node& list, Errors& own) {
      keys::Reading own_reading = reading.WithErrors(own);
      keys::Services().read(list, services_, own_reading);
    });
    if (!services) {  // other sections refer to it by name
      for (const char* key : {"workloads", "faults", "observe"}) map_.Find(key);
      return;
    }
    for (const ServiceEntry& service : services_) {
      s.services.push_back(service.parameters);
      source_.services.push_back(service.source);
    }
    map_.Read("workloads", [&](const Node& list) { keys::Workloads().read(list, workloads_, reading); });
    for (const Workload& workload : workloads_) {
      s.workloads.push_back(workload.parameters);
      source_.workloads.push_back(workload.source);
    }
    if (!errors_.Any() &&
        std::ranges::any_of(s.workloads, [](const auto& w) { return w.arrivals->ChoosesPaths(); }))
      errors_.Guard([&] { FixHashes(s, *root_.Find("workloads")); });
    map_.Read("faults", [&](const Node& list) { keys::Faults().read(list, s.faults, reading); });
    map_.Read("observe", [&](const Node& node) { keys::ObservationKeys().Read(node, &s.observe, reading); });
  }

  void ReadExperiment() {
    Experiment& experiment = experiment_;
    keys::Reading reading{.errors = errors_, .document = &root_, .vary = &experiment.vary};
    map_.Read("vary", [&](const Node& node) { keys::Vary().read(node, experiment.vary, reading); });
    map_.Read("seeds", [&](const Node& node) {
      experiment.seeds = static_cast<int>(ParseInteger(node, 1, kMostSeeds));
    });
    map_.Read("expect",
              [&](const Node& node) { keys::Expectations().read(node, experiment.expect, reading); });
  }

  /// The key that makes the topology so large: the value of a --set, else the largest number; nullptr if
  /// there is none.
  static const Entry* LargestKey(const Node& topology) {
    const Entry* most = nullptr;
    const auto weight = [](const Entry& entry) {
      const bool given = entry.value.where.file && entry.value.where.file->argument;
      return std::pair(given, std::strtod(entry.value.text.c_str(), nullptr));
    };
    for (const Entry& entry : topology.entries) {
      const bool number = entry.value.IsScalar() && !entry.value.text.empty() &&
                          entry.value.text.find_first_not_of("0123456789") == std::string::npos;
      if (number && (!most || weight(entry) > weight(*most))) most = &entry;
    }
    return most;
  }

  void CheckTopologyMemory(const Node& topology, double needed) const {
    const Entry* const key = LargestKey(topology);
    CheckMemory(key ? key->value.where : topology.where, needed,
                fmt::format("the topology would take about {} of memory", FormatMemory(needed)),
                key ? ": a smaller " + Quote(key->key) : "");
  }

  void CheckScenarioMemory(const Scenario& s) const {
    const std::vector<MemoryPart> parts = MemoryParts(s);
    const MemoryPart& most = LargestPart(parts);
    const Node* const topology = root_.Find("topology");
    const Entry* const key =
        most.of == MemoryPart::Of::topology && topology ? LargestKey(*topology) : nullptr;
    CheckMemory(key ? key->value.where : WhereOf(most), EstimateMemory(s).expected, DescribeMemory(parts),
                ": " + (key ? "a smaller " + Quote(key->key) : most.less));
  }

  /// The position of the workload or service that needs a part of the memory; otherwise the position of the
  /// scenario.
  const Position& WhereOf(const MemoryPart& part) const {
    const Node* const list = part.of == MemoryPart::Of::workloads  ? root_.Find("workloads")
                             : part.of == MemoryPart::Of::services ? root_.Find("services")
                                                                   : nullptr;
    if (list == nullptr) return root_.where;
    for (const Node& item : list->items) {
      const Node* const name = item.Find("name");
      if (name != nullptr && name->text == part.name) return item.where;
    }
    return root_.where;
  }

  void CheckMemory(const Position& where, double needed, const std::string& wrong,
                   const std::string& instead) const {
    const double there_is = memory_limit_ > 0 ? memory_limit_ : MachineMemory();
    if (needed > there_is)
      throw ScenarioError(where, wrong, fmt::format("there is {}{}", FormatMemory(there_is), instead));
  }

  const Node& root_;
  const std::filesystem::path& path_;
  double memory_limit_;
  Errors errors_;
  MapReader map_;
  Scenario scenario_;
  Experiment experiment_;
  ScenarioSource source_;
  std::vector<Workload> workloads_;
  std::vector<ServiceEntry> services_;
};

ScenarioFile LoadScenarioFile(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  const Node root = ReadDocument(path, sets);
  return Loader(root, path, 0).Load();
}

Scenario LoadScenario(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  return LoadScenarioFile(path, sets).scenario;
}

ScenarioFile LoadScenarioFileText(const std::string& text, const std::string& name,
                                  const std::filesystem::path& directory,
                                  const std::vector<std::string>& sets, const LoadLimits& limits) {
  const Node root = ReadDocumentText(text, name, directory, sets);
  return Loader(root, name, limits.memory).Load();
}

Scenario LoadScenarioText(const std::string& text, const std::string& name,
                          const std::filesystem::path& directory, const std::vector<std::string>& sets,
                          const LoadLimits& limits) {
  return LoadScenarioFileText(text, name, directory, sets, limits).scenario;
}

}  // namespace headroom
