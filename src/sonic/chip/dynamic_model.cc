#include "sonic/chip/dynamic_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sonic/chip/dynamic_headroom.h"
#include "sonic/chip/dynamic_pool.h"
#include "sonic/tables/findings.h"

namespace headroom {

namespace {

constexpr const char* kMemoryPool = "egress_lossless_pool";
constexpr const char* kLossyProfile = "ingress_lossy_profile";
constexpr const char* kLosslessPool = "ingress_lossless_pool";
constexpr int64_t kUsualMtu = 9100;
constexpr int kTwoUnits = 8;  ///< lanes of a port that has two buffer units

int LanesOf(const SonicPort& port) {
  const std::string lanes = port.lanes.value_or("");
  return static_cast<int>(std::count(lanes.begin(), lanes.end(), ',')) + 1;
}

class DynamicModel {
 public:
  DynamicModel(SonicConfig& config, SpectrumAsic asic, SonicFindings& findings)
      : config_(config), asic_(asic), findings_(findings) {}

  void Run() {
    const SonicPool* memory = config_.FindPool(kMemoryPool);
    if (!memory || !memory->size) {
      findings_.Error({"BUFFER_POOL", kMemoryPool, "size"},
                      "is missing, but the dynamic buffer model computes pools from the whole memory",
                      "give the pool its size");
      return;
    }
    if (!config_.dynamic_model.default_dynamic_th) {
      findings_.Error({"DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE", "default_dynamic_th"},
                      "is missing, but computed profiles take their threshold from it",
                      "give a value such as \"0\"");
      return;
    }
    DropPortsDown(config_.groups);
    DropPortsDown(config_.buffer_queues);
    DropPortsDown(config_.ingress_lists);
    DropPortsDown(config_.egress_lists);
    ComputeProfiles();
    ComputePools(*memory->size);
  }

 private:
  template <class Row>
  void DropPortsDown(std::vector<Row>& rows) {
    for (Row& row : rows)
      std::erase_if(row.ports, [&](const std::string& name) {
        const SonicPort* port = config_.FindPort(name);
        return !port || !port->up();
      });
    std::erase_if(rows, [](const Row& row) { return row.ports.empty(); });
  }

  bool SharedHeadroom() const {
    const SonicPool* pool = config_.FindPool(kLosslessPool);
    return (pool && pool->xoff.value_or(Bytes()).v > 0) ||
           config_.dynamic_model.over_subscribe_ratio.value_or(0) > 0;
  }

  /// Writes one row per port: each has a profile for its own speed and cable.
  void ComputeProfiles() {
    std::vector<SonicGroupRow> rows;
    for (const SonicGroupRow& row : config_.groups) {
      const SonicProfile* given = row.profile ? config_.FindProfile(*row.profile) : nullptr;
      const bool computed =
          row.computed || (given && given->headroom_type.value == SonicProfile::HeadroomType::dynamic);
      if (!computed) {
        rows.push_back(row);
        continue;
      }
      const int threshold =
          given && given->dynamic_th ? *given->dynamic_th : *config_.dynamic_model.default_dynamic_th;
      for (const std::string& name : row.ports) {
        const SonicPort& port = *config_.FindPort(name);
        if (!port.speed || port.cable_m == 0) {
          findings_.Warning(row.profile.place,
                            "the port has no speed or no cable length, so its groups get no headroom");
          continue;
        }
        SonicGroupRow one = row;
        one.ports = {name};
        one.computed = false;
        one.profile.value = AddProfile(port, threshold);
        rows.push_back(one);
      }
    }
    config_.groups = rows;
    std::erase_if(config_.profiles, [](const auto& entry) {
      return entry.second.headroom_type.value == SonicProfile::HeadroomType::dynamic && !entry.second.xoff;
    });
  }

  std::string AddProfile(const SonicPort& port, int threshold) {
    DynamicHeadroomInput in;
    in.asic = asic_;
    in.speed = *port.speed;
    in.cable_m = port.cable_m;
    in.port_mtu = Bytes(port.mtu.value_or(kUsualMtu));
    in.lossless_mtu = Bytes(config_.dynamic_model.mtu.value_or(1024));
    in.small_packet_percent = config_.dynamic_model.small_packet_percentage.value_or(50);
    in.gearbox = GearboxDelayOfPlatform(config_.device.platform.value_or(""));
    in.lanes = LanesOf(port);
    in.shared_headroom = SharedHeadroom();
    std::string name = fmt::format("pg_lossless_{}_{}", *port.speed / MegabitsPerSecond(1), *port.cable);
    if (in.port_mtu.v != kUsualMtu) name += fmt::format("_mtu{}", in.port_mtu.v);
    if (threshold != *config_.dynamic_model.default_dynamic_th) name += fmt::format("_th{}", threshold);
    if (in.lanes == kTwoUnits) name += "_8lane";
    name += "_profile";
    const DynamicHeadroom headroom = ComputeDynamicHeadroom(in);
    SonicProfile& profile = config_.profiles[name];
    profile.name = name;
    profile.place = {"BUFFER_PROFILE", name, ""};
    const auto set = [&](const char* field, auto& value, auto to) {
      value.value = to;
      value.place = {"BUFFER_PROFILE", name, field};
    };
    set("pool", profile.pool, std::string(kLosslessPool));
    set("size", profile.size, headroom.size);
    set("xon", profile.xon, headroom.xon);
    set("xoff", profile.xoff, headroom.xoff);
    set("dynamic_th", profile.dynamic_th, threshold);
    return name;
  }

