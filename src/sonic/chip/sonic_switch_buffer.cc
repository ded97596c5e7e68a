// Pools, profiles and assignments of a configuration, for ports with the scenario's names.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "sonic/chip/sonic_switch_parts.h"

namespace headroom {

namespace {

constexpr int kHighestNumber = kPriorities - 1;

/// Range and profile for the rows of one port.
using Rows = std::vector<std::tuple<int, int, std::string>>;

std::vector<BufferPool> Pools(const SonicConfig& config) {
  std::vector<BufferPool> pools;
  for (const auto& [name, from] : config.pools) {
    BufferPool pool;
    pool.name = name;
    pool.type = from.type.value_or(BufferPool::Type::ingress);
    pool.mode = from.mode.value_or(BufferPool::Mode::dynamic);
    pool.size = from.size.value_or(Bytes());
    pool.xoff = from.xoff.value_or(Bytes());
    pools.push_back(pool);
  }
  return pools;
}

std::vector<BufferProfile> Profiles(const SonicConfig& config) {
  std::vector<BufferProfile> profiles;
  for (const auto& [name, from] : config.profiles) {
    BufferProfile profile;
    profile.name = name;
    profile.pool = from.pool.value_or("");
    profile.size = from.size.value_or(Bytes());
    profile.dynamic_th = from.dynamic_th.value;
    profile.static_th = from.static_th.value;
    profile.xoff = from.xoff.value;
    profile.xon = from.xon.value_or(Bytes());
    profile.xon_offset = from.xon_offset.value_or(Bytes());
    profile.trims = from.packet_discard_action.value == SonicProfile::DiscardAction::trim;
    const SonicPool* pool = config.FindPool(profile.pool);
    // To SAI a limit of 0 means no limit, but a pool of 0 bytes must admit nothing.
    if (pool && pool->size.value == Bytes() && profile.static_th == Bytes()) {
      profile.static_th.reset();
      profile.dynamic_th = -8;
    }
    profiles.push_back(profile);
  }
  return profiles;
}

/// The bytes that pools allot: all ingress pools, or the largest egress pool, because egress pools overlap.
Bytes GivenOut(const std::vector<BufferPool>& pools, const BufferRules& rules) {
  Bytes ingress, egress;
  for (const BufferPool& pool : pools) {
    const Bytes whole = rules.xoff_in_pool_size ? pool.size : pool.size + pool.xoff;
    if (pool.type == BufferPool::Type::egress) {
      egress = std::max(egress, pool.size);
    } else {
      ingress += whole;
    }
  }
  return std::max(ingress, egress);
}

class Assigner {
 public:
  Assigner(const SonicConfig& config, const std::vector<ChipPort>& ports, const SonicSwitchModel& model,
           SonicFindings& findings)
      : config_(config), findings_(findings) {
    std::map<std::string, std::string> scenario_name;
    std::set<std::string> taken;
    for (size_t i = 0; i < ports.size(); ++i) {
      scenario_name[model.file_ports[i]] = ports[i].name;
      taken.insert(ports[i].name);
    }
    for (const SonicPort& port : config.ports) {
      const auto linked = scenario_name.find(port.name);
      if (linked != scenario_name.end()) {
        names_[port.name] = linked->second;
      } else {
        names_[port.name] = taken.contains(port.name) ? "unlinked " + port.name : port.name;
      }
    }
  }

  /// Rows are in the order of the file. Delay: that of the cable for which it has headroom.
  std::vector<ChipPort> ChipPorts() const {
    std::vector<ChipPort> ports;
    for (const SonicPort& port : config_.ports)
      ports.push_back({names_.at(port.name), port.speed.value_or(Rate()), Nanoseconds(5) * port.cable_m});
    return ports;
  }

  template <class Row>
  std::vector<BufferAssignment> Assign(const std::vector<Row>& rows) {
    std::map<std::string, Rows> of_port;
    for (const SonicPort& port : config_.ports) of_port[port.name];
    for (const Row& row : rows) {
      if (!config_.Own(row) || !row.profile) continue;
      if (row.last > kHighestNumber)
        findings_.Note(row.place, fmt::format("Headroom has queues 0 to {}; higher queues are left out",
                                              kHighestNumber));
      if (row.first > kHighestNumber) continue;
      for (const std::string& port : row.ports)
        of_port[port].emplace_back(row.first, std::min(row.last, kHighestNumber), *row.profile);
    }
    std::vector<BufferAssignment> assignments;
    const auto add = [&](const std::string& pattern, const Rows& of) {
      for (const auto& [first, last, profile] : of)
        assignments.push_back({pattern, static_cast<uint8_t>(first), static_cast<uint8_t>(last), profile});
    };
    if (AllEqual(of_port)) {
      if (!of_port.empty()) add("*", of_port.begin()->second);
    } else {
      for (const SonicPort& port : config_.ports) add(Exactly(names_[port.name]), of_port[port.name]);
    }
    return assignments;
  }

  std::vector<PortProfiles> Lists(const std::vector<SonicProfileList>& lists) {
    std::map<std::string, std::vector<std::string>> of_port;
    for (const SonicPort& port : config_.ports) of_port[port.name];
    for (const SonicProfileList& list : lists)
      for (const std::string& port : list.ports)
        if (list.profiles) of_port[port] = *list.profiles;
    std::vector<PortProfiles> result;
    if (AllEqual(of_port)) {
      if (!of_port.empty() && !of_port.begin()->second.empty())
        result.push_back({"*", of_port.begin()->second});
      return result;
    }
    for (const SonicPort& port : config_.ports)
      if (!of_port[port.name].empty()) result.push_back({Exactly(names_[port.name]), of_port[port.name]});
    return result;
  }

 private:
  template <class Map>
  static bool AllEqual(const Map& map) {
    return std::ranges::all_of(map, [&](const auto& entry) { return entry.second == map.begin()->second; });
  }

  const SonicConfig& config_;
  SonicFindings& findings_;
  std::map<std::string, std::string> names_;  ///< names of the file's ports in the scenario
};

}  // namespace

BufferParameters SonicBuffer(const SonicConfig& config, const SonicAsic& asic,
                             const std::vector<ChipPort>& ports, const SonicSwitchModel& model,
                             SonicFindings& findings) {
  BufferParameters buffer;
  buffer.asic = asic.family->name;
  buffer.cell = asic.family->cell;
  buffer.slices = asic.family->slices;
  buffer.rules = asic.family->rules;
  buffer.pools = Pools(config);
  buffer.profiles = Profiles(config);
  const Bytes given = GivenOut(buffer.pools, buffer.rules);
  const bool known = asic.memory.v > 0 && !(asic.memory_at_least && given > asic.memory);
  buffer.size = known ? asic.memory : given;
  buffer.source = fmt::format("SONiC configuration of {}, ASIC {}: {}; memory: {}",
                              config.device.hwsku.value_or("a switch"), asic.family->name,
                              asic.family->source, known ? asic.memory_source : "the sum of the pools");
  Assigner assigner(config, ports, model, findings);
  buffer.chip_ports = assigner.ChipPorts();
  buffer.groups = assigner.Assign(config.groups);
  buffer.queues = assigner.Assign(config.buffer_queues);
  buffer.port_ingress = assigner.Lists(config.ingress_lists);
  buffer.port_egress = assigner.Lists(config.egress_lists);
  return buffer;
}

}  // namespace headroom
