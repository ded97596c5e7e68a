// The functions of a network for watchdogs and faults.
#include "run/network.h"
#include "scenario/yaml/pattern.h"
#include "sim/parts.h"

namespace headroom {

PauseSender& Network::pause_sender(NodeId node, uint32_t port) {
  return node < scenario_.topology.hosts ? nic(node).pause_sender(port) : switch_at(node).pause_sender(port);
}

PauseReceiver& Network::pause_receiver(NodeId node, uint32_t port) {
  return node < scenario_.topology.hosts ? nic(node).pause_receiver(port)
                                         : switch_at(node).pause_receiver(port);
}

ClosedQueues& Network::closed_queues(NodeId node) {
  std::unique_ptr<ClosedQueues>& closed = closed_[node];
  if (!closed) {
    PortOwner* owner = node < scenario_.topology.hosts ? static_cast<PortOwner*>(&nic(node))
                                                       : static_cast<PortOwner*>(&switch_at(node));
    // A NIC makes frames when they leave; in a chassis, frames wait on the line cards where they arrived.
    const bool drains = node < scenario_.topology.hosts || switch_at(node).fabric() != nullptr;
    closed = std::make_unique<ClosedQueues>(owner, ports_[node], drains);
  }
  return *closed;
}

SlowReceiver* Network::slow_receiver(NodeId host) {
  const auto [at, fresh] = slow_receivers_.try_emplace(host);
  if (fresh) {
    const EntityId entity = EventQueue::Get().AddEntity(context(host));
    if (IsBuilt(host)) {
      Rate line;
      for (const Port* port : ports_[host]) line += port->rate();
      at->second = std::make_unique<SlowReceiver>(scenario_.nics[host].rx_buffer.value(), &nic(host), line,
                                                  nic(host).pause_senders(), &closed_queues(host),
                                                  LosslessPriorities(), entity);
    }
  }
  return at->second.get();
}

PfcWatchdog::WatchedPort Network::Watched(NodeId node, uint32_t index) {
  PfcWatchdog::WatchedPort watched;
  watched.port = &port(node, index);
  watched.receiver = &pause_receiver(node, index);
  watched.sender = &pause_sender(node, index);
  if (node >= scenario_.topology.hosts) {
    Switch& s = switch_at(node);
    watched.priorities = s.qos(index).pfc_enable;
    watched.queue_of = s.qos(index).pfc_to_queue;
    watched.group_of = s.qos(index).pfc_to_group;
    watched.waiting = [&s, index](int queue) { return s.QueuedBytes(index, queue); };
    return watched;
  }
  watched.priorities = LosslessPriorities();
  for (uint8_t p = 0; p < kPriorities; ++p) watched.queue_of[p] = watched.group_of[p] = p;
  // Data that queue pairs would send count as waiting.
  watched.waiting = [port = watched.port](int queue) {
    return port->queue(queue).bytes + port->pullable(queue);
  };
  return watched;
}

uint8_t Network::LosslessPriorities() const {
  uint8_t lossless = 0;
  for (const TrafficClass& c : scenario_.classes) {
    if (c.lossless) lossless |= static_cast<uint8_t>(1u << c.priority);
  }
  return lossless;
}

const std::vector<WatchdogParameters>& Network::WatchdogsOf(NodeId node) const {
  static const std::vector<WatchdogParameters> none;
  if (IsHost(node)) return scenario_.nics[node].watchdogs;
  const PfcParameters& pfc = scenario_.switches[node - scenario_.topology.hosts].pfc;
  return pfc.enabled ? pfc.watchdogs : none;
}

void Network::SetUpWatchdogs(NodeId node) {
  const Parts::Within part(context(node));
  const std::vector<WatchdogParameters>& watchdogs = WatchdogsOf(node);
  std::vector<std::vector<PfcWatchdog::WatchedPort>> watched(watchdogs.size());
  for (uint32_t i = 0; i < ends_[node].size(); ++i) {
    const End& end = ends_[node][i];
    const std::string& name = (end.side == 0 ? LinkAt(end).a : LinkAt(end).b).port;
    for (size_t w = watchdogs.size(); w-- > 0;) {
      if (!Matches(watchdogs[w].ports, name)) continue;
      watched[w].push_back(Watched(node, i));
      watched[w].back().priorities &= watchdogs[w].priorities;
      break;
    }
  }
  for (uint32_t w = 0; w < watchdogs.size(); ++w) {
    const EntityId entity = entities_.watchdogs[node] + w;
    EventQueue::Get().SetContext(entity, context(node));
    watchdogs_.push_back({node, ns3::CreateObject<PfcWatchdog>()});
    watchdogs_.back().watchdog->Setup(watchdogs[w], watched[w], &closed_queues(node), entity);
    if (w == 0) nodes_[node]->AggregateObject(watchdogs_.back().watchdog);
  }
}

bool Network::WatchdogActs(NodeId node, uint16_t port, uint8_t queue) const {
  for (const Watchdog& w : watchdogs_) {
    if (w.node != node || w.watchdog->parameters().action == WatchdogAction::alert) continue;
    for (size_t i = 0; i < w.watchdog->size(); ++i) {
      if (w.watchdog->port_of(i) == port && w.watchdog->queue_of(i) == queue) return true;
    }
  }
  return false;
}

void Network::SetLinkUp(size_t link, bool up) {
  const TopologyLink& l = scenario_.topology.links[link];
  for (const LinkEnd* end : {&l.a, &l.b}) {
    const Parts::Within part(context(end->node));
    if (!part.here()) continue;
    Port& at = port(end->node, end->port_index);
    PauseSender& sender = pause_sender(end->node, end->port_index);
    if (up) {
      closed_queues(end->node).SetLinkUp(at, true);
      sender.Unmute(0xff);
      if (IsHost(end->node)) nic(end->node).NoteLink(end->port_index);
      continue;
    }
    sender.Mute(0xff);
    closed_queues(end->node).SetLinkUp(at, false);
    pause_receiver(end->node, end->port_index).Reset();
    if (IsHost(end->node)) nic(end->node).NoteLink(end->port_index);
    for (const Watchdog& w : watchdogs_) {
      if (w.node == end->node) w.watchdog->Reset(at);
    }
  }
  if (!up) links_[link]->LoseOnTheWay();
}

void Network::PrepareRate(size_t link, Rate rate) {
  const TopologyLink& l = scenario_.topology.links[link];
  LinkSpec spec = l.spec;
  spec.rate = rate;
  for (const LinkEnd* end : {&l.a, &l.b}) TimingOf(end->node, spec);
}

void Network::SetLinkRate(size_t link, Rate rate) {
  const TopologyLink& l = scenario_.topology.links[link];
  LinkSpec spec = l.spec;
  spec.rate = rate;
  for (const LinkEnd* end : {&l.a, &l.b}) {
    const Parts::Within part(context(end->node));
    if (part.here()) port(end->node, end->port_index).SetTiming(&TimingOf(end->node, spec));
  }
}

/// Stops the node: it neither sends nor receives. Pauses that its port or the peer has requested remain.
void Network::SetStopped(NodeId node, bool stopped) {
  for (const Watchdog& w : watchdogs_) {
    if (w.node == node) w.watchdog->SetSuspended(stopped);
  }
  closed_queues(node).SetDeaf(stopped);
  for (Port* port : ports_[node]) {
    PauseSender& sender = pause_sender(node, port->index());
    if (stopped) sender.Mute(0xff);
    port->SetSilent(stopped);
    if (!stopped) sender.Unmute(0xff);
  }
}

void Network::BeginRestart(NodeId node) {
  if (restarts_[node]++ > 0) return;
  SetStopped(node, true);
  if (node >= scenario_.topology.hosts) return;
  nic(node).BeginRestart();
  for (const Port* port : ports_[node]) nic(node).pause_receiver(port->index()).Reset();
}

void Network::EndRestart(NodeId node) {
  if (--restarts_[node] > 0) return;
  if (node >= scenario_.topology.hosts) return SetStopped(node, false);
  // Sends frames from its queues, including those added meanwhile.
  for (Port* port : ports_[node]) {
    for (int q = 0; q < kPriorities; ++q) port->Flush(q, DropReason::restart);
  }
  SetStopped(node, false);
  nic(node).EndRestart();
}

void Network::RouteAround(const std::vector<int>& down) {
  const std::vector<RouteTable> routes = RoutesOf(scenario_, down);
  std::map<NodeId, uint8_t> left_out;  // a bit for each port, by host
  for (size_t i = 0; i < down.size(); ++i) {
    if (down[i] == 0) continue;
    const TopologyLink& l = scenario_.topology.links[i];
    for (const LinkEnd* end : {&l.a, &l.b})
      if (IsHost(end->node)) left_out[end->node] |= static_cast<uint8_t>(1u << end->port_index);
  }
  for (NodeId n = 0; n < scenario_.topology.nodes.size(); ++n) {
    if (IsHost(n) && ports_[n].size() < 2) continue;
    const Parts::Within part(context(n));
    if (!part.here()) continue;
    if (IsHost(n)) {
      nic(n).SetRoutes(routes[n], left_out[n]);
      continue;
    }
    closed_queues(n).RouteLate();
    switch_at(n).SetRoutes(routes[n]);
  }
}

}  // namespace headroom
