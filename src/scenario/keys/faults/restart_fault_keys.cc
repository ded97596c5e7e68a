// Faults with a temporary absence: NICs, switches.
#include "scenario/keys/faults/fault_places.h"
#include "scenario/keys/faults/fault_types.h"
#include "scenario/keys/faults/timed_fault.h"

namespace headroom::keys {

namespace {

/// A fault that does not end is not a restart.
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
                                  "for the NIC of a host use type: nic_restart");
          },
          [](const NodeId& of, const Writing& writing) { return WriteTexts({NameOf(of, writing)}); }};
}

}  // namespace

const KeysOf<NicRestartFault>& KeysFor(const NicRestartFault&) {
  using F = NicRestartFault;
  static const KeysOf<F> keys =
      Restart<F>("nic_restart", "the driver of a host's NIC restarts, and the NIC loses its queue pairs",
                 {"node", &F::host, HostByName(), "the host", {.required = true}});
  return keys;
}

const KeysOf<WarmRestartFault>& KeysFor(const WarmRestartFault&) {
  using F = WarmRestartFault;
  static const KeysOf<F> keys =
      Restart<F>("warm_restart", "warm restart of a switch: the data plane stops, but keeps its frames",
                 {"node", &F::node, SwitchByName(), "the switch", {.required = true}});
  return keys;
}

}  // namespace headroom::keys
