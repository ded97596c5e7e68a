// SONiC's buffer tables, written inline in a scenario.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "scenario/keys/switches/buffer_keys.h"
#include "scenario/yaml/nearest.h"

namespace headroom::keys {

namespace {

constexpr const char* kTablesPage = "models/shared-buffer.md";
constexpr int kLeastTh = -8, kMostTh = 7;  ///< range of dynamic_th

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

/// Bytes as in config_db, that is a bare number, or with a unit as elsewhere in a scenario.
KindOf<Bytes> TableBytes() {
  return {{"bytes", "", R"({"$ref": "#/definitions/bytes"})"},
          [](const Node& node, Bytes& out, Reading&) {
            const bool bare = node.IsScalar() && !node.text.empty() &&
                              node.text.find_first_not_of("0123456789") == std::string::npos;
            out = bare ? Bytes(ParseInteger(node, 0, kLargestSize.v)) : ParseSize(node);
          },
          [](const Bytes& bytes, const Writing&) { return std::to_string(bytes.v); }};
}

const KeysOf<BufferPool>& PoolKeys() {
  using Pool = BufferPool;
  static const KeysOf<Pool> keys(
      {.name = "buffer_pool", .page = kTablesPage},
      {{"type",
        &Pool::type,
        OneOf<Pool::Type>(
            {{"ingress", Pool::Type::ingress}, {"egress", Pool::Type::egress}, {"both", Pool::Type::both}}),
        "direction of the traffic that the pool counts",
        {.required = true, .cost = Cost::fixed}},
       {"mode",
        &Pool::mode,
        OneOf<Pool::Mode>({{"dynamic", Pool::Mode::dynamic}, {"static", Pool::Mode::fixed}}),
        "dynamic: limits depend on the pool's free bytes",
        {.required = true, .cost = Cost::fixed}},
       {"size",
        &Pool::size,
        TableBytes(),
        "shared and reserved bytes of the pool's groups or queues",
        {.required = true}},
       {"xoff", &Pool::xoff, TableBytes(),
        "size of the headroom pool, in addition to size or, for some ASIC families, as a part of it"}});
  return keys;
}

KindOf<std::optional<int>> DynamicTh() {
  Shape shape = ShapeOfIntegers(kLeastTh, kMostTh);
  shape.schema =
      fmt::format(R"({{"oneOf": [{}, {{"type": "string", "pattern": "^-?[0-9]$"}}]}})", shape.schema);
  KindOf<std::optional<int>> kind = Maybe<int>(Integers(kLeastTh, kMostTh));
  kind.shape = shape;
  return kind;
}

/// Writes powers of two as a fraction.
std::string AlphaText(double alpha) {
  const double exponent = std::log2(alpha);
  if (exponent == std::round(exponent) && exponent < 0) return fmt::format("1/{:.0f}", 1 / alpha);
  return FormatNumber(alpha);
}
std::string AlphaBounds() {
  return fmt::format("{} to {}", AlphaText(std::exp2(kLeastTh)), AlphaText(std::exp2(kMostTh)));
}

KindOf<BufferProfile> DiscardAction() {
  return {{"choice", "drop", R"({"const": "drop"})"},
          [](const Node& node, BufferProfile&, Reading&) {
            const std::string action = ParseText(node);
            if (action == "trim") throw NotSupportedYet(node.where, "trimming packets", "allowed: drop");
            if (action != "drop")
              throw ScenarioError(node.where, Quote(action) + " is not an action", "allowed: drop");
          },
          {}};
}

const KeysOf<BufferProfile>& ProfileKeys() {
  using Profile = BufferProfile;
  static const KeysOf<Profile> keys(
      {.name = "buffer_table_profile", .page = kTablesPage},
      {{"pool", &Profile::pool, Text(), "a row of BUFFER_POOL", {.required = true}},
       {"size", &Profile::size, TableBytes(), "bytes reserved for each group or queue with the profile"},
       {"xon", &Profile::xon, TableBytes(),
        "a group resumes its sender below the larger of xon and limit - xon_offset"},
       {"xon_offset", &Profile::xon_offset, TableBytes(), "see xon"},
       {"xoff",
        &Profile::xoff,
        Maybe(TableBytes()),
        "maximum headroom of a group; a profile with xoff is lossless",
        {.standard = "none"}},
       {"static_th",
        &Profile::static_th,
        Maybe(TableBytes()),
        "limit of a group or queue in bytes",
        {.standard = "none"}},
       {"dynamic_th",
        &Profile::dynamic_th,
        DynamicTh(),
        "the limit is 2^dynamic_th × free bytes; use this or static_th",
        {.standard = "none", .tried = {"-6", "-4", "-3", "-2", "-1", "0", "1", "2"}}},
       {"alpha",
        &Profile::alpha,
        Maybe(Alphas()),
        "instead of dynamic_th: the limit is alpha × free bytes; SONiC has no such field",
        {.standard = "none", .tried = {"1/64", "1/32", "1/16", "1/8", "1/4", "1/2", "1", "2", "4"}}},
       {"packet_discard_action", DiscardAction(), "trimming is not supported yet", {.standard = "drop"}}});
  return keys;
}

const KeysOf<BufferAssignment>& AssignmentKeys() {
  static const KeysOf<BufferAssignment> keys({.name = "buffer_row", .page = kTablesPage},
                                             {{"profile",
                                               &BufferAssignment::profile,
                                               Text(),
                                               "a row of BUFFER_PROFILE",
                                               {.required = true, .tried = {"BUFFER_PROFILE.*"}}}});
  return keys;
}

/// "a,b" or [a, b]; read together with its references.
const KeysOf<PortProfiles>& PortProfileKeys() {
  const KindOf<PortProfiles> list{
      {"texts", "", R"({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})"},
      [](const Node&, PortProfiles&, Reading&) {},
      [](const PortProfiles& ports, const Writing&) {
        return fmt::format("[{}]", fmt::join(ports.profiles, ", "));
      }};
  static const KeysOf<PortProfiles> keys({.name = "buffer_port_row", .page = kTablesPage},
                                         {{"profile_list",
                                           list,
                                           "profiles that limit a port in their pools, at most one per pool",
                                           {.required = true}}});
  return keys;
}

BufferPool ReadPool(const Entry& entry, const BufferParameters& buffer, Reading& reading) {
  CheckName(entry.key, entry.where);
  BufferPool pool;
  pool.name = entry.key;
  PoolKeys().Read(entry.value, &pool, reading);
  const bool inside = buffer.rules.xoff_in_pool_size;
  const Bytes takes = inside ? pool.size : pool.size + pool.xoff;
  if (takes > buffer.size)
    throw ScenarioError(entry.where, fmt::format("pool \"{}\" takes {}, but the memory has only {}",
                                                 pool.name, FormatSize(takes), FormatSize(buffer.size)));
  if (inside && pool.xoff > pool.size)
    throw ScenarioError(entry.where, fmt::format("pool \"{}\" has a headroom (xoff) of {}, but its size "
                                                 "is only {}",
                                                 pool.name, FormatSize(pool.xoff), FormatSize(pool.size)));
  if (pool.xoff.v > 0 && pool.type == BufferPool::Type::egress)
    throw ScenarioError(entry.where,
                        fmt::format("the egress pool \"{}\" has headroom (xoff), which is "
                                    "not allowed",
                                    pool.name),
                        "give headroom to an ingress pool");
  return pool;
}

/// The largest size of a group when it pauses: if no other group has data.
Bytes MostBeforePause(const BufferProfile& profile, const BufferPool& pool) {
  const bool limited = profile.static_th && profile.static_th->v > 0;  // as in SAI, 0 means no limit
  const std::optional<double> alpha = profile.Alpha();
  if (!alpha) return profile.size + (limited ? *profile.static_th : pool.size);
  const double most = static_cast<double>(pool.size.v) * *alpha / (1 + *alpha);
  return profile.size + Bytes(static_cast<int64_t>(most));
}

/// A group smaller than xon resumes its sender. So xon may not exceed the largest size at which a group
/// pauses, or that pause would end at once.
void CheckXon(const Entry& entry, const BufferProfile& profile, const BufferPool& pool) {
  const Bytes most = MostBeforePause(profile, pool);
  const bool above_pool = profile.xon > pool.size;
  if (!above_pool && (!profile.xoff || profile.xon <= most)) return;
  const Node* xon = entry.value.Find("xon");
  throw ScenarioError(
      xon ? xon->where : entry.where,
      above_pool ? fmt::format("xon {} of profile \"{}\" is above {}, the size of its pool \"{}\"",
                               FormatSize(profile.xon), profile.name, FormatSize(pool.size), pool.name)
                 : fmt::format("xon {} of profile \"{}\" is above {}, the highest fill at which its "
                               "groups pause",
                               FormatSize(profile.xon), profile.name, FormatSize(most)),
      fmt::format("allowed: 0B to {}", FormatSize(std::min(most, pool.size))));
}

BufferProfile ReadProfile(const Entry& entry, const std::vector<BufferPool>& pools, Reading& reading) {
  CheckName(entry.key, entry.where);
  BufferProfile profile;
  profile.name = entry.key;
  ProfileKeys().Read(entry.value, &profile, reading);
  const Node* of = entry.value.Find("pool");
  if (!of || !of->IsScalar()) return profile;
  const BufferPool* pool = FindNamed(pools, profile.pool);
  if (!pool)
    throw ScenarioError(of->where, "there is no pool " + Quote(profile.pool),
                        "allowed: " + Join(Names(pools)), Nearest(profile.pool, Names(pools)));
  int limits = 0;
  for (const char* field : {"dynamic_th", "alpha", "static_th"}) limits += entry.value.Find(field) != nullptr;
  if (limits != 1)
    throw ScenarioError(
        entry.where,
        fmt::format("profile \"{}\" has {} limit", profile.name, limits > 0 ? "more than one" : "no"),
        "give one of dynamic_th, alpha and static_th");
  if (profile.Dynamic() && pool->mode != BufferPool::Mode::dynamic)
    throw ScenarioError(entry.where,
                        fmt::format("profile \"{}\" has {}, but its pool \"{}\" is static", profile.name,
                                    profile.alpha ? "alpha" : "dynamic_th", pool->name));
  if (profile.xoff && pool->type == BufferPool::Type::egress)
    throw ScenarioError(entry.where, fmt::format("profile \"{}\" has xoff, but its pool \"{}\" is an "
                                                 "egress pool",
                                                 profile.name, pool->name));
  CheckXon(entry, profile, *pool);
  return profile;
}

/// A profile that limits nothing, with the name that the tables use without defining it.
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

/// "PORTS|3" or "PORTS|3-4"; PORTS is a pattern, or several separated by commas.
std::vector<BufferAssignment> ParseKey(const Entry& entry) {
  const size_t bar = entry.key.rfind('|');
  std::string ports = entry.key.substr(0, bar);
  const std::string range = bar == std::string::npos ? "" : entry.key.substr(bar + 1);
  const bool one = range.size() == 1, two = range.size() == 3 && range[1] == '-';
  const auto digit = [](char c) { return c >= '0' && c <= '7'; };
  if (ports.empty() || !(one || two) || !digit(range.front()) || !digit(range.back()) ||
      range.front() > range.back())
    throw ScenarioError(entry.where, Quote(entry.key) + " names no ports and priorities",
                        "give ports and priorities such as \"*|3\", \"Ethernet0|3-4\" or "
                        "\"Ethernet0,Ethernet4|3\"");
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

void ReadAssignment(const Entry& entry, BufferPool::Type type, BufferParameters& buffer, Reading& reading) {
  const bool ingress = type == BufferPool::Type::ingress;
  std::vector<BufferAssignment> assignments = ParseKey(entry);
  BufferAssignment row;
  AssignmentKeys().Read(entry.value, &row, reading);
  const Node* given = entry.value.Find("profile");
  if (!given || !given->IsScalar()) return;
  const Node& node = *given;
  const std::string& name = row.profile;
  const BufferProfile* profile = FindNamed(buffer.profiles, name);
  if (!profile && name == (ingress ? "ingress_lossy" : "egress_lossless"))
    profile = AddUnlimited(buffer, name, type);
  if (!profile)
    throw ScenarioError(node.where, "there is no profile " + Quote(name),
                        "allowed: " + Join(Names(buffer.profiles)), Nearest(name, Names(buffer.profiles)));
  const BufferPool* pool = FindNamed(buffer.pools, profile->pool);
  if (pool && pool->type != type && pool->type != BufferPool::Type::both)
    throw ScenarioError(
        node.where, fmt::format("profile \"{}\" belongs to an {} pool", name, ingress ? "egress" : "ingress"),
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
}

/// "a,b" or [a, b], at most one profile of each pool.
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
                            fmt::format("profile \"{}\" belongs to a pool of the other direction", name));
      for (const std::string& other : list.profiles)
        if (FindNamed(buffer.profiles, other)->pool == profile->pool)
          throw ScenarioError(node.where,
                              fmt::format("profiles \"{}\" and \"{}\" belong to the same pool", other, name),
                              "give a port one profile for each pool");
      list.profiles.push_back(name);
    }
  }
  return list;
}

/// A row of BUFFER_PORT_…_PROFILE_LIST: "PORTS": {profile_list: …}.
void ReadPortRow(const Entry& entry, BufferPool::Type type, BufferParameters& buffer, Reading& reading) {
  PortProfiles unresolved;
  PortProfileKeys().Read(entry.value, &unresolved, reading);
  const Node* list = entry.value.Find("profile_list");
  if (!list || list->IsNull()) return;
  std::istringstream in(entry.key);
  for (std::string ports; std::getline(in, ports, ',');) {
    if (ports.empty()) throw ScenarioError(entry.where, Quote(entry.key) + " has an empty port name");
    (type == BufferPool::Type::ingress ? buffer.port_ingress : buffer.port_egress)
        .push_back(ReadPortProfiles(ports, *list, type, buffer));
  }
}

/// A table: a mapping of rows by name; `read` reads each row.
template <class Read, class Write>
KindOf<BufferParameters> Table(const Keys& row, std::string schema, const char* step, Read read,
                               Write write) {
  Shape shape = row.shape();
  shape.kind = "rows by name";
  shape.schema = std::move(schema);
  shape.step = step;
  return {shape,
          [read](const Node& node, BufferParameters& buffer, Reading& reading) {
            MapReader rows(node, reading.errors);
            for (const Entry& entry : rows.node().entries)
              reading.errors.Guard([&] { read(entry, buffer, reading); });
          },
          write};
}

std::string RowsOf(const Keys& row) {
  return fmt::format(R"({{"type": "object", "additionalProperties": {}}})", row.shape().schema);
}

std::string RowText(const Writing& writing, const std::string& name, const std::string& row) {
  return fmt::format("\n{}{}: {}", std::string(writing.indent + 2, ' '), WriteTexts({name}), row);
}

KindOf<BufferParameters> Pools() {
  return Table(
      PoolKeys(), RowsOf(PoolKeys()), "NAME",
      [](const Entry& e, BufferParameters& b, Reading& reading) {
        b.pools.push_back(ReadPool(e, b, reading));
      },
      [](const BufferParameters& b, const Writing& writing) {
        std::string text = b.pools.empty() ? "\n" : "";
        for (const BufferPool& p : b.pools) text += RowText(writing, p.name, PoolKeys().Write(&p, {}));
        return text;
      });
}

KindOf<BufferParameters> Profiles() {
  return Table(
      ProfileKeys(), RowsOf(ProfileKeys()), "NAME",
      [](const Entry& e, BufferParameters& b, Reading& reading) {
        b.profiles.push_back(ReadProfile(e, b.pools, reading));
      },
      [](const BufferParameters& b, const Writing& writing) {
        std::string text = b.profiles.empty() ? "\n" : "";
        for (const BufferProfile& p : b.profiles)
          text += RowText(writing, p.name, ProfileKeys().Write(&p, {}));
        return text;
      });
}

KindOf<BufferParameters> Assignments(BufferPool::Type type) {
  return Table(
      AssignmentKeys(), R"({"$ref": "#/definitions/buffer_rows"})", "\"PORTS|PRIORITIES\"",
      [type](const Entry& e, BufferParameters& b, Reading& reading) { ReadAssignment(e, type, b, reading); },
      [type](const BufferParameters& b, const Writing& writing) {
        std::string text;
        for (const BufferAssignment& a : type == BufferPool::Type::ingress ? b.groups : b.queues) {
          const std::string range = a.first_priority == a.last_priority
                                        ? std::to_string(a.first_priority)
                                        : fmt::format("{}-{}", a.first_priority, a.last_priority);
          text += RowText(writing, a.ports + "|" + range, AssignmentKeys().Write(&a, {}));
        }
        return text.empty() ? "{}" : text;
      });
}

KindOf<BufferParameters> PortLists(BufferPool::Type type) {
  return Table(
      PortProfileKeys(), RowsOf(PortProfileKeys()), "PORTS",
      [type](const Entry& e, BufferParameters& b, Reading& reading) { ReadPortRow(e, type, b, reading); },
      [type](const BufferParameters& b, const Writing& writing) {
        std::string text;
        for (const PortProfiles& list : type == BufferPool::Type::ingress ? b.port_ingress : b.port_egress)
          text += RowText(writing, list.ports, PortProfileKeys().Write(&list, {}));
        return text;
      });
}

}  // namespace

