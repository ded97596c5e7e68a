// Faults by which something is away for a while: links, NICs, switches.
#include "scenario/keys/faults/fault_places.h"
#include "scenario/keys/faults/fault_types.h"
#include "scenario/keys/faults/timed_fault.h"

namespace headroom::keys {

namespace {

/// Two nodes, or ports of them.
KindOf<LinkDownFault> LinkOfPorts() {
  return {LinkShape(),
          [](const Node& node, LinkDownFault& fault, Reading& reading) {
            const LinkEnds link = ReadLink(node, reading, true);
            fault.a = link.from;
            fault.b = link.to;
            fault.port_a = link.from_port;
            fault.port_b = link.to_port;
          },
          [](const LinkDownFault& fault, const Writing& writing) {
            const auto end = [&](NodeId node, const std::optional<uint32_t>& port) {
              return port ? PortName(node, *port, writing) : NameOf(node, writing);
            };
            return WriteTexts({end(fault.a, fault.port_a), end(fault.b, fault.port_b)});
          }};
}

/// One that does not end is no restart.
template <class F>
KeysOf<F> Restart(const char* type, const char* help, KeyOf<F> place) {
  return TimedFault<F>(type, help, {std::move(place)}, false,
                       [](const Node& node, const F&, Reading& reading) { NeedKey(node, "stop", reading); });
}

KindOf<NodeId> SwitchByName() {
  return {Text().shape,
          [](const Node& node, NodeId& out, Reading& reading) {
            out = reading.names->AnyNode(node);
            if (out < reading.topology->hosts)
              throw ScenarioError(node.where, Quote(node.text) + " is not a switch",
                                  "a host's NIC restarts by type: nic_restart");
          },
          [](const NodeId& of, const Writing& writing) { return WriteTexts({NameOf(of, writing)}); }};
}

}  // namespace

const KeysOf<LinkDownFault>& KeysFor(const LinkDownFault&) {
  using F = LinkDownFault;
  KindOf<Time> convergence = Times();
  convergence.read = [](const Node& node, Time& out, Reading&) { out = ParseTime(node); };
  static const KeysOf<F> keys =
      TimedFault<F>("link_down", "both directions of a link, or of all links between two nodes",
                    {{"link", LinkOfPorts(), "its ends; node:port names one of several", {.required = true}},
                     {"convergence", &F::convergence, OrWord("never", kNever, convergence),
                      "time until routes avoid the link"}});
  return keys;
}

const KeysOf<NicRestartFault>& KeysFor(const NicRestartFault&) {
  using F = NicRestartFault;
  static const KeysOf<F> keys =
      Restart<F>("nic_restart", "the driver of a host's NIC restarts: its queue pairs are gone",
                 {"node", &F::host, HostByName(), "the host", {.required = true}});
  return keys;
}

const KeysOf<WarmRestartFault>& KeysFor(const WarmRestartFault&) {
  using F = WarmRestartFault;
  static const KeysOf<F> keys =
      Restart<F>("warm_restart", "a switch restarts warm: its data plane stops, and keeps what it holds",
                 {"node", &F::node, SwitchByName(), "the switch", {.required = true}});
  return keys;
}

}  // namespace headroom::keys
