// Matches the ports of a scenario's switch with the ports of the file.
#include <fmt/format.h>

#include <algorithm>

#include "sonic/chip/sonic_switch_parts.h"

namespace headroom {

namespace {

constexpr int64_t kPicosecondsPerMetre = 5'000;  // as for a scenario's lengths

std::string RateText(Rate rate) { return fmt::format("{:g} Gb/s", static_cast<double>(rate.v) / 1e9); }

size_t HowManyKnown(const SonicConfig& config, const std::vector<ChipPort>& ports) {
  return static_cast<size_t>(
      std::ranges::count_if(ports, [&](const ChipPort& p) { return config.FindPort(p.name) != nullptr; }));
}

bool MapByName(const SonicConfig& config, const std::vector<ChipPort>& ports, SonicSwitchModel& model,
               SonicFindings& findings) {
  bool all = true;
  for (const ChipPort& port : ports) {
    if (!config.FindPort(port.name)) {
      findings.Error({"PORT", port.name, ""}, "is a port of the scenario, but not of the file",
                     "give the port its name from the file in the topology, or use ports: order");
      all = false;
    }
    model.file_ports.push_back(port.name);
  }
  return all;
}

bool MapInOrder(const SonicConfig& config, const std::vector<ChipPort>& ports, SonicSwitchModel& model,
                SonicFindings& findings) {
  for (const SonicPort& port : config.ports)
    if (port.up() && port.external() && model.file_ports.size() < ports.size())
      model.file_ports.push_back(port.name);
  if (model.file_ports.size() == ports.size()) return true;
  findings.Error({"PORT", "", ""},
                 fmt::format("only {} of {} ports are up and external, but the scenario links {}",
                             model.file_ports.size(), config.ports.size(), ports.size()),
                 "give a file with more ports that have admin_status up, or fewer links at this switch");
  return false;
}

void SayNaming(const std::vector<ChipPort>& ports, const SonicSwitchModel& model, SonicFindings& findings) {
  constexpr size_t kExamples = 4;
  if (ports.empty()) return;
  if (model.by_name) {
    findings.Note({"PORT", "", ""}, "ports are matched by name: the scenario uses the names in the file");
    return;
  }
  std::string text;
  for (size_t i = 0; i < std::min(ports.size(), kExamples); ++i)
    text += fmt::format("{}{} is {}", i == 0 ? "" : ", ", ports[i].name, model.file_ports[i]);
  findings.Note({"PORT", "", ""}, fmt::format("ports are matched in the order of the file: {}{}", text,
                                              ports.size() > kExamples ? ", …" : ""));
}

/// `dynamic`: the buffer model, which leaves ports that are down without groups and queues.
void HoldAgainstLink(const SonicPort& port, const ChipPort& link, bool dynamic, SonicFindings& findings) {
  if (!port.up() && dynamic)
    findings.Error(port.admin_up.place,
                   "is down, but the port has a link in the scenario; the dynamic buffer model gives such a "
                   "port no groups and no queues",
                   "set it to up, or link another port");
  if (!port.up() && !dynamic)
    findings.Warning(port.admin_up.place, "is down in the file, but has a link in the scenario",
                     SonicFieldEdit{port.admin_up.place, "up"});
  if (!port.speed) {
    findings.Error(port.speed.place, "is missing", "Mb/s, as \"100000\"");
  } else if (*port.speed != link.speed) {
    findings.Warning(port.speed.place,
                     fmt::format("the speed is {} in the file, but {} on the scenario's link; headroom "
                                 "follows the file",
                                 RateText(*port.speed), RateText(link.speed)),
                     SonicFieldEdit{port.speed.place, std::to_string(link.speed / MegabitsPerSecond(1))});
  }
  if (!port.cable) return;
  const int64_t file_delay = port.cable_m * kPicosecondsPerMetre;
  if (file_delay == link.delay.v) return;
  const std::string what = fmt::format("the cable has {} in the file, but {:g} m on the scenario's link",
                                       *port.cable, static_cast<double>(link.delay.v) / kPicosecondsPerMetre);
  if (file_delay < link.delay.v) {
    const int64_t metres = (link.delay.v + kPicosecondsPerMetre - 1) / kPicosecondsPerMetre;
    findings.Warning(port.cable.place, what + ", so headroom is too small",
                     SonicFieldEdit{port.cable.place, fmt::format("{}m", metres)});
  } else {
    findings.Note(port.cable.place, what + ", so headroom is larger than needed");
  }
}

}  // namespace

bool MapSonicPorts(const SonicConfig& config, const std::vector<ChipPort>& ports, SonicPortNaming naming,
                   SonicSwitchModel& model, SonicFindings& findings) {
  const size_t known = HowManyKnown(config, ports);
  if (naming == SonicPortNaming::automatic && known != 0 && known != ports.size()) {
    findings.Error({"PORT", "", ""},
                   fmt::format("has {} of the {} port names of the scenario's switch", known, ports.size()),
                   "give all ports of the topology their names from the file, or choose ports: name or "
                   "order");
    return false;
  }
  model.by_name = naming == SonicPortNaming::name ||
                  (naming == SonicPortNaming::automatic && known == ports.size() && !ports.empty());
  if (!(model.by_name ? MapByName(config, ports, model, findings)
                      : MapInOrder(config, ports, model, findings)))
    return false;
  SayNaming(ports, model, findings);
  for (size_t i = 0; i < ports.size(); ++i)
    HoldAgainstLink(*config.FindPort(model.file_ports[i]), ports[i], config.device.dynamic(), findings);
  return true;
}

}  // namespace headroom
