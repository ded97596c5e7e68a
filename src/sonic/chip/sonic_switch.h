// From a SONiC configuration to what a switch of a scenario runs: buffer, maps, scheduling, ECN, watchdogs.
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
  std::string asic;  ///< of FindSonicAsic; empty: by DEVICE_METADATA
  SonicPortNaming naming = SonicPortNaming::automatic;
};

struct SonicSwitchModel {
  BufferParameters buffer;                    ///< `size` is the memory; chip_ports are all ports of the file
  std::vector<PortQos> qos;                   ///< by port of the scenario
  std::vector<WatchdogParameters> watchdogs;  ///< as PFC_WD has them
  WatchdogVendor watchdog_vendor = WatchdogVendor::broadcom;  ///< of the ASIC
  /// By port of the scenario: the priorities of pfcwd_sw_enable; if it names none, those with PFC.
  std::vector<uint8_t> watched;
  std::vector<std::string> file_ports;  ///< by port of the scenario, its name in the file
  bool by_name = false;                 ///< which naming was used
  /// With an error the rest is not to be used.
  Findings findings;
};

/// `ports`: those of the switch that the scenario links, with rate and delay of the link. Classes are held
/// against the file: their DSCP decides where they are. REQUIRES: the configuration has no errors, and if its
/// buffer model is dynamic, ComputeDynamicModel (sonic/chip/dynamic_model.h) was applied.
SonicSwitchModel SonicSwitch(const SonicConfig& config, const std::vector<ChipPort>& ports,
                             const TrafficClasses& classes, const SonicSwitchOptions& options = {});

}  // namespace headroom
