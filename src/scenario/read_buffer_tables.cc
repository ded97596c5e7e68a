// SONiC's buffer tables, written inline in a scenario.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "scenario/read_buffer.h"
#include "scenario/yaml/nearest.h"

namespace headroom {

namespace {

template <class T>
const T* FindNamed(const std::vector<T>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const T& t) { return t.name == name; });
  return found == all.end() ? nullptr : &*found;
}

template <class T>
std::vector<std::string> Names(const std::vector<T>& all) {
  std::vector<std::string> names;
  for (const T& t : all) names.push_back(t.name);
  return names;
}

/// Bytes as config_db has them, a bare number, or with a unit as elsewhere in a scenario.
bool BytesField(MapReader& map, const std::string& key, Bytes& out) {
  return map.Read(key, [&](const Node& node) {
    const bool bare = node.IsScalar() && !node.text.empty() &&
                      node.text.find_first_not_of("0123456789") == std::string::npos;
    out = bare ? Bytes(ParseInteger(node, 0, kLargestSize.v)) : ParseSize(node);
  });
}

BufferPool ReadPool(const Entry& entry, const BufferParameters& buffer, Errors& errors) {
  CheckName(entry.key, entry.where);
  MapReader map(entry.value, errors);
  BufferPool pool;
  pool.name = entry.key;
  map.Need({"type", "mode", "size"});
  map.Choice<BufferPool::Type>("type", pool.type,
                               {{"ingress", BufferPool::Type::ingress},
                                {"egress", BufferPool::Type::egress},
                                {"both", BufferPool::Type::both}});
  map.Choice<BufferPool::Mode>("mode", pool.mode,
                               {{"dynamic", BufferPool::Mode::dynamic}, {"static", BufferPool::Mode::fixed}});
  BytesField(map, "size", pool.size);
  BytesField(map, "xoff", pool.xoff);
  map.Finish();
  const bool inside = buffer.rules.xoff_in_pool_size;
  const Bytes takes = inside ? pool.size : pool.size + pool.xoff;
  if (takes > buffer.size)
    throw ScenarioError(entry.where, fmt::format("pool \"{}\" takes {} of a memory of {}", pool.name,
                                                 FormatSize(takes), FormatSize(buffer.size)));
  if (inside && pool.xoff > pool.size)
    throw ScenarioError(entry.where, fmt::format("pool \"{}\" has a headroom (xoff) of {} in a size of {}",
                                                 pool.name, FormatSize(pool.xoff), FormatSize(pool.size)));
  if (pool.xoff.v > 0 && pool.type == BufferPool::Type::egress)
    throw ScenarioError(entry.where, fmt::format("the egress pool \"{}\" has a headroom (xoff)", pool.name),
                        "headroom belongs to an ingress pool");
  return pool;
}

BufferProfile ReadProfile(const Entry& entry, const std::vector<BufferPool>& pools, Errors& errors) {
  CheckName(entry.key, entry.where);
  MapReader map(entry.value, errors);
  BufferProfile profile;
  profile.name = entry.key;
  const BufferPool* pool = nullptr;
  map.Need({"pool"});
  map.Read("pool", [&](const Node& node) {
    profile.pool = ParseText(node);
    pool = FindNamed(pools, profile.pool);
    if (!pool)
      throw ScenarioError(node.where, "there is no pool " + Quote(profile.pool),
                          "allowed: " + Join(Names(pools)), Nearest(profile.pool, Names(pools)));
  });
  BytesField(map, "size", profile.size);
  BytesField(map, "xon", profile.xon);
  BytesField(map, "xon_offset", profile.xon_offset);
  Bytes bytes;
  if (BytesField(map, "xoff", bytes)) profile.xoff = bytes;
  if (BytesField(map, "static_th", bytes)) profile.static_th = bytes;
  int exponent = 0;
  if (map.Integer("dynamic_th", exponent, -8, 7)) profile.dynamic_th = exponent;
  map.Read("packet_discard_action", [&](const Node& node) {
    const std::string action = ParseText(node);
    if (action == "trim") throw NotSupportedYet(node.where, "trimming packets", "allowed: drop");
    if (action != "drop") throw ScenarioError(node.where, Quote(action) + " is no action", "allowed: drop");
  });
  map.Finish();
  if (!pool) return profile;
  if (profile.dynamic_th.has_value() == profile.static_th.has_value())
    throw ScenarioError(
        entry.where,
        fmt::format("profile \"{}\" has {} limit", profile.name, profile.dynamic_th ? "more than one" : "no"),
        "one of dynamic_th and static_th");
  if (profile.dynamic_th && pool->mode != BufferPool::Mode::dynamic)
    throw ScenarioError(entry.where, fmt::format("profile \"{}\" has dynamic_th, its pool \"{}\" is static",
                                                 profile.name, pool->name));
  if (profile.xoff && pool->type == BufferPool::Type::egress)
    throw ScenarioError(entry.where, fmt::format("profile \"{}\" has xoff, its pool \"{}\" is an egress pool",
                                                 profile.name, pool->name));
  return profile;
}

