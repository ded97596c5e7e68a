#include "scenario/keys/vendor_names.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace headroom::keys {
namespace {

/// The kernel's name: usually that of sysfs with its node as prefix. Empty if there is none.
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

bool ParseVendorsBit(const Node& node) {
  if (node.IsScalar() && (node.text == "0" || node.text == "False(0)")) return false;
  if (node.IsScalar() && (node.text == "1" || node.text == "True(1)")) return true;
  return ParseFlag(node);
}

}  // namespace

std::vector<std::string> VendorNames(const std::string& sysfs) {
  const std::string mlxconfig = MlxconfigName(sysfs);
  std::vector<std::string> names{sysfs, mlxconfig, mlxconfig + "_P1"};
  if (const std::string debugfs = DebugfsName(sysfs); !debugfs.empty()) names.push_back(debugfs);
  return names;
}

void NameAsAdapters(Key& key) {
  const std::vector<std::string> names = VendorNames(key.name);
  key.traits.hidden.assign(names.begin() + 1, names.end());
  key.traits.second_port = MlxconfigName(key.name) + "_P2";
}

KindOf<bool> Bit() {
  return {{"flag", "true or false, 1 or 0", R"({"$ref": "#/definitions/bit"})"},
          [](const Node& node, bool& out, Reading&) { out = ParseVendorsBit(node); },
          [](const bool& value, const Writing&) { return std::string(value ? "true" : "false"); }};
}

}  // namespace headroom::keys