KindOf<double> Alphas() {
  return {{"fraction", AlphaBounds(), R"({"$ref": "#/definitions/fraction"})"},
          [](const Node& node, double& alpha, Reading&) {
            alpha = ParseFraction(node);
            if (alpha < std::exp2(kLeastTh) || alpha > std::exp2(kMostTh))
              throw ScenarioError(node.where, Quote(node.text) + " is not a possible alpha of a switch",
                                  "allowed: " + AlphaBounds());
          },
          [](const double& alpha, const Writing&) { return AlphaText(alpha); }};
}

const KeysOf<BufferParameters>& BufferTableKeys() {
  using Type = BufferPool::Type;
  static const KeysOf<BufferParameters> keys(
      {.name = "buffer_tables", .page = kTablesPage, .block = true},
      {{"BUFFER_POOL", Pools(), "pools by name", {.required = true}},
       {"BUFFER_PROFILE", Profiles(), "profiles by name", {.required = true}},
       {"BUFFER_PG",
        Assignments(Type::ingress),
        "profiles of priority groups; a row's key names ports (a pattern, or a list with commas) and a "
        "priority or a range of priorities",
        {.required = true}},
       {"BUFFER_QUEUE",
        Assignments(Type::egress),
        "profiles of queues, with keys like those of BUFFER_PG",
        {.required = true}},
       {"BUFFER_PORT_INGRESS_PROFILE_LIST",
        PortLists(Type::ingress),
        "joint limits of a port's groups",
        {.standard = "none"}},
       {"BUFFER_PORT_EGRESS_PROFILE_LIST",
        PortLists(Type::egress),
        "joint limits of a port's queues",
        {.standard = "none"}}});
  return keys;
}

std::string WriteBufferTables(const BufferParameters& buffer) {
  return BufferTableKeys().WriteLines(&buffer, {});
}

/// Adds the settings of priorities that no row covers.
void AddUnnamedProfiles(BufferParameters& buffer) {
  const auto named = [&](const std::string& name, BufferPool::Type type) {
    if (!FindNamed(buffer.profiles, name)) AddUnlimited(buffer, name, type);
    return name;
  };
  buffer.lossy_group = named("ingress_lossy", BufferPool::Type::ingress);
  buffer.lossless_queue = named("egress_lossless", BufferPool::Type::egress);
  buffer.lossy_queue = FindNamed(buffer.profiles, "egress_lossy") ? "egress_lossy" : buffer.lossless_queue;
}

}  // namespace headroom::keys
