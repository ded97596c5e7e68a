// Reads BUFFER_POOL, BUFFER_PROFILE and the assignments of profiles.
#include "sonic/tables/row_reader.h"
#include "sonic/tables/tables.h"

namespace headroom {

namespace {

constexpr int kHighestGroup = 7;
constexpr int64_t kLongestMtu = 65'536;

SonicPool ReadPool(const SonicJsonRow& row, SonicFindings& findings) {
  SonicRowReader reader(row.place, *row.fields, findings);
  SonicPool pool;
  pool.name = Trimmed(row.place.key);
  pool.place = row.place;
  using Type = BufferPool::Type;
  reader.Choice<Type>("type", pool.type,
                      {{"ingress", Type::ingress}, {"egress", Type::egress}, {"both", Type::both}});
  using Mode = BufferPool::Mode;
  reader.Choice<Mode>("mode", pool.mode, {{"dynamic", Mode::dynamic}, {"static", Mode::fixed}});
  reader.Size("size", pool.size);
  reader.Size("xoff", pool.xoff);
  reader.Integer("percentage", pool.percentage, 0, 100);
  reader.Finish();
  return pool;
}

SonicProfile ReadProfile(const SonicJsonRow& row, SonicFindings& findings) {
  SonicRowReader reader(row.place, *row.fields, findings);
  SonicProfile profile;
  profile.name = Trimmed(row.place.key);
  profile.place = row.place;
  reader.Reference("pool", "BUFFER_POOL", profile.pool);
  reader.Size("size", profile.size);
  reader.Integer("dynamic_th", profile.dynamic_th, -8, 7);
  reader.Size("static_th", profile.static_th);
  reader.Size("xon", profile.xon);
  reader.Size("xon_offset", profile.xon_offset);
  reader.Size("xoff", profile.xoff);
  using HeadroomType = SonicProfile::HeadroomType;
  reader.Choice<HeadroomType>("headroom_type", profile.headroom_type,
                              {{"static", HeadroomType::fixed}, {"dynamic", HeadroomType::dynamic}});
  using Discard = SonicProfile::DiscardAction;
  reader.Choice<Discard>("packet_discard_action", profile.packet_discard_action,
                         {{"drop", Discard::drop}, {"trim", Discard::trim}});
  if (profile.packet_discard_action.value == Discard::trim)
    findings.Error(profile.packet_discard_action.place, "packet trimming is not supported yet",
                   "set packet_discard_action to drop");
  reader.Finish();
  return profile;
}

SonicProfileList ReadProfileList(const SonicJsonRow& row, SonicFindings& findings) {
  SonicRowReader reader(row.place, *row.fields, findings);
  SonicProfileList list;
  list.place = row.place;
  list.ports = ReadPortsKey(row.place, findings);
  reader.References("profile_list", "BUFFER_PROFILE", list.profiles);
  reader.Finish();
  return list;
}

void ReadAssignments(SonicTables& tables, SonicConfig& config, SonicFindings& findings) {
  for (const SonicJsonRow& row : tables.Take("BUFFER_PG")) {
    SonicGroupRow group;
    SonicRowReader reader(row.place, *row.fields, findings);
    reader.Reference("profile", "BUFFER_PROFILE", group.profile);
    reader.Finish();
    group.computed = group.profile.value == "NULL";
    if (group.computed) group.profile.value.reset();
    if (ReadRangeKey(row.place, kHighestGroup, group, findings)) config.groups.push_back(group);
  }
  for (const SonicJsonRow& row : tables.Take("BUFFER_QUEUE")) {
    SonicBufferQueueRow queue;
    SonicRowReader reader(row.place, *row.fields, findings);
    reader.Reference("profile", "BUFFER_PROFILE", queue.profile);
    reader.Finish();
    if (ReadRangeKey(row.place, kHighestQueue, queue, findings)) config.buffer_queues.push_back(queue);
  }
}

}  // namespace

void ReadBufferRows(SonicTables& tables, SonicConfig& config, SonicFindings& findings) {
  for (const SonicJsonRow& row : tables.Take("BUFFER_POOL")) {
    const SonicPool pool = ReadPool(row, findings);
    config.pools[pool.name] = pool;
  }
  for (const SonicJsonRow& row : tables.Take("BUFFER_PROFILE")) {
    const SonicProfile profile = ReadProfile(row, findings);
    config.profiles[profile.name] = profile;
  }
  ReadAssignments(tables, config, findings);
  for (const SonicJsonRow& row : tables.Take("BUFFER_PORT_INGRESS_PROFILE_LIST"))
    config.ingress_lists.push_back(ReadProfileList(row, findings));
  for (const SonicJsonRow& row : tables.Take("BUFFER_PORT_EGRESS_PROFILE_LIST"))
    config.egress_lists.push_back(ReadProfileList(row, findings));

  for (const SonicJsonRow& row : tables.Take("LOSSLESS_TRAFFIC_PATTERN")) {
    SonicRowReader reader(row.place, *row.fields, findings);
    reader.Integer("mtu", config.dynamic_model.mtu, 64, kLongestMtu);
    reader.Integer("small_packet_percentage", config.dynamic_model.small_packet_percentage, 0, 100);
    reader.Finish();
  }
  for (const SonicJsonRow& row : tables.Take("DEFAULT_LOSSLESS_BUFFER_PARAMETER")) {
    SonicRowReader reader(row.place, *row.fields, findings);
    reader.Integer("default_dynamic_th", config.dynamic_model.default_dynamic_th, -8, 7);
    reader.Integer("over_subscribe_ratio", config.dynamic_model.over_subscribe_ratio, 0, 65'535);
    reader.Finish();
  }
}

}  // namespace headroom
