// Links that temporarily send at a lower rate.
#include <fmt/format.h>

#include "run/faults.h"
#include "run/network.h"
#include "scenario/fault_links.h"

namespace headroom {

void Faults::Apply(const LinkSpeedFault& fault) {
  const Topology& topology = network_.scenario().topology;
  for (const uint32_t i : LinksOf(fault, topology)) {
    network_.PrepareRate(i, fault.rate);
    const LinkEnd& end = EndOf(i, topology.links[i].a.node == fault.a ? 0 : 1);
    const std::string what =
        fmt::format("link_speed to {}, {} bit/s", topology.nodes[fault.b].name, fault.rate.v);
    ScheduleAtBothEnds(
        {end.node, Index(end), -1, what}, fault.times,
        [this, i, rate = fault.rate] {
          lowered_[i].insert(rate);
          network_.SetLinkRate(i, *lowered_[i].begin());
        },
        [this, i, rate = fault.rate] {
          lowered_[i].erase(lowered_[i].find(rate));
          const Rate own = network_.scenario().topology.links[i].spec.rate;
          network_.SetLinkRate(i, lowered_[i].empty() ? own : *lowered_[i].begin());
        });
  }
}

}  // namespace headroom