  /// Number of references to each profile, and the other inputs of the pools' computation.
  DynamicPoolInput PoolInput(Bytes memory) const {
    DynamicPoolInput in;
    in.asic = asic_;
    in.mmu = memory;
    std::map<std::string, int64_t> references;
    std::set<std::string> lossless;
    for (const SonicGroupRow& row : config_.groups) {
      if (!row.profile) continue;
      const int groups = row.last - row.first + 1;
      references[*row.profile] += groups * std::ssize(row.ports);
      for (const std::string& port : row.ports) {
        if (*row.profile == kLossyProfile) {
          in.lossy_groups += groups;
          if (LanesOf(*config_.FindPort(port)) == kTwoUnits) in.lossy_groups_two_units += groups;
        }
        if (config_.FindProfile(*row.profile)->lossless()) lossless.insert(port);
      }
    }
    for (const SonicBufferQueueRow& row : config_.buffer_queues)
      if (row.profile) references[*row.profile] += (row.last - row.first + 1) * std::ssize(row.ports);
    for (const auto* lists : {&config_.ingress_lists, &config_.egress_lists})
      for (const SonicProfileList& list : *lists)
        if (list.profiles)
          for (const std::string& name : *list.profiles) references[name] += std::ssize(list.ports);
    for (const auto& [name, count] : references) {
      const SonicProfile& p = *config_.FindProfile(name);
      in.profiles.push_back({p.size.value_or(Bytes()), p.xon.value, p.xoff.value, count});
    }
    for (const SonicPort& port : config_.ports) {
      if (!port.up()) continue;
      ++in.ports_up;
      if (LanesOf(port) == kTwoUnits) ++in.ports_up_two_units;
    }
    in.lossless_ports = std::ssize(lossless);
    in.ingress_pools = static_cast<int>(std::ranges::count_if(config_.pools, [](const auto& entry) {
      return entry.second.type.value == BufferPool::Type::ingress && !entry.second.size;
    }));
    in.over_subscribe_ratio = config_.dynamic_model.over_subscribe_ratio.value_or(0);
    if (const SonicPool* pool = config_.FindPool(kLosslessPool))
      in.shared_headroom = pool->xoff.value_or(Bytes());
    return in;
  }

  void ComputePools(Bytes memory) {
    const DynamicPoolInput in = PoolInput(memory);
    if (in.asic.generation == 6) {
      findings_.Error({"DEVICE_METADATA", "localhost", "platform"}, kNoSpectrum6, kInsteadOfSpectrum6);
      return;
    }
    const DynamicPools pools = ComputeDynamicPools(in);
    if (pools.available.v <= 0) {
      findings_.Error(
          {"BUFFER_POOL", kMemoryPool, "size"},
          fmt::format("the memory of {} bytes is {} bytes smaller than its reserves", memory.v,
                      -pools.available.v),
          "give fewer lossless groups, shorter cables, or over_subscribe_ratio for a shared headroom pool");
      return;
    }
    for (auto& [name, pool] : config_.pools) {
      if (!pool.size)
        pool.size.value =
            pool.percentage ? pools.PoolOfPercentage(static_cast<int>(*pool.percentage)) : pools.pool;
      if (name == kLosslessPool && pools.shared_headroom.v > 0) pool.xoff.value = pools.shared_headroom;
    }
  }

  SonicConfig& config_;
  SpectrumAsic asic_;
  SonicFindings& findings_;
};

}  // namespace

Findings ComputeDynamicModel(SonicConfig& config) {
  SonicFindings findings(config.file);
  const auto asic = SpectrumOfPlatform(config.device.platform.value_or(""));
  if (asic) {
    DynamicModel(config, *asic, findings).Run();
  } else {
    findings.Error(config.device.buffer_model.place,
                   "the dynamic buffer model is known only for Spectrum switches",
                   "use a Spectrum platform, or set buffer_model to traditional and give the profiles");
  }
  return findings.Merged();
}

}  // namespace headroom
