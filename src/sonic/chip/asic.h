// Which ASIC a SONiC switch has, by its SKU.
//
// Sources: sonic-mgmt, ansible/group_vars/sonic/variables (lists of SKUs by ASIC); for SKUs that are in no
// list, the vendor's data sheet names the ASIC. Memory: as each row says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pfc/parameters.h"
#include "sonic/tables/config.h"
#include "switch/buffer/asic_families.h"

namespace headroom {

struct SonicAsic {
  const AsicFamily* family = nullptr;  ///< not null
  WatchdogVendor watchdog = WatchdogVendor::broadcom;
  Bytes memory;               ///< of the packet buffer; 0: not known
  std::string memory_source;  ///< where that number is from
};

/// By name: td2, th, …; q3d. None for another name.
std::optional<SonicAsic> FindSonicAsic(const std::string& name);

/// Every name that FindSonicAsic knows.
std::vector<std::string> SonicAsicNames();

/// By hwsku, or for Spectrum by platform. None: the ASIC of the switch is unknown or not supported.
std::optional<SonicAsic> AsicOfDevice(const SonicDevice& device);

}  // namespace headroom
