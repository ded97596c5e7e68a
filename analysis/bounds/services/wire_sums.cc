#include "analysis/bounds/services/wire_sums.h"

namespace headroom {

WireSums::WireSums(const Fabric& fabric, const WireRules& rules)
    : rules_(rules), headers_(ControlHeadersOf(fabric.scenario())), bytes_(fabric), frames_(fabric) {}

void WireSums::Add(NodeId from, NodeId to, const BothDirections& both, double times) {
  const Carried there = WithControls(both.there, headers_[from], headers_[to], rules_.frames),
                back = WithControls(both.back, headers_[to], headers_[from], rules_.frames);
  bytes_.Add(from, to, times * there.OnWire(rules_.frames));
  bytes_.Add(to, from, times * back.OnWire(rules_.frames));
  frames_.Add(from, to, times * there.frames);
  frames_.Add(to, from, times * back.frames);
}

}  // namespace headroom
