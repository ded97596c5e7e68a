// Faults of links: one that is down, one that is slower than it was built.
#include <fmt/format.h>

#include "scenario/fault_links.h"
#include "scenario/keys/faults/fault_places.h"
#include "scenario/keys/faults/fault_types.h"
#include "scenario/keys/faults/timed_fault.h"

namespace headroom::keys {

namespace {

/// Two nodes, or two ports.
template <class F>
KeyOf<F> LinkOfPorts() {
  const KindOf<F> kind{LinkShape(),
                       [](const Node& node, F& fault, Reading& reading) {
                         const LinkEnds link = ReadLink(node, reading, true);
                         fault.a = link.from;
                         fault.b = link.to;
                         fault.port_a = link.from_port;
                         fault.port_b = link.to_port;
                       },
                       [](const F& fault, const Writing& writing) {
                         const auto end = [&](NodeId node, const std::optional<uint32_t>& port) {
                           return port ? PortName(node, *port, writing) : NameOf(node, writing);
                         };
                         return WriteTexts({end(fault.a, fault.port_a), end(fault.b, fault.port_b)});
                       }};
  return {"link", kind, "ends of the link; node:port selects one of several links", {.required = true}};
}

/// The fault must lower the link's rate.
void CheckSpeed(const Node& node, const LinkSpeedFault& fault, Reading& reading) {
  const Node* rate = node.Find("rate");
  if (!rate || fault.rate == Rate()) return;
  for (const uint32_t i : LinksOf(fault, *reading.topology)) {
    const TopologyLink& link = reading.topology->links[i];
    if (fault.rate <= link.spec.rate) continue;
    const auto& nodes = reading.topology->nodes;
    reading.errors.Add(ScenarioError(
        rate->where,
        fmt::format("{} is above the rate of the link {} to {}, {}", FormatRate(fault.rate),
                    nodes[link.a.node].name, nodes[link.b.node].name, FormatRate(link.spec.rate)),
        "allowed: up to the link's own rate"));
    return;
  }
}

}  // namespace

const KeysOf<LinkDownFault>& KeysFor(const LinkDownFault&) {
  using F = LinkDownFault;
  KindOf<Time> convergence = Times();
  convergence.read = [](const Node& node, Time& out, Reading&) { out = ParseTime(node); };
  static const KeysOf<F> keys =
      TimedFault<F>("link_down", "takes a link, or all links between two nodes, down in both directions",
                    {LinkOfPorts<F>(),
                     {"convergence", &F::convergence, OrWord("never", kNever, convergence),
                      "time until routes avoid the link"}});
  return keys;
}

const KeysOf<LinkSpeedFault>& KeysFor(const LinkSpeedFault&) {
  using F = LinkSpeedFault;
  static const KeysOf<F> keys = TimedFault<F>(
      "link_speed", "lowers the rate of a link, or of all links between two nodes, in both directions",
      {LinkOfPorts<F>(),
       {"rate",
        &F::rate,
        Rates(),
        "rate during the fault; if several faults overlap, the lowest applies",
        {.required = true}}},
      false, CheckSpeed);
  return keys;
}

}  // namespace headroom::keys