/// A profile that limits nothing, under the name that the tables use without having it.
const BufferProfile* AddUnlimited(BufferParameters& buffer, const std::string& name, BufferPool::Type type) {
  const bool ingress = type == BufferPool::Type::ingress;
  const auto pool = std::find_if(buffer.pools.begin(), buffer.pools.end(), [&](const BufferPool& p) {
    return p.type == BufferPool::Type::both || (ingress && p.type == type);
  });
  std::string pool_name = ingress ? "ingress_unlimited_pool" : "egress_unlimited_pool";
  if (pool != buffer.pools.end()) {
    pool_name = pool->name;
  } else if (!FindNamed(buffer.pools, pool_name)) {
    BufferPool unlimited;
    unlimited.name = pool_name;
    unlimited.type = type;
    unlimited.mode = BufferPool::Mode::fixed;
    unlimited.size = buffer.size;
    buffer.pools.push_back(unlimited);
  }
  BufferProfile profile;
  profile.name = name;
  profile.pool = pool_name;
  profile.static_th = buffer.size;
  buffer.profiles.push_back(profile);
  return &buffer.profiles.back();
}

/// "PORTS|3" or "PORTS|3-4", with PORTS a pattern or several with commas between.
std::vector<BufferAssignment> ParseKey(const Entry& entry) {
  const size_t bar = entry.key.rfind('|');
  std::string ports = entry.key.substr(0, bar);
  const std::string range = bar == std::string::npos ? "" : entry.key.substr(bar + 1);
  const bool one = range.size() == 1, two = range.size() == 3 && range[1] == '-';
  const auto digit = [](char c) { return c >= '0' && c <= '7'; };
  if (ports.empty() || !(one || two) || !digit(range.front()) || !digit(range.back()) ||
      range.front() > range.back())
    throw ScenarioError(entry.where, Quote(entry.key) + " names no ports and priorities",
                        "as \"*|3\", \"Ethernet0|3-4\" or \"Ethernet0,Ethernet4|3\"");
  std::vector<BufferAssignment> assignments;
  while (true) {
    const size_t comma = ports.find(',');
    BufferAssignment assignment;
    assignment.ports = ports.substr(0, comma);
    assignment.first_priority = static_cast<uint8_t>(range.front() - '0');
    assignment.last_priority = static_cast<uint8_t>(range.back() - '0');
    if (assignment.ports.empty())
      throw ScenarioError(entry.where, Quote(entry.key) + " has an empty port name");
    assignments.push_back(assignment);
    if (comma == std::string::npos) return assignments;
    ports.erase(0, comma + 1);
  }
}

void ReadAssignment(const Entry& entry, BufferPool::Type type, BufferParameters& buffer, Errors& errors) {
  const bool ingress = type == BufferPool::Type::ingress;
  std::vector<BufferAssignment> assignments = ParseKey(entry);
  MapReader map(entry.value, errors);
  map.Need({"profile"});
  map.Read("profile", [&](const Node& node) {
    const std::string name = ParseText(node);
    const BufferProfile* profile = FindNamed(buffer.profiles, name);
    if (!profile && name == (ingress ? "ingress_lossy" : "egress_lossless"))
      profile = AddUnlimited(buffer, name, type);
    if (!profile)
      throw ScenarioError(node.where, "there is no profile " + Quote(name),
                          "allowed: " + Join(Names(buffer.profiles)), Nearest(name, Names(buffer.profiles)));
    const BufferPool* pool = FindNamed(buffer.pools, profile->pool);
    if (pool && pool->type != type && pool->type != BufferPool::Type::both)
      throw ScenarioError(
          node.where, fmt::format("profile \"{}\" is of an {} pool", name, ingress ? "egress" : "ingress"),
          ingress ? "BUFFER_PG takes profiles of ingress pools"
                  : "BUFFER_QUEUE takes profiles of egress pools");
    for (BufferAssignment& assignment : assignments) {
      assignment.profile = name;
      for (const BufferAssignment& other : ingress ? buffer.groups : buffer.queues)
        if (other.ports == assignment.ports && other.first_priority == assignment.first_priority &&
            other.last_priority == assignment.last_priority)
          throw ScenarioError(entry.where, Quote(entry.key) + " repeats an earlier row");
      (ingress ? buffer.groups : buffer.queues).push_back(assignment);
    }
  });
  map.Finish();
}

