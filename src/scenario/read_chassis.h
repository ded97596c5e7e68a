// The `chassis:` key of a switch.
#pragma once

#include "scenario/yaml/reader.h"
#include "switch/chassis_parameters.h"

namespace headroom {

/// What is not given has its default; {} is a chassis of one line card.
ChassisParameters ReadChassis(const Node& node, Errors& errors);

}  // namespace headroom
