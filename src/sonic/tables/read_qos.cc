// Reads WRED_PROFILE, QUEUE, SCHEDULER, PORT_QOS_MAP and the maps that it names.
#include <fmt/format.h>

#include <charconv>

#include "sonic/tables/row_reader.h"
#include "sonic/tables/tables.h"

namespace headroom {

namespace {

constexpr int64_t kHighestWredThreshold = 2'147'483'647;  // orchagent parses with stoi

void ReadColour(SonicRowReader& reader, const std::string& colour, SonicWredColour& out) {
  reader.Flag("wred_" + colour + "_enable", out.enabled, "true", "false");
  SonicValue<int64_t> bytes;
  const auto threshold = [&](const char* end, SonicValue<Bytes>& to) {
    bytes.value.reset();
    reader.Integer(colour + end, bytes, 0, kHighestWredThreshold);
    to.place = bytes.place;
    if (bytes) to.value = Bytes(*bytes);
  };
  threshold("_min_threshold", out.min_threshold);
  threshold("_max_threshold", out.max_threshold);
  reader.Integer(colour + "_drop_probability", out.drop_probability, 0, 100);
}

SonicWred ReadWred(const SonicJsonRow& row, SonicFindings& findings) {
  SonicRowReader reader(row.place, *row.fields, findings);
  SonicWred wred;
  wred.name = Trimmed(row.place.key);
  wred.place = row.place;
  ReadColour(reader, "green", wred.green);
  ReadColour(reader, "yellow", wred.yellow);
  ReadColour(reader, "red", wred.red);
  SonicValue<const char*> ecn;
  reader.Choice<const char*>("ecn", ecn,
                             {{"ecn_none", "ecn_none"},
                              {"ecn_green", "ecn_green"},
                              {"ecn_yellow", "ecn_yellow"},
                              {"ecn_red", "ecn_red"},
                              {"ecn_green_yellow", "ecn_green_yellow"},
                              {"ecn_green_red", "ecn_green_red"},
                              {"ecn_yellow_red", "ecn_yellow_red"},
                              {"ecn_all", "ecn_all"}});
  wred.ecn.place = ecn.place;
  if (ecn) wred.ecn.value = *ecn;
  reader.Finish();
  return wred;
}

SonicScheduler ReadScheduler(const SonicJsonRow& row, SonicFindings& findings) {
  SonicRowReader reader(row.place, *row.fields, findings);
  SonicScheduler scheduler;
  scheduler.name = Trimmed(row.place.key);
  scheduler.place = row.place;
  using Type = SonicScheduler::Type;
  reader.Choice<Type>("type", scheduler.type,
                      {{"DWRR", Type::dwrr}, {"WRR", Type::wrr}, {"STRICT", Type::strict}});
  reader.Integer("weight", scheduler.weight, 1, 100);
  reader.Integer("priority", scheduler.priority, 0, 9);
  using Meter = SonicScheduler::Meter;
  reader.Choice<Meter>("meter_type", scheduler.meter_type,
                       {{"packets", Meter::packets}, {"bytes", Meter::bytes}});
  reader.Integer("cir", scheduler.cir, 0, INT64_MAX);
  reader.Integer("pir", scheduler.pir, 0, INT64_MAX);
  reader.Integer("cbs", scheduler.cbs, 0, INT64_MAX);
  reader.Integer("pbs", scheduler.pbs, 0, INT64_MAX);
  reader.Finish();
  return scheduler;
}

SonicPortQos ReadPortQos(const SonicJsonRow& row, SonicFindings& findings) {
  SonicRowReader reader(row.place, *row.fields, findings);
  SonicPortQos qos;
  qos.place = row.place;
  qos.ports = ReadPortsKey(row.place, findings);
  reader.Reference("dscp_to_tc_map", "DSCP_TO_TC_MAP", qos.dscp_to_tc_map);
  reader.Reference("dot1p_to_tc_map", "DOT1P_TO_TC_MAP", qos.dot1p_to_tc_map);
  reader.Reference("tc_to_queue_map", "TC_TO_QUEUE_MAP", qos.tc_to_queue_map);
  reader.Reference("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", qos.tc_to_pg_map);
  reader.Reference("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", qos.pfc_to_queue_map);
  reader.Reference("pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", qos.pfc_to_pg_map);
  reader.Reference("scheduler", "SCHEDULER", qos.scheduler);
  reader.Mask("pfc_enable", qos.pfc_enable);
  reader.Mask("pfcwd_sw_enable", qos.pfcwd_sw_enable);
  reader.Finish();
  return qos;
}

/// Reads {"0": "1", …}: keys 0 … `from`, values 0 … `to`.
SonicMaps ReadMaps(std::vector<SonicJsonRow> rows, int from, int to, SonicFindings& findings) {
  SonicMaps maps;
  for (const SonicJsonRow& row : rows) {
    SonicRowReader reader(row.place, *row.fields, findings);
    SonicMap map;
    map.name = Trimmed(row.place.key);
    map.place = row.place;
    for (const auto& [field, value] : row.fields->items()) {
      if (field == "NULL") continue;
      int n = -1;
      const std::string digits = Trimmed(field);
      const char* end = digits.data() + digits.size();
      const auto [stop, error] = std::from_chars(digits.data(), end, n);
      SonicValue<int> target;
      reader.Integer(field, target, 0, to);
      if (error != std::errc() || stop != end || n < 0 || n > from) {
        findings.Error(target.place, "maps a key that is not a number in the allowed range",
                       fmt::format("allowed: 0 to {}", from));
      } else {
        map.to[n] = target;
      }
    }
    maps[map.name] = map;
  }
  return maps;
}

}  // namespace

void ReadQosTables(SonicTables& tables, SonicConfig& config, SonicFindings& findings) {
  for (const SonicJsonRow& row : tables.Take("WRED_PROFILE")) {
    const SonicWred wred = ReadWred(row, findings);
    config.wred[wred.name] = wred;
  }
  for (const SonicJsonRow& row : tables.Take("SCHEDULER")) {
    const SonicScheduler scheduler = ReadScheduler(row, findings);
    config.schedulers[scheduler.name] = scheduler;
  }
  for (const SonicJsonRow& row : tables.Take("QUEUE")) {
    SonicQueueRow queue;
    SonicRowReader reader(row.place, *row.fields, findings);
    reader.Reference("scheduler", "SCHEDULER", queue.scheduler);
    reader.Reference("wred_profile", "WRED_PROFILE", queue.wred_profile);
    reader.Finish();
    if (ReadRangeKey(row.place, kHighestQueue, queue, findings)) config.queues.push_back(queue);
  }
  for (const SonicJsonRow& row : tables.Take("PORT_QOS_MAP"))
    config.port_qos.push_back(ReadPortQos(row, findings));
  config.dscp_to_tc = ReadMaps(tables.Take("DSCP_TO_TC_MAP"), 63, 15, findings);
  config.dot1p_to_tc = ReadMaps(tables.Take("DOT1P_TO_TC_MAP"), 7, 15, findings);
  config.tc_to_queue = ReadMaps(tables.Take("TC_TO_QUEUE_MAP"), 15, kHighestQueue, findings);
  config.tc_to_pg = ReadMaps(tables.Take("TC_TO_PRIORITY_GROUP_MAP"), 15, 7, findings);
  config.pfc_to_queue = ReadMaps(tables.Take("MAP_PFC_PRIORITY_TO_QUEUE"), 7, kHighestQueue, findings);
  config.pfc_to_pg = ReadMaps(tables.Take("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"), 7, 7, findings);
}

}  // namespace headroom
