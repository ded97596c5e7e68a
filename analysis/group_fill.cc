#include "analysis/group_fill.h"

#include <algorithm>
#include <cmath>

#include "analysis/headroom.h"

namespace headroom {

GroupFill FillBesides(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic,
                      const PortClass& besides) {
  GroupFill fill;
  double alphas = 0;
  Bytes fixed, reserved, xoffs, pool_headroom, shared;
  for (const PortClass& port : c.ports) {
    const auto& group = port.groups[traffic.priority];
    const uint32_t count = port.ports - (&port == &besides ? 1 : 0);
    if (!group || count == 0) continue;
    const BufferPool* pool = FindPool(c.parameters->buffer, group->pool);
    if (pool == nullptr) continue;
    shared = c.SharedBytes(*pool, false);
    pool_headroom = pool->xoff;
    fill.groups += count;
    reserved += group->size * count;
    if (group->dynamic_th) alphas += std::exp2(*group->dynamic_th) * count;
    if (group->static_th) fixed += *group->static_th * count;
    const Bytes need =
        HeadroomOfLink(fabric.scenario(), fabric.topology().links[port.link_index], c.example).Total();
    xoffs += std::min(need, group->xoff.value_or(Bytes())) * count;
  }
  const Bytes dynamic(std::llround(static_cast<double>(shared.v) * alphas / (1 + alphas)));
  fill.before_xoff = reserved + dynamic + fixed;
  fill.headroom = pool_headroom.v > 0 ? std::min(xoffs, pool_headroom) : xoffs;
  return fill;
}

}  // namespace headroom
