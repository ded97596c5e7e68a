// Whether the scenario's own bursts send more to a switch than its lossless groups and queues may hold.
#pragma once

#include <optional>
#include <string>

#include "analysis/check/buffers/burst_replay.h"

namespace headroom {

/// A sentence about the first drop, if it is for `reason` and of class `priority` (none: of any). It covers
/// incasts, permutations and streams that only pauses slow down, and that meet at a switch of `c`. Empty
/// without any. Left out are those whose NICs react to marks or are not ideal, and those whose senders are
/// drawn, and flows whose frames take several ways, change their class or are delayed at random.
std::string OverrunText(const Fabric& fabric, const SwitchClass& c, DropReason reason,
                        std::optional<uint8_t> priority = {});

}  // namespace headroom
