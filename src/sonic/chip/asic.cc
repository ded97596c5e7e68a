#include "sonic/chip/asic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace headroom {

namespace {

struct Memory {
  const char* family;
  int64_t bytes;
  const char* source;
  bool at_least = false;  ///< what one switch's pools take; another's may take more
};

/// SONiC's own tables give complete memories, in cells; vendors publish rounded megabytes.
constexpr Memory kMemories[] = {
    {"td2", 12'766'208, "Force10-S6000: size of the unlimited egress pool, 61 376 cells"},
    {"th", 16'777'216, "data sheet, 16 MB"},
    {"th2", 44'302'336, "Arista-7260CX3: the static limit that stands for no limit, 212 992 cells"},
    {"td3", 33'554'432, "data sheet, 32 MB: 131 072 cells"},
    {"th3", 67'117'468, "DellEMC-Z9332f: the static limit that stands for no limit"},
    {"th4", 113'620'296, "DellEMC-Z9664f-O64: the ingress pool with its headroom, 447 324 cells", true},
    {"th5", 165'660'324, "Arista-7060X6-64PE: the ingress pool plus its headroom", true},
    {"spectrum1", 16'777'216, "data sheet, 16 MB"},
    {"spectrum2", 44'040'192, "data sheet, 42 MB"},
    {"spectrum3", 67'108'864, "data sheet, 64 MB"},
    {"spectrum4", 167'772'160, "data sheet, 160 MB"},
    {"spectrum5", 167'772'160, "data sheet, 160 MB"},
};

struct AsicModel {
  const char* part;  ///< part of the SKU's name
  const char* family;
};

constexpr AsicModel kModels[] = {
    {"Force10-S6000", "td2"},  {"ACS-S6000", "td2"},     {"7050-QX", "td2"},        {"7050QX", "td2"},
    {"Nexus-3132", "td2"},     {"Nexus-3164", "td2"},    {"ACS-N3132", "td2"},      {"7050CX3", "td3"},
    {"DellEMC-S5232f", "td3"}, {"Force10-S6100", "th"},  {"7060CX-32S", "th"},      {"DX010", "th"},
    {"AS7712-32X", "th"},      {"7260CX3", "th2"},       {"DellEMC-Z9264f", "th2"}, {"DellEMC-Z9332f", "th3"},
    {"7060DX5", "th4"},        {"IXR7220-H4", "th4"},    {"7060X6", "th5"},         {"IXR7220-H5", "th5"},
    {"7800R3", "jericho2"},    {"IXR7250E", "jericho2"}, {"NH-5010", "q3d"},
};

}  // namespace

std::optional<SonicAsic> FindSonicAsic(const std::string& name) {
  SonicAsic asic;
  asic.family = FindAsicFamily(name);
  if (!asic.family) return std::nullopt;
  if (name.starts_with("spectrum")) asic.watchdog = WatchdogVendor::mellanox;
  const auto memory = std::ranges::find_if(kMemories, [&](const Memory& m) { return m.family == name; });
  if (memory != std::end(kMemories)) {
    asic.memory = Bytes(memory->bytes);
    asic.memory_source = memory->source;
    asic.memory_at_least = memory->at_least;
  }
  return asic;
}

std::vector<std::string> SonicAsicNames() { return AsicFamilyNames(); }

std::optional<SpectrumAsic> SpectrumOfDevice(const SonicDevice& device) {
  std::string sku = device.hwsku.value_or("");
  std::ranges::transform(sku, sku.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  auto spectrum = SpectrumOfPlatform(device.platform.value_or(""));
  if (!spectrum && (sku.starts_with("acs-") || sku.starts_with("mellanox-")))
    spectrum = SpectrumOfPlatform("mlnx_" + sku);
  return spectrum;
}

std::optional<SonicAsic> AsicOfDevice(const SonicDevice& device) {
  const std::string hwsku = device.hwsku.value_or("");
  for (const AsicModel& model : kModels)
    if (hwsku.find(model.part) != std::string::npos) return FindSonicAsic(model.family);
  const auto spectrum = SpectrumOfDevice(device);
  if (!spectrum) return std::nullopt;
  return FindSonicAsic(fmt::format("spectrum{}", spectrum->generation));
}

}  // namespace headroom
