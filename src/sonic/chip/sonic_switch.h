// Converts a SONiC configuration to the configuration of a scenario's switch: buffer, maps, scheduling, ECN,
// watchdogs.
#pragma once

#include <string>
#include <vector>

#include "net/traffic_class.h"
#include "pfc/parameters.h"
#include "sim/finding.h"
#include "sonic/chip/asic.h"
#include "sonic/tables/config.h"
#include "sonic/tables/source.h"
#include "switch/buffer/buffer_parameters.h"
#include "switch/buffer/qos_maps.h"

namespace headroom {

struct SonicSwitchOptions {
  std::string asic;  ///< a name for FindSonicAsic; empty: taken from DEVICE_METADATA
  SonicPortNaming naming = SonicPortNaming::automatic;
};

struct SonicSwitchModel {
  BufferParameters buffer;                    ///< `size` is the memory; chip_ports are all ports of the file
  std::vector<PortQos> qos;                   ///< indexed by port of the scenario
  std::vector<WatchdogParameters> watchdogs;  ///< as in PFC_WD
  WatchdogVendor watchdog_vendor = WatchdogVendor::broadcom;  ///< vendor of the ASIC
  /// Indexed by port of the scenario: the priorities of pfcwd_sw_enable; if it names none, those with PFC.
  std::vector<uint8_t> watched;
  std::vector<std::string> file_ports;  ///< indexed by port of the scenario: its name in the file
  bool by_name = false;                 ///< ports were matched by name
  /// If there is an error, the other members must not be used.
  Findings findings;
};

/// `ports`: the switch's ports that the scenario links, with the links' rates and delays. Classes are checked
/// against the file: their DSCP decides their place. REQUIRES: the configuration has no errors. If its buffer
/// model is dynamic, ComputeDynamicModel (sonic/chip/dynamic_model.h) was applied.
SonicSwitchModel SonicSwitch(const SonicConfig& config, const std::vector<ChipPort>& ports,
                             const TrafficClasses& classes, const SonicSwitchOptions& options = {});

}  // namespace headroom
