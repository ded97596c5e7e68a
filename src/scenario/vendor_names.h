// The names that DCQCN's parameters have on ConnectX adapters, beside the publication's.
//
// Sources: sysfs of MLNX_OFED (ecn/roce_rp, ecn/roce_np), debugfs of the Linux kernel (cc_params;
// drivers/infiniband/hw/mlx5/cong.c), mlxconfig (NVIDIA, DCQCN CC Parameters), which has one for each port.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenario/reader.h"

namespace headroom {

/// All names of the parameter that sysfs calls so: "rpg_gd", "RPG_GD", "RPG_GD_P1", "rp_gd".
std::vector<std::string> VendorNames(const std::string& sysfs);

/// Reads a parameter under whichever of its vendor's names it has: f(value, name). Two names of one parameter
/// are an error at the second, whether vendor's or `papers`, which the caller reads (null: there is none); so
/// is mlxconfig's name for an adapter's second port, since a NIC has one here. Other unknown keys are told to
/// use the papers' and sysfs's names. True: it is there.
bool ReadVendors(MapReader& map, const char* papers, const char* sysfs,
                 const std::function<void(const Node&, const std::string&)>& f);

/// A whole number of `unit`.
template <class Q>
bool ReadVendors(MapReader& map, const char* papers, const char* sysfs, Q& out, Q unit, int64_t least,
                 int64_t most) {
  return ReadVendors(map, papers, sysfs, [&](const Node& value, const std::string&) {
    out = unit * ParseInteger(value, least, most);
  });
}

/// 0 or 1 as the adapters have it, as mlxconfig prints it ("True(1)"), or true or false.
bool ParseVendorsBit(const Node& node);

}  // namespace headroom
