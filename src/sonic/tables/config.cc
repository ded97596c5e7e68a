#include "sonic/tables/config.h"

#include <algorithm>

namespace headroom {

namespace {

template <class Map>
auto* FindIn(const Map& map, const std::string& name) {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : &found->second;
}

template <class Row>
const Row* FindRow(const SonicConfig& config, const std::vector<Row>& rows, const std::string& port, int n) {
  const auto found =
      std::ranges::find_if(rows, [&](const Row& row) { return config.Own(row) && row.Covers(port, n); });
  return found == rows.end() ? nullptr : &*found;
}

template <class Row>
const Row* FindOfPort(const std::vector<Row>& rows, const std::string& port) {
  const auto found = std::ranges::find_if(
      rows, [&](const Row& row) { return std::ranges::find(row.ports, port) != row.ports.end(); });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

bool SonicRange::Covers(const std::string& port, int n) const {
  return first <= n && n <= last && std::ranges::find(ports, port) != ports.end();
}

bool SonicWred::MarksGreen() const {
  return ecn && (*ecn == "ecn_all" || ecn->find("green") != std::string::npos);
}

const SonicPort* SonicConfig::FindPort(const std::string& name) const {
  const auto found = std::ranges::find(ports, name, &SonicPort::name);
  return found == ports.end() ? nullptr : &*found;
}

const SonicPool* SonicConfig::FindPool(const std::string& name) const { return FindIn(pools, name); }

const SonicProfile* SonicConfig::FindProfile(const std::string& name) const { return FindIn(profiles, name); }

const SonicPortQos* SonicConfig::FindPortQos(const std::string& port) const {
  return FindOfPort(port_qos, port);
}

const SonicGroupRow* SonicConfig::FindGroup(const std::string& port, int group) const {
  return FindRow(*this, groups, port, group);
}

const SonicBufferQueueRow* SonicConfig::FindBufferQueue(const std::string& port, int queue) const {
  return FindRow(*this, buffer_queues, port, queue);
}

const SonicQueueRow* SonicConfig::FindQueue(const std::string& port, int queue) const {
  return FindRow(*this, queues, port, queue);
}

const SonicWatchdog* SonicConfig::FindWatchdog(const std::string& port) const {
  return FindOfPort(watchdogs, port);
}

bool SonicConfig::Own(const SonicRange& row) const {
  if (row.host.empty()) return true;
  return row.host == device.hostname.value_or("") && (!device.asic_name || row.asic == *device.asic_name);
}

uint8_t SonicConfig::PfcEnable(const std::string& port) const {
  const SonicPortQos* qos = FindPortQos(port);
  return qos ? qos->pfc_enable.value_or(0) : 0;
}

}  // namespace headroom
