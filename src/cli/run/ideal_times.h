// The ideal completion time of every message of a run: of the same message, by the same path, alone.
#pragma once

#include <vector>

#include "scenario/scenario.h"
#include "workload/message_record.h"

namespace headroom {

/// Fills MessageRecord::ideal.
void FillIdealTimes(const Scenario& scenario, std::vector<MessageRecord>& messages);

}  // namespace headroom
