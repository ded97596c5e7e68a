#include "sonic/tables/expand.h"

#include <fmt/format.h>

namespace headroom {

namespace {

constexpr const char* kPool = "ingress_lossless_pool";

using Json = nlohmann::ordered_json;

class Expansion {
 public:
  Expansion(const SonicConfig& config, const PgProfileLookup& lookup)
      : config_(config), lookup_(lookup), json_(config.json) {}

  Json Run(const SonicPool& pool) {
    dynamic_ = pool.mode.value_or(BufferPool::Mode::dynamic) == BufferPool::Mode::dynamic;
    const bool skip_down = SkipsPortsDown(config_.device);
    for (const SonicPort& port : config_.ports) {
      if (!port.speed || !port.cable || port.cable_m == 0 || (skip_down && !port.up())) continue;
      const uint8_t mask = config_.PfcEnable(port.name);
      const PgProfileRow* row = lookup_.Find(*port.speed, *port.cable);
      if (mask != 0 && row) Add(port, mask, *row);
    }
    return std::move(json_);
  }

 private:
  void Add(const SonicPort& port, uint8_t mask, const PgProfileRow& row) {
    const std::string profile =
        fmt::format("pg_lossless_{}_{}_profile", row.speed / MegabitsPerSecond(1), row.cable);
    Json& fields = Row("BUFFER_PROFILE", profile);
    if (fields.empty()) {
      fields["pool"] = kPool;
      fields["xon"] = std::to_string(row.xon.v);
      if (row.xon_offset) fields["xon_offset"] = std::to_string(row.xon_offset->v);
      fields["xoff"] = std::to_string(row.xoff.v);
      fields["size"] = std::to_string(row.size.v);
      fields[dynamic_ ? "dynamic_th" : "static_th"] = std::to_string(row.threshold);
    }
    for (int first = 0; first < 8; ++first) {
      if ((mask >> first & 1) == 0) continue;
      int last = first;
      while (last < 7 && (mask >> (last + 1) & 1) != 0) ++last;
      const std::string range = first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
      Row("BUFFER_PG", port.name + '|' + range)["profile"] = profile;
      first = last;
    }
  }

  Json& Row(const std::string& table, const std::string& key) {
    if (config_.layout == SonicConfig::Layout::flat) return Object(json_, table + '|' + key);
    return Object(Object(json_, table), key);
  }

  static Json& Object(Json& in, const std::string& key) {
    Json& value = in[key];
    if (!value.is_object()) value = Json::object();
    return value;
  }

  const SonicConfig& config_;
  const PgProfileLookup& lookup_;
  Json json_;
  bool dynamic_ = true;
};

}  // namespace

bool SkipsPortsDown(const SonicDevice& device) {
  const std::string platform = device.platform.value_or("");
  for (const char* part : {"mlnx", "nvidia", "barefoot", "bfn", "wedge100bf"})
    if (platform.find(part) != std::string::npos) return true;
  return false;
}

Json AddLosslessGroups(const SonicConfig& config, const PgProfileLookup& lookup, SonicFindings& findings) {
  if (config.device.dynamic()) {
    findings.Error(
        config.device.buffer_model.place,
        fmt::format("the dynamic buffer model computes headroom; {} belongs to the traditional model",
                    lookup.file),
        "leave the lookup table out, or set buffer_model to traditional");
    return config.json;
  }
  const SonicPool* pool = config.FindPool(kPool);
  if (!pool) {
    findings.Error({"BUFFER_POOL", kPool, ""}, "is missing, but SONiC takes lossless groups from it",
                   "give the ingress pool this name, or give BUFFER_PG rows instead of a lookup table");
    return config.json;
  }
  return Expansion(config, lookup).Run(*pool);
}

}  // namespace headroom
