#include "analysis/check/buffers/check_nic_headroom.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bounds/headroom.h"
#include "analysis/bounds/switch_classes.h"
#include "analysis/check/buffers/check_headroom.h"
#include "report/text/text_table.h"
#include "scenario/yaml/quantity.h"

namespace headroom {
namespace {

/// A lower xoff if one is possible, else a larger buffer.
std::vector<Remedy> HowToFit(const NicHeadroomCheck& check) {
  const std::string buffer = "nics.*.resources.rx_buffer.";
  const Bytes need = check.need.Total(), xoff = check.size - need;
  std::vector<Remedy> remedies = {{buffer + "size=" + FormatSize(check.xoff + need)}};
  if (xoff.v > 1)
    remedies.insert(remedies.begin(),
                    {buffer + "xoff=" + FormatSize(xoff), buffer + "xon=" + FormatSize(xoff / 2)});
  return remedies;
}

/// With less than the certain bytes, a NIC that stops taking frames drops some. With less than the possible
/// bytes, it drops some if its own frames and the other sizes coincide badly.
void Judge(const NicHeadroomCheck& check, Findings& findings) {
  const Bytes need = check.need.Total();
  if (check.Room() >= need) return;
  const bool for_sure = check.Room() < check.need.for_sure;
  findings.push_back(
      {for_sure ? Finding::Severity::error : Finding::Severity::warning,
       fmt::format("NIC ← {}, {}, {} (as {})", check.from, LinkText(check.link),
                   check.hosts == 1 ? "1 host" : fmt::format("{} hosts", check.hosts), check.example),
       fmt::format("after its receive buffer has paused the switch, up to {} arrive over the wire ({}), up "
                   "to {} in the buffer and {} in any case; above xoff, {}, it has {}: lossless frames {} if "
                   "the NIC takes them in too slowly",
                   FormatBytes(check.need.OnWire()), WireSum(check.need), FormatBytes(need),
                   FormatBytes(check.need.for_sure), FormatBytes(check.xoff), FormatBytes(check.Room()),
                   for_sure ? "are dropped" : "may be dropped"),
       HowToFit(check)});
}

}  // namespace

std::vector<NicHeadroomCheck> CheckNicHeadroom(const Fabric& fabric, Findings& findings) {
  const Scenario& s = fabric.scenario();
  std::vector<NicHeadroomCheck> checks;
  const bool lossless =
      std::ranges::any_of(s.classes, [](const TrafficClass& c) { return !c.name.empty() && c.lossless; });
  if (!lossless) return checks;
  for (NodeId host = 0; host < s.topology.hosts; ++host) {
    const auto& buffer = s.nics[host].rx_buffer;
    const PathHop& up = fabric.UplinkOf(host);
    if (!buffer || fabric.node(up.to.node).is_host) continue;
    if (!s.switches[up.to.node - s.topology.hosts].pfc.enabled) continue;  // another finding reports that
    const TopologyLink& link = fabric.LinkOf(up);
    NicHeadroomCheck check{.hosts = 1,
                           .example = fabric.node(host).name,
                           .from = fabric.node(up.to.node).tier,
                           .link = link.spec,
                           .size = buffer->size,
                           .xoff = buffer->xoff,
                           .need = HeadroomAfterXoff(HeadroomInputOfNic(s, link, host))};
    // The buffer takes in frames of all ports, and pauses all of them.
    if (fabric.PortsOf(host) > 1) check.need = check.need.Times(fabric.PortsOf(host));
    const auto same = std::ranges::find_if(checks, [&](const NicHeadroomCheck& c) {
      return c.from == check.from && c.link == check.link && c.size == check.size && c.xoff == check.xoff &&
             c.need.Total() == check.need.Total();
    });
    if (same != checks.end()) {
      ++same->hosts;
    } else {
      checks.push_back(std::move(check));
    }
  }
  for (const NicHeadroomCheck& check : checks) Judge(check, findings);
  return checks;
}

}  // namespace headroom
