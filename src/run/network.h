// The ns-3 network of a scenario: hosts with NICs, switches, ports, links, routes and faults.
//
// Nodes are created in topology order, hosts first, so a NodeId of the topology indexes hosts and switches
// here. ns-3 finds each by its name (ns3::Names).
//
// With several ranks (sim/parts.h), every rank has all nodes, entities and routes, but builds only its own
// nodes. It also builds all hosts if services or programs on verbs join queue pairs during set-up. A node
// that is not built has no NIC, switch or port.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "congestion/telemetry.h"
#include "ip/ip_stack.h"
#include "net/frame_carrier.h"
#include "net/link_timing.h"
#include "net/topology/routing.h"
#include "nic/nic.h"
#include "nic/slow_receiver.h"
#include "nic/transport/message_times.h"
#include "pfc/pfc_watchdog.h"
#include "run/faults.h"
#include "scenario/paths/flow_paths.h"
#include "scenario/scenario.h"
#include "sim/parts.h"
#include "switch/switch.h"
#include "workload/generator.h"

namespace headroom {

/// A node's name for ns-3 and for names of files, which may not contain a slash: h3.n2.
std::string NameWithoutSlash(std::string node);

class Network {
 public:
  /// REQUIRES: StartSimulator was called in this process; `scenario` outlives the network. Throws
  /// std::invalid_argument if a switch's buffer does not fit its ports, if a host does not have one link or
  /// two, or if its DCQCN has no traffic class for CNPs. `on_step` gets the name of each step, "routes",
  /// "links", … `order`: the order in which nodes are built, each once; empty: ascending. `parts`: the part
  /// of each node, from 0 on; empty: the network is not cut. `exchange`: joins
  /// the ranks that run the network; null: this process runs it alone. None of these changes a result.
  explicit Network(const Scenario& scenario, const std::function<void(const std::string&)>& on_step = {},
                   std::vector<NodeId> order = {}, std::vector<int> parts = {}, Exchange* exchange = nullptr);
  /// Ends ns-3's simulation; the simulator cannot be used again in this process.
  ~Network();

  const Scenario& scenario() const { return scenario_; }
  FramePool& pool() { return pool_; }
  /// By host; null: not built.
  std::vector<Nic*> nics() const;
  Nic& nic(NodeId host) { return *nics_[host]; }
  Switch& switch_at(NodeId node) { return *switches_[node - scenario_.topology.hosts]; }
  uint32_t switch_count() const { return static_cast<uint32_t>(switches_.size()); }
  /// Ports indexed by node, in the order of the topology's links; none at nodes that are not built.
  const std::vector<std::vector<Port*>>& ports() const { return ports_; }
  const std::vector<RouteTable>& routes() const { return routes_; }
  /// The entity of the first link's port a. The two ports of all links follow each other.
  EntityId first_port() const { return entities_.ports; }
  HostView hosts() const;

  /// ns-3's TCP/IP; the first call makes it, with these parameters.
  IpStack& ip(const IpParameters& parameters = {});

  /// From now on `times` receives the parts of messages' times. REQUIRES: there is no traffic yet; `times`
  /// outlives the traffic.
  void SplitTimes(MessageTimes& times);
  /// The longest window that any cut of this network can have (sim/parts.h).
  Time LongestWindow() const;

  /// Functions for faults and watchdogs:
  Port& port(NodeId node, uint32_t index) { return *ports_[node][index]; }
  Link& link(size_t index) { return *links_[index]; }
  PauseSender& pause_sender(NodeId node, uint32_t port);
  PauseReceiver& pause_receiver(NodeId node, uint32_t port);
  uint32_t context(NodeId node) const { return nodes_[node]->GetId(); }
  /// Whether this rank runs the node.
  bool IsHere(NodeId node) const { return Parts::Get().IsHere(context(node)); }
  /// Whether this rank has the node's NIC or switch, and its ports. Holds for all nodes that it runs.
  bool IsBuilt(NodeId node) const { return (builds_hosts_ && IsHost(node)) || IsHere(node); }
  /// The filter between a node and its ports, made at the first call.
  ClosedQueues& closed_queues(NodeId node);
  /// Null if the host is not built. REQUIRES: all ranks call it for the same hosts, in the same order.
  SlowReceiver* slow_receiver(NodeId host);
  /// Both ends notice: while the link is down, the port neither sends nor receives, and neither pauses nor
  /// stays paused.
  void SetLinkUp(size_t link, bool up);
  /// Must be called for each rate that the link will have later.
  void PrepareRate(size_t link, Rate rate);
  /// Frames that start from now on are sent at this rate, in both directions. REQUIRES: it is the link's own
  /// rate, or a prepared one.
  void SetLinkRate(size_t link, Rate rate);
  /// A node's data plane stops for a restart, and continues afterwards. The links of the node stay up. A
  /// switch keeps its frames; a NIC loses them, and all queue pairs.
  void BeginRestart(NodeId node);
  void EndRestart(NodeId node);
  /// The routes of switches, and of hosts with two ports, omit the links with an entry other than 0.
  void RouteAround(const std::vector<int>& down);

