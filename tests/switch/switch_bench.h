// A switch with listeners instead of hosts: listener i is host i, behind port i. A program has only one of
// these.
#pragma once

#include <memory>
#include <vector>

#include "net/topology/topology_builders.h"
#include "support/cable.h"
#include "switch/switch.h"

namespace headroom {

class SwitchBench {
 public:
  SwitchBench(uint32_t hosts, const SwitchConfig& config, const BufferParameters& buffer,
              const TrafficClasses& classes, const LinkSpec& link)
      : timing_(link.rate, link.delay + link.phy, FrameFormat{}.gap), listeners(hosts) {
    StartSimulator(1);
    std::vector<std::string> names;
    for (uint32_t i = 0; i < hosts; ++i) names.push_back("h" + std::to_string(i));
    routes_ = ComputeRoutes(BuildStar(names, link));
    node = ns3::CreateObject<Switch>();
    std::vector<BufferPort> buffer_ports;
    for (uint32_t i = 0; i < hosts; ++i) {
      ports.push_back(ns3::CreateObject<Port>());
      ports[i]->Setup(&listeners[i], &pool, &timing_, {}, classes, 0,
                      EventQueue::Get().AddEntity(static_cast<uint32_t>(i)));
      const auto inner = ns3::CreateObject<Port>();
      inner->Setup(ns3::PeekPointer(node), &pool, &timing_, {}, classes, static_cast<uint16_t>(i),
                   EventQueue::Get().AddEntity(static_cast<uint32_t>(hosts)));
      node->AddPort(inner);
      links_.push_back(ns3::CreateObject<Link>());
      links_.back()->Connect(*ports[i], *inner, link, "h" + std::to_string(i));
      buffer_ports.push_back({"p" + std::to_string(i), link.rate, link.delay});
    }
    node->Setup(config, buffer, buffer_ports, classes, routes_[hosts]);
    node->CheckAlways();
    Port::InstallHandlers(EventQueue::Get(), *ports[0]);
  }
  ~SwitchBench() { ns3::Simulator::Destroy(); }

  /// Host `from` sends a frame to host `to`. Frames are numbered from 0 in the order of these calls.
  Frame* Send(NodeId from, NodeId to, int priority, uint32_t bytes, FrameKind kind = FrameKind::data) {
    Frame* f = pool.Take();
    f->kind = kind;
    f->priority = static_cast<uint8_t>(priority);
    f->bytes = f->charge = bytes;
    f->src = from;
    f->dst = to;
    f->psn = next_++;
    ports[from]->Enqueue(f);
    return f;
  }
  SharedBuffer& buffer() { return node->buffer(); }
  uint64_t Dropped(NodeId port, int priority, DropReason reason) const {
    return node->port(port).statistics().drops(priority).packets[static_cast<int>(reason)];
  }

 private:
  LinkTiming timing_;
  std::vector<RouteTable> routes_;
  std::vector<ns3::Ptr<Link>> links_;
  uint32_t next_ = 0;

 public:
  FramePool pool;
  std::vector<Listener> listeners;
  std::vector<ns3::Ptr<Port>> ports;  ///< ports of the hosts
  ns3::Ptr<Switch> node;
};

}  // namespace headroom
