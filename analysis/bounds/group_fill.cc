#include "analysis/bounds/group_fill.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/bounds/headroom.h"

namespace headroom {
namespace {

/// The groups of one pool, as sums.
struct Sharing {
  double left = 1, of_ports = 0;  ///< the share of S that dynamic ones leave, and the limits of their ports
  double fixed = 0, reserved = 0, headroom = 0, for_sure = 0;
  SharedBuffer::Allowance any;  ///< one of the groups, for their common values
};

}  // namespace

GroupFill FillBesides(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic,
                      const PortClass& besides, uint8_t slice, double share) {
  GroupFill fill;
  std::map<uint16_t, Sharing> pools;
  for (const PortClass& port : c.ports) {
    const auto& group = port.classes[traffic.priority].ingress;
    const uint32_t count = port.ports - (&port == &besides ? 1 : 0);
    if (!group || group->slice != slice || count == 0) continue;
    Sharing& sharing = pools[group->pool];
    const double counted = share * count;
    sharing.any = *group;
    sharing.reserved += static_cast<double>(group->reserved) * counted;
    if (group->alpha) {
      sharing.left *= std::pow(1 + *group->alpha, -counted);
      sharing.of_ports += static_cast<double>(group->of_port) * counted;
    } else {
      sharing.fixed += static_cast<double>(std::min({group->fixed, group->of_port, group->cap})) * counted;
    }
    const LinkHeadroom need =
        HeadroomOfLink(fabric.scenario(), fabric.topology().links[port.link_index], c.example);
    sharing.headroom += static_cast<double>(std::min(need.Total().v, group->headroom)) * counted;
    sharing.for_sure += static_cast<double>(std::min(need.for_sure.v, group->headroom)) * counted;
    fill.groups += count;
  }
  for (const auto& [pool, sharing] : pools) {
    const auto shared = static_cast<double>(std::max<int64_t>(0, sharing.any.shared));
    const double dynamic = std::min(shared * (1 - sharing.left), sharing.of_ports);
    const double held = std::min(dynamic + sharing.fixed, static_cast<double>(sharing.any.cap));
    fill.before_xoff += Bytes(std::llround(sharing.reserved + held));
    const auto most = static_cast<double>(sharing.any.pool_headroom);
    const auto of_pool = [most](double headroom) {
      return Bytes(std::llround(most > 0 ? std::min(headroom, most) : headroom));
    };
    fill.headroom += of_pool(sharing.headroom);
    fill.for_sure += of_pool(sharing.for_sure);
  }
  return fill;
}

}  // namespace headroom
