#include "run/network.h"

#include <ns3/names.h>
#include <ns3/simulator.h>

#include <stdexcept>

namespace headroom {

Network::Network(const Scenario& scenario, const std::function<void(const std::string&)>& on_step)
    : scenario_(scenario), ports_(scenario.topology.nodes.size()) {
  const auto next = [&](const char* what) {
    if (on_step) on_step(what);
  };
  next("routes");
  routes_ = ComputeRoutes(scenario.topology);
  EventQueue& queue = EventQueue::Get();
  queue.AddEntity(UINT32_MAX);  // entity 0: events of no node
  next("nodes");
  CreateNodes();
  next("links");
  ConnectLinks();
  Port::InstallHandlers(queue, *ports_[0].front());
  next("switches");
  SetUpSwitches();
  next("NICs");
  SetUpNics();
  SetUpWatchdogs();
  faults_ = std::make_unique<Faults>(*this);
}

Network::~Network() {
  ns3::Simulator::Destroy();
  ns3::Names::Clear();
}

void Network::CreateNodes() {
  for (const TopologyNode& n : scenario_.topology.nodes) {
    if (n.is_host) {
      nodes_.push_back(ns3::CreateObject<ns3::Node>());
    } else {
      switches_.push_back(ns3::CreateObject<Switch>());
      nodes_.push_back(switches_.back());
    }
    ns3::Names::Add(n.name, nodes_.back());
  }
  for (uint32_t h = 0; h < scenario_.topology.hosts; ++h) {
    nics_.push_back(ns3::CreateObject<Nic>());
    nodes_[h]->AggregateObject(nics_.back());
  }
}

LinkTiming& Network::TimingOf(const LinkSpec& spec) {
  auto& timing = timings_[{spec.rate.v, (spec.delay + spec.phy).v}];
  if (timing) return *timing;
  timing = std::make_unique<LinkTiming>(spec.rate, spec.delay + spec.phy, scenario_.frames.gap);
  const FrameFormat& f = scenario_.frames;
  EventQueue& queue = EventQueue::Get();
  for (const Bytes size :
       {f.Data(scenario_.mtu, false), f.Data(scenario_.mtu, true), f.Ack(), f.Cnp(), f.Pfc()}) {
    timing->UseLanes(queue, static_cast<uint32_t>(f.OnWire(size).v));
  }
  return *timing;
}

void Network::ConnectLinks() {
  for (const TopologyLink& l : scenario_.topology.links) {
    LinkTiming& timing = TimingOf(l.spec);
    for (const LinkEnd* end : {&l.a, &l.b}) {
      ns3::Ptr<Port> port = ns3::CreateObject<Port>();
      const bool host = end->node < scenario_.topology.hosts;
      PortOwner* owner = host ? static_cast<PortOwner*>(ns3::PeekPointer(nics_[end->node]))
                              : static_cast<PortOwner*>(&switch_at(end->node));
      port->Setup(owner, &pool_, &timing, scenario_.frames, scenario_.classes,
                  static_cast<uint16_t>(ports_[end->node].size()), nodes_[end->node]->GetId());
      if (host) {
        nodes_[end->node]->AddDevice(port);
      } else {
        switch_at(end->node).AddPort(port);
      }
      ports_[end->node].push_back(ns3::PeekPointer(port));
    }
    links_.push_back(ns3::CreateObject<Link>());
    links_.back()->Connect(*ports_[l.a.node].back(), *ports_[l.b.node].back(), l.spec,
                           scenario_.topology.nodes[l.a.node].name + ":" + l.a.port);
  }
}

void Network::SetUpSwitches() {
  const Topology& t = scenario_.topology;
  std::vector<std::vector<BufferPort>> ports(t.nodes.size());
  for (const TopologyLink& l : t.links) {
    ports[l.a.node].push_back({l.a.port, l.spec.rate, l.spec.delay});
    ports[l.b.node].push_back({l.b.port, l.spec.rate, l.spec.delay});
  }
  for (NodeId n = t.hosts; n < t.nodes.size(); ++n) {
    const SwitchParameters& p = scenario_.switches[n - t.hosts];
    switch_at(n).Setup({t.nodes[n].name, p.latency, p.pfc, p.ecn, p.qos, p.chassis}, p.buffer, ports[n],
                       scenario_.classes, routes_[n]);
  }
}

void Network::SetUpNics() {
  const Topology& t = scenario_.topology;
  // A host says nothing of pauses in a scenario: its end of the cable does as the switch's end.
  std::vector<const PfcParameters*> pfc(t.hosts);
  for (const TopologyLink& l : t.links) {
    if (l.a.node < t.hosts && l.b.node >= t.hosts)
      pfc[l.a.node] = &scenario_.switches[l.b.node - t.hosts].pfc;
    if (l.b.node < t.hosts && l.a.node >= t.hosts)
      pfc[l.b.node] = &scenario_.switches[l.a.node - t.hosts].pfc;
  }
  for (NodeId h = 0; h < t.hosts; ++h) {
    NicConfig config;
    config.host = h;
    config.name = t.nodes[h].name;
    config.parameters = scenario_.nics[h];
    config.frames = scenario_.frames;
    config.mtu = scenario_.mtu;
    config.cnp_priority = scenario_.cnp_priority;
    config.hosts = t.hosts;
    config.lossless = LosslessPriorities();
    if (pfc[h] != nullptr) config.pfc = *pfc[h];
    if (ports_[h].size() != 1) {
      throw std::invalid_argument("host " + t.nodes[h].name + " has " + std::to_string(ports_[h].size()) +
                                  " links; a host has one");
    }
    if (config.parameters.SendsCnps() && scenario_.classes[config.cnp_priority].name.empty()) {
      throw std::invalid_argument(
          "host " + t.nodes[h].name +
          ": DCQCN needs a traffic class for its CNPs: give classes[cnp_priority] a name");
    }
    nics_[h]->Setup(config, ports_[h].front());
  }
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
  view.topology = &scenario_.topology;
  view.duration = scenario_.duration;
  for (NodeId h = 0; h < scenario_.topology.hosts; ++h) {
    view.line_rates.push_back(ports_[h].front()->rate());
    view.contexts.push_back(nodes_[h]->GetId());
  }
  return view;
}

void Network::SplitTimes(MessageTimes& times) {
  for (NodeId n = 0; n < ports_.size(); ++n) {
    const bool is_switch = n >= scenario_.topology.hosts;
    const Time transit = is_switch ? scenario_.switches[n - scenario_.topology.hosts].transit() : Time{};
    for (Port* port : ports_[n]) port->KeepItineraries(transit, times.own_packets());
  }
  for (const auto& nic : nics_) nic->SetTimes(&times);
}

}  // namespace headroom
