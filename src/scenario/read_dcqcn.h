// The key `dcqcn` of a NIC.
#pragma once

#include "dcqcn/parameters.h"
#include "net/traffic_class.h"
#include "scenario/reader.h"

namespace headroom {

/// What is not given keeps its value. The reaction point's and the notification point's parameters are known
/// by the paper's names, with units, and by those of ConnectX adapters, as whole numbers in the adapters' own
/// units (NVIDIA, DCQCN CC Parameters; the names are those of sysfs, and of mlxconfig in lower case).
void ReadDcqcn(const Node& node, DcqcnParameters& dcqcn, const TrafficClasses& classes, Errors& errors);

}  // namespace headroom
