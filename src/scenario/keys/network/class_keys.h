// `priorities:`, the traffic classes by name.
#pragma once

#include <optional>
#include <string>

#include "net/traffic_class.h"
#include "scenario/keys/keys.h"

namespace headroom::keys {

/// The classes if the section is absent: storage (3, DSCP 3, lossless) and cnp (6, DSCP 48, strict).
TrafficClasses DefaultTrafficClasses();
KindOf<TrafficClasses> Classes();

/// The priority of a class by name; none if there is no such class.
std::optional<uint8_t> FindClass(const TrafficClasses& classes, const std::string& name);
/// Finds the class of a value in a scenario. Errors: ScenarioError with the nearest name.
uint8_t ParseClass(const Node& node, const TrafficClasses& classes);
uint8_t ParseClass(const std::string& name, const Position& where, const TrafficClasses& classes);

/// The class of a service's traffic, by name.
KindOf<uint8_t> ClassOfService();
/// The default class: storage, else the only class that is not for CNPs. Errors as above.
uint8_t DefaultClass(const Position& where, const TrafficClasses& classes);
/// The default class of TCP: tcp, else the only lossy class, else as above.
uint8_t ClassForTcp(const Position& where, const TrafficClasses& classes);

}  // namespace headroom::keys
