// Whether a workload of the scenario by itself sends more to one queue than its lossless groups may hold.
#pragma once

#include <optional>
#include <string>

#include "analysis/bounds/switch_classes.h"

namespace headroom {

/// Senders at line rate that nothing slows down but pauses: `groups` fill, and hold `held` for a queue that
/// takes `limit`.
struct Overrun {
  std::string workload, target;  ///< a host
  uint32_t groups = 0;
  Bytes held, limit;
};

/// By the first burst of an incast, or by a stream, of this class to a host at a switch of `c`. None where
/// the senders may slow down before: where their NICs react to marks of that queue, or are not ideal.
std::optional<Overrun> OverrunOf(const Fabric& fabric, const SwitchClass& c, const TrafficClass& traffic);

}  // namespace headroom
