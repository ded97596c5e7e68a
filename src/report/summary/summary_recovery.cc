// The hardware that loss recovery needs in NICs.
#include <algorithm>

#include "nic/transport/recovery/hardware.h"
#include "report/summary/summary_sections.h"

namespace headroom {

using nlohmann::ordered_json;

ordered_json SummariseRecovery(const Scenario& scenario, const RunRecord& record) {
  const auto of = [&](const NicParameters& nic) {
    return HardwareOf(nic.transport, scenario.mtu, int64_t{scenario.topology.hosts} - 1);
  };
  const auto size = [&](const NicParameters& nic) {
    const RecoveryHardware h = of(nic);
    return h.contexts.value_or(1) * (h.context_bits.value_or(0) + h.buffer_bits);
  };
  const RecoveryHardware h = of(std::ranges::max(scenario.nics, {}, size));
  const auto known = [](std::optional<int64_t> n) { return n ? ordered_json(*n) : ordered_json(); };
  ordered_json out;
  out["context_bits"] = known(h.context_bits);
  out["buffer_bits"] = h.buffer_bits;
  out["contexts"] = known(h.contexts);
  out["bits"] = h.contexts && h.context_bits ? ordered_json(*h.contexts * (*h.context_bits + h.buffer_bits))
                                             : ordered_json();
  out["contexts_used"] = record.contexts_used ? ordered_json(*record.contexts_used) : ordered_json();
  out["contexts_refused"] = record.contexts_refused;
  return out;
}

}  // namespace headroom
