// Links that go down and come up again, and the routes that follow.
#include "run/faults.h"
#include "run/network.h"

namespace headroom {

void Faults::Apply(const LinkDownFault& fault) {
  std::vector<size_t> links;
  LinkEnd first;
  for (const auto& [i, side] : LinksBetween(fault.a, fault.b)) {
    const LinkEnd& a = EndOf(i, side);
    const LinkEnd& b = EndOf(i, 1 - side);
    if (a.port_index != fault.port_a.value_or(a.port_index)) continue;
    if (b.port_index != fault.port_b.value_or(b.port_index)) continue;
    if (links.empty()) first = a;
    links.push_back(i);
    network_.link(i).MayGoDown();
  }
  const std::string& peer = network_.scenario().topology.nodes[fault.b].name;
  const int port = links.size() == 1 ? static_cast<int>(first.port_index) : -1;
  Schedule(
      {fault.a, port, -1, "link_down to " + peer}, fault.times,
      [this, links, convergence = fault.convergence] { SetLinks(links, false, convergence); },
      [this, links, convergence = fault.convergence] { SetLinks(links, true, convergence); });
}

void Faults::SetLinks(const std::vector<size_t>& links, bool up, Time convergence) {
  for (const size_t i : links) {
    down_[i] += up ? -1 : 1;
    if (down_[i] == (up ? 0 : 1)) network_.SetLinkUp(i, up);
  }
  if (convergence == kNever) return;
  const auto follow = [this, links, up] {
    for (const size_t i : links) routed_[i] += up ? -1 : 1;
    network_.RouteAround(routed_);
  };
  if (convergence == Time{}) return follow();
  // One entity of its own for each change, for two may come due at one instant.
  later_.push_back(std::make_unique<Later>(follow));
  EventQueue& queue = EventQueue::Get();
  queue.PushTarget(queue.now() + convergence, TimedEvent::Order(EventClass::fault, entity_, later_.size()),
                   later_.back().get(), 0);
}

}  // namespace headroom
