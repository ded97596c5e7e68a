// The ASIC of a SONiC switch, by its SKU.
//
// Sources: sonic-mgmt, ansible/group_vars/sonic/variables (lists of SKUs by ASIC). If no list contains an
// SKU, the vendor's data sheet names the ASIC. Memory: each row states its source.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pfc/parameters.h"
#include "sonic/chip/spectrum.h"
#include "sonic/tables/config.h"
#include "switch/buffer/asic_families.h"

namespace headroom {

struct SonicAsic {
  const AsicFamily* family = nullptr;  ///< never null
  WatchdogVendor watchdog = WatchdogVendor::broadcom;
  Bytes memory;                  ///< size of the packet buffer; 0: unknown
  std::string memory_source;     ///< source of that number
  bool memory_at_least = false;  ///< a lower bound: the pools of some switch take as much
};

/// By name: td2, th, …; q3d. Returns none for another name.
std::optional<SonicAsic> FindSonicAsic(const std::string& name);

/// Every name that FindSonicAsic knows.
std::vector<std::string> SonicAsicNames();

/// By platform or hwsku; also of a generation that FindSonicAsic does not know.
std::optional<SpectrumAsic> SpectrumOfDevice(const SonicDevice& device);

/// The ASIC by hwsku, or for Spectrum by platform. None if the ASIC of the switch is unknown or not
/// supported.
std::optional<SonicAsic> AsicOfDevice(const SonicDevice& device);

}  // namespace headroom
