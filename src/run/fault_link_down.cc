// Links that go down and come up again, and the routes that follow.
#include "run/faults.h"
#include "run/network.h"
#include "scenario/fault_links.h"

namespace headroom {

void Faults::Apply(const LinkDownFault& fault) {
  const Topology& topology = network_.scenario().topology;
  const std::vector<uint32_t> links = LinksOf(fault, topology);
  for (const uint32_t i : links) network_.link(i).MayGoDown();
  const std::string& peer = topology.nodes[fault.b].name;
  const auto port_of = [&](const TopologyLink& link) {
    return static_cast<int>((link.a.node == fault.a ? link.a : link.b).port_index);
  };
  const int port = links.size() == 1 ? port_of(topology.links[links.front()]) : -1;
  ScheduleAtBothEnds(
      {fault.a, port, -1, "link_down to " + peer}, fault.times,
      [this, links, convergence = fault.convergence] { SetLinks(links, false, convergence); },
      [this, links, convergence = fault.convergence] { SetLinks(links, true, convergence); });
}

void Faults::SetLinks(const std::vector<uint32_t>& links, bool up, Time convergence) {
  for (const uint32_t i : links) {
    down_[i] += up ? -1 : 1;
    if (down_[i] == (up ? 0 : 1)) network_.SetLinkUp(i, up);
  }
  if (convergence == kNever) return;
  const auto follow = [this, links, up] {
    for (const uint32_t i : links) routed_[i] += up ? -1 : 1;
    network_.RouteAround(routed_);
  };
  if (convergence == Time{}) return follow();
  // Each change has its own entity, because two may be due at the same instant.
  later_.push_back(std::make_unique<Later>(follow));
  EventQueue& queue = EventQueue::Get();
  queue.PushTarget(queue.now() + convergence, TimedEvent::Order(EventClass::fault, entity_, later_.size()),
                   later_.back().get(), 0);
}

}  // namespace headroom
