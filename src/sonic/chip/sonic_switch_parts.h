// Parts of SonicSwitch, in the order in which they are called.
#pragma once

#include "sonic/chip/sonic_switch.h"
#include "sonic/tables/findings.h"

namespace headroom {

/// Fills file_ports and by_name. Returns false, with an error, if there is no mapping. Also checks the speed
/// and cable of each port against its link.
bool MapSonicPorts(const SonicConfig& config, const std::vector<ChipPort>& ports, SonicPortNaming naming,
                   SonicSwitchModel& model, SonicFindings& findings);

BufferParameters SonicBuffer(const SonicConfig& config, const SonicAsic& asic,
                             const std::vector<ChipPort>& ports, const SonicSwitchModel& model,
                             SonicFindings& findings);

/// The maps of one port of the file. Unsupported numbers become 0; CheckSonicClasses finds the classes that
/// use them.
PortQos SonicPortMaps(const SonicConfig& config, const std::string& file_port, SonicFindings& findings);

std::vector<WatchdogParameters> SonicWatchdogs(const SonicConfig& config, const SonicAsic& asic,
                                               const std::vector<ChipPort>& ports,
                                               const SonicSwitchModel& model, SonicFindings& findings);

/// Reports errors if a class is lossless in the scenario and not on the switch, or is in a group or queue
/// without a profile.
void CheckSonicClasses(const SonicConfig& config, const TrafficClasses& classes,
                       const SonicSwitchModel& model, SonicFindings& findings);

/// The map with this name that applies to a port: from its own row in PORT_QOS_MAP, else from the switch's.
/// Null if there is none.
const SonicMap* MapAtPort(const SonicConfig& config, const std::string& file_port, const SonicMaps& maps,
                          SonicValue<std::string> SonicPortQos::*name);

/// A pattern that matches only this name.
std::string Exactly(const std::string& name);

}  // namespace headroom