/// "a,b" or [a, b], at most one of each pool.
PortProfiles ReadPortProfiles(const std::string& ports, const Node& node, BufferPool::Type type,
                              const BufferParameters& buffer) {
  PortProfiles list{ports, {}};
  for (const std::string& text : ParseTexts(node)) {
    std::istringstream in(text);
    for (std::string name; std::getline(in, name, ',');) {
      const BufferProfile* profile = FindNamed(buffer.profiles, name);
      if (!profile)
        throw ScenarioError(node.where, "there is no profile " + Quote(name),
                            "allowed: " + Join(Names(buffer.profiles)),
                            Nearest(name, Names(buffer.profiles)));
      const BufferPool* pool = FindNamed(buffer.pools, profile->pool);
      if (pool && pool->type != type && pool->type != BufferPool::Type::both)
        throw ScenarioError(node.where,
                            fmt::format("profile \"{}\" is of a pool of the other direction", name));
      for (const std::string& other : list.profiles)
        if (FindNamed(buffer.profiles, other)->pool == profile->pool)
          throw ScenarioError(node.where,
                              fmt::format("profiles \"{}\" and \"{}\" are of one pool", other, name),
                              "a port has one profile for each pool");
      list.profiles.push_back(name);
    }
  }
  return list;
}

/// A row of BUFFER_PORT_…_PROFILE_LIST: "PORTS": {profile_list: …}.
void ReadPortRow(const Entry& entry, BufferPool::Type type, BufferParameters& buffer, Errors& errors) {
  MapReader map(entry.value, errors);
  map.Need({"profile_list"});
  map.Read("profile_list", [&](const Node& node) {
    std::istringstream in(entry.key);
    for (std::string ports; std::getline(in, ports, ',');) {
      if (ports.empty()) throw ScenarioError(entry.where, Quote(entry.key) + " has an empty port name");
      (type == BufferPool::Type::ingress ? buffer.port_ingress : buffer.port_egress)
          .push_back(ReadPortProfiles(ports, node, type, buffer));
    }
  });
  map.Finish();
}

/// What priorities have that no row covers.
void SetDefaults(BufferParameters& buffer) {
  const auto named = [&](const std::string& name, BufferPool::Type type) {
    if (!FindNamed(buffer.profiles, name)) AddUnlimited(buffer, name, type);
    return name;
  };
  buffer.lossy_group = named("ingress_lossy", BufferPool::Type::ingress);
  buffer.lossless_queue = named("egress_lossless", BufferPool::Type::egress);
  buffer.lossy_queue = FindNamed(buffer.profiles, "egress_lossy") ? "egress_lossy" : buffer.lossless_queue;
}

}  // namespace

void ReadRowsOfTables(const Node& node, BufferParameters& buffer, Errors& errors) {
  MapReader map(node, errors);
  map.Need({"BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE"});
  const auto each = [&](const std::string& key, auto&& read) {
    map.Read(key, [&](const Node& table) {
      MapReader rows(table, errors);
      for (const Entry& entry : rows.node().entries) errors.Guard([&] { read(entry); });
    });
  };
  each("BUFFER_POOL", [&](const Entry& e) { buffer.pools.push_back(ReadPool(e, buffer, errors)); });
  each("BUFFER_PROFILE",
       [&](const Entry& e) { buffer.profiles.push_back(ReadProfile(e, buffer.pools, errors)); });
  each("BUFFER_PG", [&](const Entry& e) { ReadAssignment(e, BufferPool::Type::ingress, buffer, errors); });
  each("BUFFER_QUEUE", [&](const Entry& e) { ReadAssignment(e, BufferPool::Type::egress, buffer, errors); });
  each("BUFFER_PORT_INGRESS_PROFILE_LIST",
       [&](const Entry& e) { ReadPortRow(e, BufferPool::Type::ingress, buffer, errors); });
  each("BUFFER_PORT_EGRESS_PROFILE_LIST",
       [&](const Entry& e) { ReadPortRow(e, BufferPool::Type::egress, buffer, errors); });
  map.Finish();
}

void ReadBufferTables(const Node& node, BufferParameters& buffer, Errors& errors) {
  ReadRowsOfTables(node, buffer, errors);
  SetDefaults(buffer);
}

}  // namespace headroom
