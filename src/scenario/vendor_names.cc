#include "scenario/vendor_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace headroom {
namespace {

/// The kernel's: mostly those of sysfs with the node that they belong to in front. Empty: there is none.
std::string DebugfsName(const std::string& sysfs) {
  static const std::map<std::string, std::string> kOthers{
      {"clamp_tgt_rate_after_time_inc", "rp_clamp_tgt_rate_ati"},
      {"min_time_between_cnps", "np_min_time_between_cnps"},
      {"cnp_dscp", "np_cnp_dscp"},
      {"cnp_802p_prio", "np_cnp_prio"},
      {"roce_cc_prio_mask", ""}};
  if (const auto other = kOthers.find(sysfs); other != kOthers.end()) return other->second;
  return "rp_" + (sysfs.starts_with("rpg_") ? sysfs.substr(4) : sysfs);
}

std::string MlxconfigName(std::string sysfs) {
  std::ranges::transform(sysfs, sysfs.begin(), [](unsigned char c) { return std::toupper(c); });
  return sysfs;
}

void RefuseTwoNames(MapReader& map, const std::vector<std::string>& names) {
  const std::string* first = nullptr;
  for (const std::string& name : names) {
    const Node* value = map.node().Find(name);
    if (value == nullptr) continue;
    if (first == nullptr) {
      first = &name;
      continue;
    }
    const Node* other = map.node().Find(*first);
    map.errors().Add(ScenarioError((other->where.Before(value->where) ? value : other)->where,
                                   fmt::format("{} and {} are the same parameter", *first, name),
                                   "give one of them"));
    return;
  }
}

void RefuseSecondPort(MapReader& map, const std::string& mlxconfig) {
  const std::string second = mlxconfig + "_P2";
  if (!map.Has(second)) return;
  map.Find(second);
  const auto entry = std::ranges::find(map.node().entries, second, &Entry::key);
  map.errors().Add(ScenarioError(
      entry->where, fmt::format("{} is of an adapter's second port, and a NIC has one here", second),
      fmt::format("give {}_P1, to a host of its own where it differs", mlxconfig)));
}

}  // namespace

std::vector<std::string> VendorNames(const std::string& sysfs) {
  const std::string mlxconfig = MlxconfigName(sysfs);
  std::vector<std::string> names{sysfs, mlxconfig, mlxconfig + "_P1"};
  if (const std::string debugfs = DebugfsName(sysfs); !debugfs.empty()) names.push_back(debugfs);
  return names;
}

bool ReadVendors(MapReader& map, const char* papers, const char* sysfs,
                 const std::function<void(const Node&, const std::string&)>& f) {
  std::vector<std::string> names = VendorNames(sysfs);
  map.Find(sysfs);
  RefuseSecondPort(map, MlxconfigName(sysfs));
  bool there = false;
  for (const std::string& name : names) {
    if (map.Has(name)) there |= map.Read(name, [&](const Node& value) { f(value, name); });
  }
  if (papers != nullptr) names.insert(names.begin(), papers);
  RefuseTwoNames(map, names);
  return there;
}

bool ParseVendorsBit(const Node& node) {
  if (node.IsScalar() && (node.text == "0" || node.text == "False(0)")) return false;
  if (node.IsScalar() && (node.text == "1" || node.text == "True(1)")) return true;
  return ParseFlag(node);
}

}  // namespace headroom
