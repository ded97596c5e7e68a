// Names for the operations of tests.
#pragma once

#include <string>

#include "history/judgement.h"

namespace headroom {

inline const HistoryNames kNames{[](uint32_t disk) { return "disk " + std::to_string(disk); },
                                 [](uint32_t node) { return "node " + std::to_string(node); }};

}  // namespace headroom
