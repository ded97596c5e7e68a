#include "run/network.h"

#include <fmt/format.h>
#include <ns3/names.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "congestion/agents/send_time.h"
#include "congestion/telemetry.h"
#include "scenario/packet_headers.h"
#include "scenario/paths/flow_paths.h"
#include "scenario/paths/largest_trip.h"
#include "scenario/send_windows.h"
#include "sim/parts.h"

namespace headroom {

namespace {

/// Whether set-up joins queue pairs of any two hosts.
bool JoinsHosts(const Scenario& scenario) {
  return !scenario.services.empty() || std::ranges::any_of(scenario.workloads, [](const auto& workload) {
    return workload.arrivals->OnVerbs();
  });
}

/// Calls `build` for each of these nodes that is built.
template <class F>
void ForEachBuilt(const Network& network, const std::vector<NodeId>& nodes, const F& build) {
  for (const NodeId n : nodes) {
    if (network.IsBuilt(n)) build(n);
  }
}

}  // namespace

Network::Network(const Scenario& scenario, const std::function<void(const std::string&)>& on_step,
                 std::vector<NodeId> order, std::vector<int> parts, Exchange* exchange)
    : scenario_(scenario),
      has_controls_(HasControls(scenario)),
      marks_first_windows_(MarksFirstWindows(scenario)),
      builds_hosts_(JoinsHosts(scenario)),
      parts_(std::move(parts)),
      ends_(scenario.topology.nodes.size()),
      nodes_(scenario.topology.nodes.size()),
      switches_(scenario.topology.nodes.size() - scenario.topology.hosts),
      nics_(scenario.topology.hosts),
      ports_(scenario.topology.nodes.size()) {
  const auto next = [&](const char* what) {
    if (on_step) on_step(what);
  };
  if (order.empty()) {
    order.resize(nodes_.size());
    std::iota(order.begin(), order.end(), NodeId{0});
  }
  next("routes");
  routes_ = RoutesOf(scenario);
  if (std::ranges::any_of(scenario.switches, [](const auto& s) { return s.routing.dateline.has_value(); }))
    torus_ = std::make_unique<TorusPorts>(scenario.topology);
  if (HasWindows(scenario) || has_controls_ || marks_first_windows_) {
    paths_ = std::make_unique<EcmpPaths>(scenario.topology, routes_, EcmpSeedsOf(scenario));
    flow_paths_ = std::make_unique<FlowPaths>(scenario, routes_, *paths_);
  }
  for (const NicParameters& nic : scenario.nics) {
    const Telemetry* const telemetry = nic.HasControl() ? nic.control->telemetry() : nullptr;
    const auto same = [&](const Telemetry* other) { return other->kind() == telemetry->kind(); };
    if (telemetry != nullptr && std::ranges::none_of(telemetry_, same)) telemetry_.push_back(telemetry);
  }
  if (WantsLargestTrip(scenario)) largest_trip_ = LargestTripOf(scenario);
  if (!parts_.empty()) Cut(exchange);
  NumberEntities();
  carrier_.SetFirstPort(entities_.ports);
  next("nodes");
  for (const NodeId n : order) CreateNode(n);
  next("links");
  // Lanes are made in the scenario's order.
  for (const TopologyLink& l : scenario.topology.links) {
    TimingOf(l.a.node, l.spec);
    TimingOf(l.b.node, l.spec);
  }
  ForEachBuilt(*this, order, [this](NodeId n) { MakePorts(n); });
  ConnectLinks();
  InstallHandlers();
  next("switches");
  ForEachBuilt(*this, order, [this](NodeId n) {
    if (!IsHost(n)) SetUpSwitch(n);
  });
  next("NICs");
  ForEachBuilt(*this, order, [this](NodeId n) {
    if (IsHost(n)) SetUpNic(n);
  });
  ForEachBuilt(*this, order, [this](NodeId n) { SetUpWatchdogs(n); });
  ends_ = {};
  entities_.watchdogs = {};
  faults_ = std::make_unique<Faults>(*this);
}

Network::~Network() {
  ns3::Simulator::Destroy();
  ns3::Names::Clear();
}

/// Frames cross a link in at least this time: the link's delay plus the serialization of the smallest frame.
/// `clocks`: the least serialization on any clock, not the nominal one.
Time Network::ShortestTransit(const TopologyLink& link, bool clocks) const {
  const FrameFormat& f = scenario_.frames;
  LinkTiming timing(link.spec.rate, link.spec.delay + link.spec.phy, f.gap, f.whole_ns);
  const Time nominal = timing.For(static_cast<uint32_t>(f.OnWire(Bytes(f.min)).v)).serialization;
  return timing.delay() + (clocks ? Jitter::Least(nominal) : nominal);
}

Time Network::LongestWindow() const {
  Time window{};
  for (const TopologyLink& l : scenario_.topology.links) window = std::max(window, ShortestTransit(l, false));
  return std::min(window, kMostWindow);
}

void Network::Cut(Exchange* exchange) {
  Time window = kMostWindow;
  for (const TopologyLink& l : scenario_.topology.links) {
    if (IsCut(l)) window = std::min(window, ShortestTransit(l, true));
  }
  if (exchange != nullptr) Parts::Get().JoinRanks(*exchange, carrier_);
  Parts::Get().Cut(*std::ranges::max_element(parts_) + 1, window);
  Parts::Get().CountCrossing(pool_.counter());
}

void Network::NumberEntities() {
  const Topology& t = scenario_.topology;
  EventQueue& queue = EventQueue::Get();
  queue.AddEntity(UINT32_MAX);  // entity 0: events without a node
  entities_.ports = queue.AddEntities(2 * t.links.size());
  entities_.fabrics = queue.AddEntities(t.nodes.size() - t.hosts);
  entities_.nics = queue.AddEntities(t.hosts);
  for (NodeId n = 0; n < t.nodes.size(); ++n)
    entities_.watchdogs.push_back(queue.AddEntities(WatchdogsOf(n).size()));
  for (size_t i = 0; i < t.links.size(); ++i) {
    ends_[t.links[i].a.node].push_back({i, 0});
    ends_[t.links[i].b.node].push_back({i, 1});
  }
}

std::string NameWithoutSlash(std::string node) {
  std::ranges::replace(node, '/', '.');
  return node;
}

void Network::CreateNode(NodeId node) {
  const bool here = parts_.empty() || Parts::Get().Here(parts_[node]);
  nodes_[node] = here || (builds_hosts_ && IsHost(node)) ? BuildNode(node) : ns3::CreateObject<ns3::Node>();
  ns3::Names::Add(NameWithoutSlash(scenario_.topology.nodes[node].name), nodes_[node]);
  if (!parts_.empty()) Parts::Get().Assign(context(node), parts_[node]);
}

ns3::Ptr<ns3::Node> Network::BuildNode(NodeId node) {
  if (IsHost(node)) {
    const auto made = ns3::CreateObject<ns3::Node>();
    nics_[node] = ns3::CreateObject<Nic>();
    made->AggregateObject(nics_[node]);
    return made;
  }
  ns3::Ptr<Switch>& made = switches_[node - scenario_.topology.hosts];
  made = ns3::CreateObject<Switch>();
  made->ReservePorts(ends_[node].size());
  return made;
}

LinkTiming& Network::TimingOf(NodeId node, const LinkSpec& spec) {
  auto& timing = timings_[{parts_.empty() ? 0 : parts_[node], spec.rate.v, (spec.delay + spec.phy).v}];
  if (timing) return *timing;
  const Parts::Within part(context(node));
  timing = std::make_unique<LinkTiming>(spec.rate, spec.delay + spec.phy, scenario_.frames.gap,
                                        scenario_.frames.whole_ns);
  const FrameFormat& f = scenario_.frames;
  EventQueue& queue = EventQueue::Get();
  for (const Bytes size :
       {f.Data(scenario_.mtu, false), f.Data(scenario_.mtu, true), f.Ack(), f.Cnp(), f.Pfc()}) {
    timing->UseLanes(queue, static_cast<uint32_t>(f.OnWire(size).v));
  }
  return *timing;
}

void Network::MakePorts(NodeId node) {
  PortOwner* owner = IsHost(node) ? static_cast<PortOwner*>(ns3::PeekPointer(nics_[node]))
                                  : static_cast<PortOwner*>(&switch_at(node));
  const Parts::Within part(context(node));
  const OscillatorParameters& oscillator =
      IsHost(node) ? scenario_.nics[node].oscillator
                   : scenario_.switches[node - scenario_.topology.hosts].oscillator;
  const Skew skew(oscillator, scenario_.topology.nodes[node].name);
  for (const End& end : ends_[node]) {
    const auto entity = static_cast<EntityId>(entities_.ports + 2 * end.link + static_cast<size_t>(end.side));
    EventQueue::Get().SetContext(entity, context(node));
    ns3::Ptr<Port> port = ns3::CreateObject<Port>();
    if (IsHost(node) && has_controls_) port->AddAgent(std::make_unique<SendTime>());
    port->Setup(owner, &pool_, &TimingOf(node, LinkAt(end).spec), scenario_.frames, scenario_.classes,
                static_cast<uint16_t>(ports_[node].size()), entity);
    port->SetOscillator(skew, oscillator.jitter);
    if (IsHost(node)) {
      nodes_[node]->AddDevice(port);
    } else {
      switch_at(node).AddPort(port);
    }
    ports_[node].push_back(ns3::PeekPointer(port));
  }
}

void Network::ConnectLinks() {
  EntityId entity = entities_.ports;
  for (const TopologyLink& l : scenario_.topology.links) {
    const auto end = [&](const LinkEnd& e) {
      return Link::End{IsBuilt(e.node) ? &port(e.node, e.port_index) : nullptr, entity++};
    };
    const Link::End a = end(l.a), b = end(l.b);
    links_.push_back(ns3::CreateObject<Link>());
    links_.back()->Connect(a, b, l.spec, scenario_.topology.nodes[l.a.node].name + ":" + l.a.port);
    if (IsCut(l)) links_.back()->Cut({parts_[l.a.node], parts_[l.b.node]});
  }
}

void Network::InstallHandlers() {
  const auto some = std::ranges::find_if(ports_, [](const auto& of_node) { return !of_node.empty(); });
  if (some != ports_.end()) Port::InstallHandlers(EventQueue::Get(), *some->front());
}

void Network::SetUpSwitch(NodeId node) {
  const Parts::Within part(context(node));
  const Topology& t = scenario_.topology;
  std::vector<BufferPort> ports;
  for (const End& end : ends_[node]) {
    const TopologyLink& l = LinkAt(end);
    ports.push_back({(end.side == 0 ? l.a : l.b).port, l.spec.rate, l.spec.delay});
  }
  const uint32_t index = node - t.hosts;
  const SwitchParameters& p = scenario_.switches[index];
  const EntityId fabric = entities_.fabrics + index;
  EventQueue::Get().SetContext(fabric, context(node));
  SwitchConfig config{t.nodes[node].name, p.latency, p.pfc, p.ecn, p.qos, p.chassis, fabric, p.routing};
  config.ecmp_seed = EcmpSeedOf(scenario_, node);
  if (p.routing.dateline) config.torus = torus_->Of(node);
  Switch& s = switch_at(node);
  s.Setup(config, p.buffer, ports, scenario_.classes, routes_[node]);
  for (const Telemetry* telemetry : telemetry_) {
    for (Port* port : ports_[node]) port->AddAgent(telemetry->MakeAgent(s.queues_in_use()));
  }
}

void Network::SetUpNic(NodeId host) {
  const Parts::Within part(context(host));
  const Topology& t = scenario_.topology;
  NicConfig config;
  config.host = host;
  config.name = t.nodes[host].name;
  config.entity = entities_.nics + host;
  EventQueue::Get().SetContext(config.entity, context(host));
  config.parameters = scenario_.nics.Shared(host);
  config.frames = FramesOf(scenario_, host);
  config.mtu = scenario_.mtu;
  config.cnp_priority = scenario_.cnp_priority;
  config.hosts = t.hosts;
  config.lossless = LosslessPriorities();
  NicConfig::Paths paths;
  if (HasWindow(*config.parameters)) {
    paths.window = [this, host](NodeId peer, uint16_t source_port) {
      return WindowBetween(host, peer, source_port);
    };
  }
  if (marks_first_windows_) {
    paths.first_window = [this, host](NodeId peer, uint16_t source_port) {
      return FirstWindowBetween(host, peer, source_port);
    };
  }
  if (config.parameters->HasControl()) {
    // Only other hosts' DCQCN obeys its CNPs, and without a CNP class no host has DCQCN.
    if (scenario_.classes[config.cnp_priority].name.empty()) {
      NicParameters silent = *config.parameters;
      silent.dcqcn.np.priorities.mask = 0;
      config.parameters = Interned(std::move(silent));
    }
    paths.path = [this, host](NodeId peer, uint16_t source_port) {
      return PathBetween(host, peer, source_port);
    };
  }
  if (paths.window || paths.first_window || paths.path)
    config.paths = std::make_shared<const NicConfig::Paths>(std::move(paths));
  const size_t links = ends_[host].size();
  if (links == 0 || links > Bond::kPorts) {
    throw std::invalid_argument("host " + t.nodes[host].name + " has " + std::to_string(links) +
                                " links, but a host has one or two");
  }
  // Hosts have no pause settings in a scenario: their end of the cable behaves like the switch's end.
  for (size_t i = 0; i < links; ++i) {
    const TopologyLink& l = LinkAt(ends_[host][i]);
    const NodeId peer = l.a.node == host ? l.b.node : l.a.node;
    if (!IsHost(peer)) config.pfc[i] = scenario_.switches[peer - t.hosts].pfc;
  }
  if (links > 1)
    config.ports = {routes_[host], EcmpSeedOf(scenario_, host),
                    scenario_.hosts[host].bond.value_or(BondParameters{}).detection};
  if (config.parameters->SendsCnps() && scenario_.classes[config.cnp_priority].name.empty()) {
    throw std::invalid_argument(
        "host " + t.nodes[host].name +
        ": DCQCN needs a traffic class for its CNPs: give classes[cnp_priority] a name");
  }
  nics_[host]->Setup(config, ports_[host]);
}

uint64_t Network::WindowBetween(NodeId sender, NodeId receiver, uint16_t source_port) const {
  std::vector<IdealHop> data, acks;
  if (scenario_.nics[sender].transport.window.kind == SendWindow::Kind::bdp) {
    data = LongestHops(scenario_, flow_paths_->Of(sender, receiver, source_port));
    acks = LongestHops(scenario_, flow_paths_->Of(receiver, sender, source_port));
  }
  return WindowPackets(scenario_, sender, receiver, data, acks);
}

/// The bandwidth-delay product of the path, but at most the queue pair's window.
uint64_t Network::FirstWindowBetween(NodeId sender, NodeId receiver, uint16_t source_port) const {
  const uint64_t product = BandwidthDelayPackets(
      scenario_, sender, receiver, LongestHops(scenario_, flow_paths_->Of(sender, receiver, source_port)),
      LongestHops(scenario_, flow_paths_->Of(receiver, sender, source_port)));
  return std::min(product, WindowBetween(sender, receiver, source_port));
}

ControlPath Network::PathBetween(NodeId sender, NodeId receiver, uint16_t source_port) const {
  const auto data = LongestHops(scenario_, flow_paths_->Of(sender, receiver, source_port)),
             acks = LongestHops(scenario_, flow_paths_->Of(receiver, sender, source_port));
  if (data.empty() || acks.empty()) {
    throw std::invalid_argument(
        fmt::format("no path leads from {} to {} and back: a congestion control needs its round-trip time",
                    scenario_.topology.nodes[sender].name, scenario_.topology.nodes[receiver].name));
  }
  ControlPath path = ControlPathOf(scenario_, sender, receiver, data, acks);
  path.largest = largest_trip_;
  return path;
}

IpStack& Network::ip(const IpParameters& parameters) {
  if (!ip_) ip_ = std::make_unique<IpStack>(nics(), scenario_.classes, parameters);
  return *ip_;
}

std::vector<Nic*> Network::nics() const {
  std::vector<Nic*> all;
  for (const auto& n : nics_) all.push_back(ns3::PeekPointer(n));
  return all;
}

HostView Network::hosts() const {
  HostView view;
  view.SetTopology(scenario_.topology);
  view.duration = scenario_.duration;
  view.warmup = scenario_.warmup;
  for (NodeId h = 0; h < scenario_.topology.hosts; ++h) {
    view.contexts.push_back(nodes_[h]->GetId());
  }
  return view;
}

void Network::SplitTimes(MessageTimes& times) {
  if (!parts_.empty()) times.Cut({parts_.begin(), parts_.begin() + scenario_.topology.hosts});
  if (MayOvertake(scenario_)) times.SetAnyOrder();
  for (NodeId n = 0; n < ports_.size(); ++n) {
    const bool is_switch = n >= scenario_.topology.hosts;
    const Time transit = is_switch ? scenario_.switches[n - scenario_.topology.hosts].transit() : Time{};
    for (Port* port : ports_[n]) port->KeepItineraries(transit);
  }
  for (const auto& nic : nics_) {
    if (nic != nullptr) nic->SetTimes(&times);
  }
}

}  // namespace headroom