  struct Watchdog {
    NodeId node = 0;
    ns3::Ptr<PfcWatchdog> watchdog;
  };
  /// Whether a watchdog would end an endless pause of this queue. REQUIRES: the node is built.
  bool WatchdogActs(NodeId node, uint16_t port, uint8_t queue) const;
  const std::vector<Watchdog>& watchdogs() const { return watchdogs_; }
  const Faults& faults() const { return *faults_; }
  Faults& faults() { return *faults_; }

 private:
  void SetStopped(NodeId node, bool stopped);
  /// A port's place: one end of one of the topology's links.
  struct End {
    size_t link = 0;
    int side = 0;  ///< 0: a, 1: b
  };
  bool IsHost(NodeId node) const { return node < scenario_.topology.hosts; }
  const TopologyLink& LinkAt(const End& end) const { return scenario_.topology.links[end.link]; }
  static constexpr Time kMostWindow = Milliseconds(1);
  Time ShortestTransit(const TopologyLink& link, bool clocks) const;
  void Cut(Exchange* exchange);
  bool IsCut(const TopologyLink& link) const {
    return !parts_.empty() && parts_[link.a.node] != parts_[link.b.node];
  }
  void NumberEntities();
  void CreateNode(NodeId node);
  ns3::Ptr<ns3::Node> BuildNode(NodeId node);
  void MakePorts(NodeId node);
  void ConnectLinks();
  void InstallHandlers();
  void SetUpSwitch(NodeId node);
  void SetUpNic(NodeId host);
  void SetUpWatchdogs(NodeId node);
  const std::vector<WatchdogParameters>& WatchdogsOf(NodeId node) const;
  PfcWatchdog::WatchedPort Watched(NodeId node, uint32_t index);
  uint8_t LosslessPriorities() const;
  uint64_t WindowBetween(NodeId sender, NodeId receiver, uint16_t source_port) const;
  uint64_t FirstWindowBetween(NodeId sender, NodeId receiver, uint16_t source_port) const;
  ControlPath PathBetween(NodeId sender, NodeId receiver, uint16_t source_port) const;
  LinkTiming& TimingOf(NodeId node, const LinkSpec& spec);

  /// Numbers of the entities of events, which depend only on the scenario, not on the order of building.
  struct Entities {
    EntityId ports = 0;  ///< two per link
    EntityId fabrics = 0, nics = 0;
    std::vector<EntityId> watchdogs;  ///< the first entity, indexed by node; only during set-up
  };

  const Scenario& scenario_;
  // Computed once, because set-up reads them for every port and NIC.
  const bool has_controls_, marks_first_windows_;
  std::vector<const Telemetry*> telemetry_;  ///< of the hosts' controls, one of each kind
  const bool builds_hosts_;                  ///< every rank builds all hosts
  Entities entities_;
  std::vector<int> parts_;              ///< indexed by node; empty: the network is not cut
  std::vector<std::vector<End>> ends_;  ///< indexed by node and port; only during set-up
  FramePool pool_;
  std::map<std::tuple<int, int64_t, int64_t>, std::unique_ptr<LinkTiming>>
      timings_;  ///< keyed by part, rate and delay
  std::vector<RouteTable> routes_;
  LargestTrip largest_trip_;               ///< for controls that use it
  std::unique_ptr<EcmpPaths> paths_;       ///< null if no queue pair has a window or marks its first packets
  std::unique_ptr<FlowPaths> flow_paths_;  ///< null in the same case
  std::unique_ptr<TorusPorts> torus_;      ///< null if no switch needs to know the ends of its links
  std::vector<ns3::Ptr<ns3::Node>> nodes_;
  std::vector<ns3::Ptr<Switch>> switches_;
  std::vector<ns3::Ptr<Nic>> nics_;
  std::vector<ns3::Ptr<Link>> links_;
  FrameCarrier carrier_{pool_, links_};  ///< unused in a single process
  std::vector<std::vector<Port*>> ports_;
  std::map<NodeId, std::unique_ptr<ClosedQueues>> closed_;
  std::map<NodeId, std::unique_ptr<SlowReceiver>> slow_receivers_;
  std::vector<Watchdog> watchdogs_;
  std::map<NodeId, int> restarts_;  ///< current restarts, by node
  std::unique_ptr<Faults> faults_;
  std::unique_ptr<IpStack> ip_;  ///< null if no host has an IP stack
};

}  // namespace headroom
