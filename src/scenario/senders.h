// The sources of a scenario's frames: its workloads, then its services, in the order of their tags.
#pragma once

#include <string>

#include "scenario/scenario.h"
#include "workload/frame_tag.h"

namespace headroom {

/// One more than the largest tag.
int TagCount(const Scenario& scenario);
/// Owner of the tag: a workload of messages, or a service; "others" if several share it, empty for kNoTag.
std::string SenderName(const Scenario& scenario, uint8_t tag);
/// The tag of a service, by its number.
uint8_t TagOfService(const Scenario& scenario, size_t service);
/// Whether some queue pairs have this priority; otherwise it carries only TCP, or nothing.
bool HasQueuePairs(const Scenario& scenario, uint8_t priority);

}  // namespace headroom
