// The ideal completion time of every message of a run: the time of the same message on the same path without
// other traffic.
#pragma once

#include <vector>

#include "scenario/scenario.h"
#include "workload/message_record.h"

namespace headroom {

/// Fills MessageRecord::ideal.
void FillIdealTimes(const Scenario& scenario, std::vector<MessageRecord>& messages);

}  // namespace headroom
