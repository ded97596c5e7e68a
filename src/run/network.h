// The ns-3 network of a scenario: hosts with NICs, switches, ports, links, routes and faults.
//
// Nodes are created in topology order, hosts first, so a NodeId of the topology indexes hosts and switches
// here. ns-3 finds each by its name (ns3::Names).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ip/ip_stack.h"
#include "net/link_timing.h"
#include "net/topology/routing.h"
#include "nic/nic.h"
#include "nic/slow_receiver.h"
#include "nic/transport/message_times.h"
#include "pfc/pfc_watchdog.h"
#include "run/faults.h"
#include "scenario/paths/flow_ways.h"
#include "scenario/scenario.h"
#include "switch/switch.h"
#include "workload/generator.h"

namespace headroom {

class Network {
 public:
  /// REQUIRES: StartSimulator was called in this process; `scenario` outlives the network. Throws
  /// std::invalid_argument where a switch's buffer does not fit its ports, a host has not one link, or its
  /// DCQCN no traffic class for CNPs. `on_step` gets the name of each step, "routes", "links", … `order`: the
  /// order in which nodes are built, each once; empty: ascending. It changes no result.
  explicit Network(const Scenario& scenario, const std::function<void(const std::string&)>& on_step = {},
                   std::vector<NodeId> order = {});
  /// Ends ns-3's simulation; the simulator cannot be used again in this process.
  ~Network();

  const Scenario& scenario() const { return scenario_; }
  FramePool& pool() { return pool_; }
  std::vector<Nic*> nics() const;
  Nic& nic(NodeId host) { return *nics_[host]; }
  Switch& switch_at(NodeId node) { return *switches_[node - scenario_.topology.hosts]; }
  uint32_t switch_count() const { return static_cast<uint32_t>(switches_.size()); }
  /// Ports by node, in the order of the topology's links.
  const std::vector<std::vector<Port*>>& ports() const { return ports_; }
  const std::vector<RouteTable>& routes() const { return routes_; }
  HostView hosts() const;

  /// ns-3's TCP/IP; made, with these parameters, when it is first asked for.
  IpStack& ip(const IpParameters& parameters = {});

  /// From now on `times` hears where messages' time goes. REQUIRES: no traffic yet; it outlives the traffic.
  void SplitTimes(MessageTimes& times);

  /// What faults and watchdogs work on.
  Port& port(NodeId node, uint32_t index) { return *ports_[node][index]; }
  Link& link(size_t index) { return *links_[index]; }
  PauseSender& pause_sender(NodeId node, uint32_t port);
  PauseReceiver& pause_receiver(NodeId node, uint32_t port);
  uint32_t context(NodeId node) const { return nodes_[node]->GetId(); }
  /// The layer between a node and its ports; made on first use.
  ClosedQueues& closed_queues(NodeId node);
  SlowReceiver& slow_receiver(NodeId host);
  /// Both ends notice: the port sends, receives, awaits and pauses nothing any more.
  void SetLinkUp(size_t link, bool up);
  /// Some time the link will send at this rate.
  void PrepareRate(size_t link, Rate rate);
  /// Frames that start from now on are sent at this rate, in both directions. REQUIRES: its own, or prepared.
  void SetLinkRate(size_t link, Rate rate);
  /// A node's data plane stops, for whatever reason it restarts, and goes on. Its links stay up. A switch
  /// keeps what it holds, a NIC loses it, with all queue pairs.
  void BeginRestart(NodeId node);
  void EndRestart(NodeId node);
  /// The switches' routes leave out the links that are not 0 here.
  void RouteAround(const std::vector<int>& down);

  struct Watchdog {
    NodeId node = 0;
    ns3::Ptr<PfcWatchdog> watchdog;
  };
  /// Whether a watchdog would end a pause of this queue that does not end by itself.
  bool WatchdogActs(NodeId node, uint16_t port, uint8_t queue) const;
  const std::vector<Watchdog>& watchdogs() const { return watchdogs_; }
  const Faults& faults() const { return *faults_; }
  Faults& faults() { return *faults_; }

 private:
  void SetStopped(NodeId node, bool stopped);
  /// A port's place: which end of which of the topology's links.
  struct End {
    size_t link = 0;
    int side = 0;  ///< 0: a, 1: b
  };
  bool IsHost(NodeId node) const { return node < scenario_.topology.hosts; }
  const TopologyLink& LinkAt(const End& end) const { return scenario_.topology.links[end.link]; }
  void NumberEntities();
  void CreateNode(NodeId node);
  void MakePorts(NodeId node);
  void ConnectLinks();
  void SetUpSwitch(NodeId node);
  void SetUpNic(NodeId host);
  void SetUpWatchdogs(NodeId node);
  const std::vector<WatchdogParameters>& WatchdogsOf(NodeId node) const;
  PfcWatchdog::WatchedPort Watched(NodeId node, uint32_t index);
  uint8_t LosslessPriorities() const;
  uint64_t WindowBetween(NodeId sender, NodeId receiver, uint16_t source_port) const;
  uint64_t FirstWindowBetween(NodeId sender, NodeId receiver, uint16_t source_port) const;
  ControlPath PathBetween(NodeId sender, NodeId receiver, uint16_t source_port) const;
  LinkTiming& TimingOf(const LinkSpec& spec);

  /// Numbers of parties to events, which are the scenario's whatever is built first.
  struct Entities {
    EntityId ports = 0;  ///< two for each link
    EntityId fabrics = 0, nics = 0;
    std::vector<EntityId> watchdogs;  ///< the first, by node
  };

  const Scenario& scenario_;
  // Asked of every port and NIC, so worked out once.
  const bool has_controls_, has_records_, marks_first_windows_;
  Entities entities_;
  std::vector<std::vector<End>> ends_;  ///< by node and port
  FramePool pool_;
  std::map<std::pair<int64_t, int64_t>, std::unique_ptr<LinkTiming>> timings_;  ///< by rate and delay
  std::vector<RouteTable> routes_;
  LargestTrip largest_trip_;           ///< for controls that want it
  std::unique_ptr<EcmpPaths> paths_;   ///< null: nobody has a window or marks the first
  std::unique_ptr<FlowWays> ways_;     ///< the same
  std::unique_ptr<TorusPorts> torus_;  ///< null: no switch needs to know where its ports lead
  std::vector<ns3::Ptr<ns3::Node>> nodes_;
  std::vector<ns3::Ptr<Switch>> switches_;
  std::vector<ns3::Ptr<Nic>> nics_;
  std::vector<ns3::Ptr<Link>> links_;
  std::vector<std::vector<Port*>> ports_;
  std::map<NodeId, std::unique_ptr<ClosedQueues>> closed_;
  std::map<NodeId, std::unique_ptr<SlowReceiver>> slow_receivers_;
  std::vector<Watchdog> watchdogs_;
  std::map<NodeId, int> restarts_;  ///< under way, by node
  std::unique_ptr<Faults> faults_;
  std::unique_ptr<IpStack> ip_;  ///< null: no host has a stack
};

}  // namespace headroom
