// Conditions between the buffer tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <tuple>

#include "sonic/tables/tables.h"

namespace headroom {

namespace {

template <class Map>
std::string Known(const Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, row] : map) names.push_back(name);
  if (names.empty()) return "the table is empty or missing";
  return fmt::format("there are: {}", fmt::join(names, ", "));
}

class BufferChecks {
 public:
  BufferChecks(const SonicConfig& config, SonicFindings& findings) : config_(config), findings_(findings) {}

  void Run() {
    if (config_.pools.empty())
      findings_.Error({"BUFFER_POOL", "", ""}, "is missing or empty", "give the buffer at least one pool");
    for (const auto& [name, pool] : config_.pools) CheckPool(pool);
    for (const auto& [name, profile] : config_.profiles) CheckProfile(profile);
    for (const SonicGroupRow& row : config_.groups) {
      CheckPorts(row);
      CheckOnce(row);
      if (!row.computed) {
        CheckUse(row.profile, BufferPool::Type::ingress);
      } else if (!config_.device.dynamic()) {
        findings_.Error(row.profile.place, "\"NULL\" leaves the profile to the dynamic buffer model",
                        "name a profile, or set buffer_model of DEVICE_METADATA|localhost to dynamic");
      }
    }
    for (const SonicBufferQueueRow& row : config_.buffer_queues) {
      CheckPorts(row);
      CheckOnce(row);
      CheckUse(row.profile, BufferPool::Type::egress);
    }
    for (const SonicProfileList& list : config_.ingress_lists) CheckList(list, BufferPool::Type::ingress);
    for (const SonicProfileList& list : config_.egress_lists) CheckList(list, BufferPool::Type::egress);
  }

 private:
  void CheckPool(const SonicPool& pool) {
    if (!pool.type) Missing(pool.type.place, "ingress, egress or both");
    if (!pool.mode) Missing(pool.mode.place, "dynamic or static");
    if (!pool.size && !config_.device.dynamic())
      Missing(pool.size.place, "give bytes; only the dynamic buffer model computes this field");
    if (pool.xoff && pool.xoff->v > 0 && pool.type.value == BufferPool::Type::egress)
      findings_.Error(pool.xoff.place, "is given, but an egress pool has no headroom", "remove xoff");
  }

  void CheckProfile(const SonicProfile& profile) {
    const SonicPool* pool = nullptr;
    if (!profile.pool) {
      Missing(profile.pool.place, Known(config_.pools));
    } else if (!(pool = config_.FindPool(*profile.pool))) {
      findings_.Error(profile.pool.place, fmt::format("there is no pool \"{}\"", *profile.pool),
                      Known(config_.pools));
    }
    if (!profile.size && profile.headroom_type.value != SonicProfile::HeadroomType::dynamic)
      Missing(profile.size.place, "give the bytes reserved; 0 for none");
    CheckThreshold(profile, pool);
    CheckXon(profile, pool);
    CheckXoff(profile, pool);
    if (pool && profile.xoff && pool->type.value == BufferPool::Type::egress)
      findings_.Error(profile.xoff.place, fmt::format("is given in the egress pool \"{}\"", pool->name),
                      "give headroom to a profile of an ingress pool");
  }

  /// A group resumes below xon: a group that paused at a smaller size would resume at once.
  void CheckXon(const SonicProfile& profile, const SonicPool* pool) {
    // The dynamic model computes sizes; a pool of 0 bytes admits nothing.
    if (config_.device.dynamic() || !profile.xon || !pool || !pool->size || pool->size->v == 0) return;
    const bool limited = profile.xoff && !profile.dynamic_th && profile.static_th && profile.static_th->v > 0;
    const Bytes most = limited ? *profile.static_th + profile.size.value.value_or(Bytes(0)) : *pool->size;
    if (*profile.xon > *pool->size)
      findings_.Error(profile.xon.place,
                      fmt::format("{} bytes are more than the {} bytes of the profile's pool", profile.xon->v,
                                  pool->size->v),
                      fmt::format("0 to {}", std::min(most, *pool->size).v));
    else if (*profile.xon > most)
      findings_.Error(profile.xon.place,
                      fmt::format("{} bytes are more than the {} bytes at which a group pauses (size "
                                  "plus static_th)",
                                  profile.xon->v, most.v),
                      fmt::format("0 to {}", most.v));
  }

  /// Headroom may not exceed its pool together with the pool's own headroom.
  void CheckXoff(const SonicProfile& profile, const SonicPool* pool) {
    if (config_.device.dynamic() || !profile.xoff || !pool || !pool->size || pool->size->v == 0) return;
    const Bytes most = *pool->size + pool->xoff.value.value_or(Bytes(0));
    if (*profile.xoff <= most) return;
    findings_.Error(profile.xoff.place,
                    fmt::format("{} bytes{} are more than the {} bytes of the pool and its headroom together",
                                profile.xoff->v, RowWith(profile), most.v),
                    fmt::format("0 to {}", most.v));
  }

  /// The row of the lookup table with the profile's xoff, if there is one.
  std::string RowWith(const SonicProfile& profile) const {
    if (!config_.lookup) return "";
    for (const PgProfileRow& row : config_.lookup->rows)
      if (row.xoff == *profile.xoff &&
          profile.place.key ==
              fmt::format("pg_lossless_{}_{}_profile", row.speed / MegabitsPerSecond(1), row.cable))
        return fmt::format(", as line {} of {} has it,", row.line, config_.lookup->file);
    return "";
  }

