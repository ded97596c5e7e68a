// Decides whether the scenario's own bursts send more to a switch than its lossless groups and queues may
// hold.
#pragma once

#include <optional>
#include <string>

#include "analysis/check/buffers/burst_replay.h"

namespace headroom {

/// A sentence about the first drop, if it has `reason` and class `priority` (none: any class). It covers
/// incasts, permutations and streams that only pauses slow down, and that meet at a switch of `c`. Empty if
/// there is no drop. It excludes workloads whose NICs react to marks or are not ideal, or whose senders are
/// random. It also excludes flows whose frames take several paths, change their class or are delayed at
/// random.
std::string OverrunText(const Fabric& fabric, const SwitchClass& c, DropReason reason,
                        std::optional<uint8_t> priority = {});

}  // namespace headroom
