// The names that DCQCN's parameters have on ConnectX adapters, beside the publication's.
//
// Sources: sysfs of MLNX_OFED (ecn/roce_rp, ecn/roce_np), debugfs of the Linux kernel (cc_params;
// drivers/infiniband/hw/mlx5/cong.c), mlxconfig (NVIDIA, DCQCN CC Parameters), which has one for each port.
#pragma once

#include <string>
#include <vector>

#include "scenario/keys/keys.h"

namespace headroom::keys {

/// All names of the parameter that sysfs calls so: "rpg_gd", "RPG_GD", "RPG_GD_P1", "rp_gd".
std::vector<std::string> VendorNames(const std::string& sysfs);

/// Gives a key that has sysfs's name the adapters' others; mlxconfig's for a second port is refused.
void NameAsAdapters(Key& key);
template <class S>
KeyOf<S> OfAdapter(KeyOf<S> key) {
  NameAsAdapters(key);
  return key;
}

/// A bit: 0 or 1 as in the adapters, as mlxconfig prints it ("True(1)"), or true or false.
KindOf<bool> Bit();

}  // namespace headroom::keys