  void CheckThreshold(const SonicProfile& profile, const SonicPool* pool) {
    if (profile.dynamic_th && profile.static_th) {
      findings_.Error(profile.place, "has dynamic_th and static_th",
                      "keep the one that fits its pool's mode");
      return;
    }
    if (!profile.dynamic_th && !profile.static_th) {
      // In the dynamic model, computed profiles have a default.
      const bool computed = profile.headroom_type.value == SonicProfile::HeadroomType::dynamic;
      const bool readable = !HasField(profile.place, "dynamic_th") && !HasField(profile.place, "static_th");
      if (readable && !computed)
        findings_.Error(profile.place, "has no threshold",
                        "give dynamic_th or static_th, by its pool's mode");
      return;
    }
    if (!pool || !pool->mode) return;
    // SAI lets a profile deviate from its pool's mode, and vendors' own tables do so, but usually it is a
    // mistake.
    const bool dynamic = *pool->mode == BufferPool::Mode::dynamic;
    const bool limits_nothing = profile.static_th && pool->size && *profile.static_th >= *pool->size;
    if (profile.dynamic_th && !dynamic)
      findings_.Warning(
          profile.dynamic_th.place,
          fmt::format("dynamic_th stands in the static pool \"{}\"; the mode of the profile applies",
                      pool->name));
    if (profile.static_th && dynamic && !limits_nothing)
      findings_.Warning(
          profile.static_th.place,
          fmt::format("static_th stands in the dynamic pool \"{}\"; the mode of the profile applies",
                      pool->name));
    if (profile.static_th && pool->size && *profile.static_th > *pool->size)
      findings_.Note(profile.static_th.place,
                     fmt::format("{} bytes are more than the {} bytes of the pool, so this limit has no "
                                 "effect",
                                 profile.static_th->v, pool->size->v));
  }

  bool HasField(const SonicPlace& place, const std::string& field) const {
    const auto& json = config_.json;
    const auto flat = json.find(place.table + '|' + place.key);
    if (flat != json.end()) return flat->is_object() && flat->contains(field);
    const auto table = json.find(place.table);
    return table != json.end() && table->is_object() && table->contains(place.key) &&
           (*table)[place.key].is_object() && (*table)[place.key].contains(field);
  }

  void CheckPorts(const SonicRange& row) {
    if (config_.ports.empty() || !config_.Own(row)) return;
    for (const std::string& port : row.ports)
      if (!config_.FindPort(port))
        findings_.Error(row.place, fmt::format("PORT has no port \"{}\"", port),
                        "remove the row, or add the port");
  }

  void CheckOnce(const SonicRange& row) {
    for (const std::string& port : row.ports)
      for (int n = row.first; n <= row.last; ++n)
        if (!taken_.emplace(row.place.table, row.host, row.asic, port, n).second)
          findings_.Error(row.place, fmt::format("number {} of port \"{}\" already has a row", n, port),
                          "keep one of the rows");
  }

  void CheckUse(const SonicValue<std::string>& name, BufferPool::Type direction) {
    if (!name) {
      Missing(name.place, Known(config_.profiles));
      return;
    }
    CheckName(name.place, *name, direction);
  }

  void CheckName(const SonicPlace& place, const std::string& name, BufferPool::Type direction) {
    const SonicProfile* profile = config_.FindProfile(name);
    if (!profile) {
      findings_.Error(place, fmt::format("there is no profile \"{}\"", name), Known(config_.profiles));
      return;
    }
    const SonicPool* pool = profile->pool ? config_.FindPool(*profile->pool) : nullptr;
    if (!pool || !pool->type || *pool->type == direction || *pool->type == BufferPool::Type::both) return;
    const bool ingress = direction == BufferPool::Type::ingress;
    findings_.Error(place,
                    fmt::format("profile \"{}\" belongs to the {} pool \"{}\"", name,
                                ingress ? "egress" : "ingress", pool->name),
                    fmt::format("name a profile of an {} pool", ingress ? "ingress" : "egress"));
  }

  void CheckList(const SonicProfileList& list, BufferPool::Type direction) {
    if (!list.profiles) {
      Missing(list.profiles.place, Known(config_.profiles));
      return;
    }
    std::set<std::string> pools;
    for (const std::string& name : *list.profiles) {
      CheckName(list.profiles.place, name, direction);
      const SonicProfile* profile = config_.FindProfile(name);
      if (profile && profile->pool && !pools.insert(*profile->pool).second)
        findings_.Error(list.profiles.place,
                        fmt::format("two profiles belong to pool \"{}\"", *profile->pool),
                        "give one profile for each pool");
    }
  }

  void Missing(const SonicPlace& place, const std::string& allowed) {
    if (!HasField(SonicPlace{place.table, place.key, ""}, place.field))
      findings_.Error(place, "is missing", allowed);
  }

  const SonicConfig& config_;
  SonicFindings& findings_;
  std::set<std::tuple<std::string, std::string, std::string, std::string, int>> taken_;
};

}  // namespace

void CheckSonicBuffers(const SonicConfig& config, SonicFindings& findings) {
  BufferChecks(config, findings).Run();
}

}  // namespace headroom
