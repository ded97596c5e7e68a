// The names of DCQCN's parameters on ConnectX adapters, in addition to the publication's.
//
// Sources: sysfs of MLNX_OFED (ecn/roce_rp, ecn/roce_np), debugfs of the Linux kernel (cc_params;
// drivers/infiniband/hw/mlx5/cong.c), mlxconfig (NVIDIA, DCQCN CC Parameters), which has a name for each
// port.
#pragma once

#include <string>
#include <vector>

#include "scenario/keys/keys.h"

namespace headroom::keys {

/// All names of the parameter with this name in sysfs: "rpg_gd", "RPG_GD", "RPG_GD_P1", "rp_gd".
std::vector<std::string> VendorNames(const std::string& sysfs);

/// Adds the adapters' other names to a key that has sysfs's name; mlxconfig's name for a second port is
/// refused.
void NameAsAdapters(Key& key);
template <class S>
KeyOf<S> OfAdapter(KeyOf<S> key) {
  NameAsAdapters(key);
  return key;
}

/// A bit: 0 or 1 as in the adapters, "True(1)" as mlxconfig prints it, or true or false.
KindOf<bool> Bit();

}  // namespace headroom::keys
