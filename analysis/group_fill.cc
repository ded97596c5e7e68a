#include "analysis/group_fill.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/headroom.h"

namespace headroom {
namespace {

/// The groups of one pool.
struct Sharing {
  double alphas = 0, of_ports = 0;  ///< of the dynamic ones, and what their ports allow them
  int64_t fixed = 0, reserved = 0, headroom = 0;
  SharedBuffer::Allowance any;  ///< one of them, for what they share
};

}  // namespace

GroupFill FillBesides(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic,
                      const PortClass& besides, uint8_t slice) {
  GroupFill fill;
  std::map<uint16_t, Sharing> pools;
  for (const PortClass& port : c.ports) {
    const auto& group = port.classes[traffic.priority].ingress;
    const uint32_t count = port.ports - (&port == &besides ? 1 : 0);
    if (!group || group->slice != slice || count == 0) continue;
    Sharing& sharing = pools[group->pool];
    sharing.any = *group;
    sharing.reserved += group->reserved * count;
    if (group->alpha) {
      sharing.alphas += *group->alpha * count;
      sharing.of_ports += static_cast<double>(group->of_port) * count;
    } else {
      sharing.fixed += std::min({group->fixed, group->of_port, group->cap}) * count;
    }
    const Bytes need =
        HeadroomOfLink(fabric.scenario(), fabric.topology().links[port.link_index], c.example).Total();
    sharing.headroom += std::min(need.v, group->headroom) * count;
    fill.groups += count;
  }
  for (const auto& [pool, sharing] : pools) {
    const auto shared = static_cast<double>(std::max<int64_t>(0, sharing.any.shared));
    const int64_t dynamic =
        std::llround(std::min(shared * sharing.alphas / (1 + sharing.alphas), sharing.of_ports));
    fill.before_xoff += Bytes(sharing.reserved + std::min(dynamic + sharing.fixed, sharing.any.cap));
    const int64_t most = sharing.any.pool_headroom;
    fill.headroom += Bytes(most > 0 ? std::min(sharing.headroom, most) : sharing.headroom);
  }
  return fill;
}

}  // namespace headroom
