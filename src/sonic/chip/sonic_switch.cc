#include "sonic/chip/sonic_switch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sonic/chip/sonic_switch_parts.h"

namespace headroom {

namespace {

std::optional<SonicAsic> ChooseAsic(const SonicConfig& config, const std::string& name,
                                    SonicFindings& findings) {
  const auto known = AsicOfDevice(config.device);
  const SonicPlace place{"DEVICE_METADATA", "localhost", "hwsku"};
  if (!name.empty()) {
    if (known && known->family->name != name)
      findings.Note(place, fmt::format("this switch has ASIC {}, but the scenario gives {}",
                                       known->family->name, name));
    return FindSonicAsic(name);
  }
  if (known) return known;
  const auto spectrum = SpectrumOfDevice(config.device);
  if (spectrum && spectrum->generation == 6) {
    findings.Error(place, kNoSpectrum6, kInsteadOfSpectrum6);
    return std::nullopt;
  }
  const std::string sku = config.device.hwsku ? '"' + *config.device.hwsku + '"' : "a switch without hwsku";
  findings.Error(place, fmt::format("the ASIC of {} is unknown", sku),
                 fmt::format("give asic, one of: {}", fmt::join(SonicAsicNames(), ", ")));
  return std::nullopt;
}

}  // namespace

SonicSwitchModel SonicSwitch(const SonicConfig& config, const std::vector<ChipPort>& ports,
                             const TrafficClasses& classes, const SonicSwitchOptions& options) {
  SonicSwitchModel model;
  SonicFindings findings(config.file);
  const auto asic = ChooseAsic(config, options.asic, findings);
  if (asic && MapSonicPorts(config, ports, options.naming, model, findings)) {
    model.buffer = SonicBuffer(config, *asic, ports, model, findings);
    for (const std::string& port : model.file_ports)
      model.qos.push_back(SonicPortMaps(config, port, findings));
    model.watchdog_vendor = asic->watchdog;
    for (const std::string& port : model.file_ports) {
      const SonicPortQos* row = config.FindPortQos(port);
      const uint8_t watched = row ? row->pfcwd_sw_enable.value_or(0) : 0;
      model.watched.push_back(watched != 0 ? watched : config.PfcEnable(port));
    }
    model.watchdogs = SonicWatchdogs(config, *asic, ports, model, findings);
    CheckSonicClasses(config, classes, model, findings);
  }
  model.findings = findings.Merged();
  return model;
}

std::string Exactly(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace headroom
