// Reads DEVICE_METADATA, PORT and CABLE_LENGTH.
#include <algorithm>
#include <charconv>
#include <optional>

#include "sonic/tables/row_reader.h"
#include "sonic/tables/tables.h"

namespace headroom {

namespace {

constexpr int64_t kLongestCable = 1'000'000;  // in metres

/// The text up to the first digit, then the number: Ethernet4 precedes Ethernet12.
std::pair<std::string, int64_t> NaturalOrder(const std::string& name) {
  const size_t digit = std::min(name.find_first_of("0123456789"), name.size());
  int64_t number = -1;
  std::from_chars(name.data() + digit, name.data() + name.size(), number);
  return {name.substr(0, digit), number};
}

void ReadDevice(const SonicJsonRow& row, SonicConfig& config, SonicFindings& findings) {
  SonicRowReader reader(row.place, *row.fields, findings);
  SonicDevice& device = config.device;
  reader.Text("hwsku", device.hwsku);
  reader.Text("platform", device.platform);
  reader.Text("type", device.type);
  reader.Text("hostname", device.hostname);
  reader.Text("asic_name", device.asic_name);
  using Model = SonicDevice::BufferModel;
  reader.Choice<Model>("buffer_model", device.buffer_model,
                       {{"traditional", Model::traditional}, {"dynamic", Model::dynamic}});
  // The other fields name the switch and its routing.
}

SonicPort ReadPort(const SonicJsonRow& row, SonicFindings& findings) {
  SonicRowReader reader(row.place, *row.fields, findings);
  SonicPort port;
  port.name = Trimmed(row.place.key);
  port.place = row.place;
  SonicValue<int64_t> speed;
  reader.Integer("speed", speed, 1, 3'200'000);
  port.speed.place = speed.place;
  if (speed) port.speed.value = MegabitsPerSecond(*speed);
  reader.Integer("mtu", port.mtu, 68, 9216);
  reader.Flag("admin_status", port.admin_up, "up", "down");
  reader.Text("lanes", port.lanes);
  reader.Text("role", port.role);
  reader.Text("pfc_asym", port.pfc_asym);
  if (port.pfc_asym && *port.pfc_asym != "off")
    findings.Warning(port.pfc_asym.place,
                     "Headroom has only symmetric PFC: a port that sends pauses "
                     "also obeys them",
                     SonicFieldEdit{port.pfc_asym.place, "off"});
  // The other fields concern the cable, the optics and higher layers.
  return port;
}

/// The metres in "300m"; none for any other text.
std::optional<int64_t> Metres(const std::string& text) {
  int64_t metres = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, metres);
  if (error != std::errc() || end - stop != 1 || *stop != 'm') return std::nullopt;
  if (metres < 0 || metres > kLongestCable) return std::nullopt;
  return metres;
}

void ReadCables(const SonicJsonRow& row, SonicConfig& config, SonicFindings& findings) {
  SonicRowReader reader(row.place, *row.fields, findings);
  for (const auto& [name, value] : row.fields->items()) {
    if (name == "NULL") continue;
    SonicValue<std::string> length;
    reader.Text(name, length);
    if (!length) continue;
    const auto metres = Metres(*length);
    if (!metres) {
      findings.Error(length.place, '"' + *length + "\" is not a cable length",
                     "give a length in metres, such as \"300m\"");
      continue;
    }
    const auto port = std::ranges::find(config.ports, Trimmed(name), &SonicPort::name);
    if (port == config.ports.end()) {
      if (!config.ports.empty())
        findings.Warning(length.place, "has a cable for a port that PORT does not have");
      continue;
    }
    port->cable = length;
    port->cable_m = *metres;
  }
}

}  // namespace

void ReadDeviceTables(SonicTables& tables, SonicConfig& config, SonicFindings& findings) {
  for (const SonicJsonRow& row : tables.Take("DEVICE_METADATA"))
    if (row.place.key == "localhost") ReadDevice(row, config, findings);
  for (const SonicJsonRow& row : tables.Take("PORT")) config.ports.push_back(ReadPort(row, findings));
  std::ranges::stable_sort(config.ports, {}, [](const SonicPort& p) { return NaturalOrder(p.name); });
  for (SonicPort& port : config.ports) port.cable.place = {"CABLE_LENGTH", "AZURE", port.name};
  for (const SonicJsonRow& row : tables.Take("CABLE_LENGTH")) ReadCables(row, config, findings);
}

}  // namespace headroom
