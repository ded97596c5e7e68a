// A SONiC switch's config_db.json as typed tables, restricted to the tables that decide its buffers, queues,
// PFC and ECN.
//
// Tables, fields, units and ranges: sonic-net/sonic-buildimage,
// src/sonic-yang-models/yang-models/sonic-*.yang and doc/Configuration.md. In the file every value is text;
// sizes and WRED thresholds are in bytes, speeds in Mb/s, times of PFC_WD in ms. Here a field is a typed
// value with its place in the file. References are bare names: brackets of the old form "[TABLE|name]" are
// removed. A key that lists ports ("Ethernet0,Ethernet4|3-4") is one row with several ports. Other parts of
// the file are only in `json`.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/units.h"
#include "sonic/tables/lookup.h"
#include "sonic/tables/value.h"
#include "switch/buffer/buffer_parameters.h"

namespace headroom {

/// DEVICE_METADATA|localhost.
struct SonicDevice {
  SonicValue<std::string> hwsku, platform, type, hostname, asic_name;
  enum class BufferModel { traditional, dynamic };
  SonicValue<BufferModel> buffer_model;  ///< absent: traditional
  bool dynamic() const { return buffer_model.value == BufferModel::dynamic; }
};

/// PORT|name.
struct SonicPort {
  std::string name;
  SonicPlace place;
  SonicValue<Rate> speed;
  SonicValue<int64_t> mtu;    ///< in bytes; absent: 9100
  SonicValue<bool> admin_up;  ///< absent: down
  SonicValue<std::string> lanes, role, pfc_asym;
  SonicValue<std::string> cable;  ///< from CABLE_LENGTH, as written: "300m"
  int64_t cable_m = 0;            ///< length in metres; 0: none, or "0m"
  bool up() const { return admin_up.value_or(false); }
  /// False for a recirculation or inband port of a chassis.
  bool external() const { return !role || *role == "Ext"; }
};

struct SonicPool {
  std::string name;
  SonicPlace place;
  SonicValue<BufferPool::Type> type;
  SonicValue<BufferPool::Mode> mode;
  SonicValue<Bytes> size;  ///< absent in the dynamic model
  SonicValue<Bytes> xoff;
  SonicValue<int64_t> percentage;
};

struct SonicProfile {
  enum class HeadroomType { fixed, dynamic };  ///< `fixed` is SONiC's "static"
  enum class DiscardAction { drop, trim };
  std::string name;
  SonicPlace place;
  SonicValue<std::string> pool;
  SonicValue<Bytes> size;
  SonicValue<int> dynamic_th;
  SonicValue<Bytes> static_th;  ///< 0 means no limit, as in SAI; the value is as written
  SonicValue<Bytes> xon, xon_offset, xoff;
  SonicValue<HeadroomType> headroom_type;
  SonicValue<DiscardAction> packet_discard_action;
  bool lossless() const { return xoff.value.has_value(); }
};

/// The ports and the range that a key names: "Ethernet0,Ethernet4|3-4", "lc3|Asic0|Ethernet0|3".
struct SonicRange {
  SonicPlace place;
  std::string host, asic;          ///< for a chassis's system port; else empty
  std::vector<std::string> ports;  ///< at least one
  int first = 0, last = 0;
  bool Covers(const std::string& port, int n) const;
};

struct SonicGroupRow : SonicRange {  ///< a row of BUFFER_PG
  SonicValue<std::string> profile;   ///< absent if `computed`
  bool computed = false;             ///< "NULL": the dynamic model computes the profile
};

struct SonicBufferQueueRow : SonicRange {  ///< a row of BUFFER_QUEUE
  SonicValue<std::string> profile;
};

struct SonicQueueRow : SonicRange {  ///< a row of QUEUE
  SonicValue<std::string> scheduler, wred_profile;
};

/// A row of BUFFER_PORT_INGRESS_PROFILE_LIST or …EGRESS…: limits of a port in its pools.
struct SonicProfileList {
  SonicPlace place;
  std::vector<std::string> ports;
  SonicValue<std::vector<std::string>> profiles;
};

struct SonicWredColour {
  SonicValue<bool> enabled;  ///< absent: false
  SonicValue<Bytes> min_threshold, max_threshold;
  SonicValue<int> drop_probability;  ///< in per cent; absent: 100
};

struct SonicWred {
  std::string name;
  SonicPlace place;
  SonicWredColour green, yellow, red;
  SonicValue<std::string> ecn;  ///< ecn_none, ecn_green, …, ecn_all; absent: ecn_none
  bool MarksGreen() const;      ///< whether `ecn` names green
};

struct SonicScheduler {
  enum class Type { dwrr, wrr, strict };
  enum class Meter { packets, bytes };
  std::string name;
  SonicPlace place;
  SonicValue<Type> type;     ///< absent: wrr
  SonicValue<int> weight;    ///< 1 … 100
  SonicValue<int> priority;  ///< 0 … 9
  SonicValue<Meter> meter_type;
  SonicValue<int64_t> cir, pir;  ///< bytes (or packets) per second
  SonicValue<int64_t> cbs, pbs;  ///< bytes (or packets)
};

/// PORT_QOS_MAP. Masks have bit p for priority p.
struct SonicPortQos {
  SonicPlace place;
  std::vector<std::string> ports;  ///< at least one; "global" means the switch
  SonicValue<std::string> dscp_to_tc_map, dot1p_to_tc_map, tc_to_queue_map, tc_to_pg_map, pfc_to_queue_map,
      pfc_to_pg_map, scheduler;
  SonicValue<uint8_t> pfc_enable, pfcwd_sw_enable;
};

/// A row of DSCP_TO_TC_MAP, TC_TO_QUEUE_MAP, ….
struct SonicMap {
  std::string name;
  SonicPlace place;
  std::map<int, SonicValue<int>> to;
};
using SonicMaps = std::map<std::string, SonicMap>;

struct SonicWatchdog {  ///< a row PFC_WD|ports
  enum class Action { drop, forward, alert };
  SonicPlace place;
  std::vector<std::string> ports;
  SonicValue<Action> action;          ///< absent: drop
  SonicValue<Time> detection_time;    ///< 100 … 5000 ms
  SonicValue<Time> restoration_time;  ///< 100 … 60000 ms; absent: never restored
  SonicValue<bool> pfc_stat_history;
};

struct SonicWatchdogGlobal {       ///< the row PFC_WD|GLOBAL
  SonicValue<Time> poll_interval;  ///< POLL_INTERVAL, 100 … 1000 ms; absent: 100 ms
  SonicValue<bool> big_red_switch;
  SonicValue<bool> polled;  ///< FLEX_COUNTER_STATUS of FLEX_COUNTER_TABLE|PFCWD; absent: counters are polled
};

/// LOSSLESS_TRAFFIC_PATTERN and DEFAULT_LOSSLESS_BUFFER_PARAMETER, for the dynamic model.
struct SonicDynamicModel {
  SonicValue<int64_t> mtu;                  ///< in bytes; absent: 1024
  SonicValue<int> small_packet_percentage;  ///< absent: 50
  SonicValue<int> default_dynamic_th;
  SonicValue<int64_t> over_subscribe_ratio;  ///< absent or 0: no shared headroom pool
};

struct SonicConfig {
  enum class Layout { nested, flat };     ///< {"TABLE": {"key": …}} or {"TABLE|key": …}
  std::string file;                       ///< its name in messages
  Layout layout = Layout::nested;         ///< layout of the first row; a file may mix them
  nlohmann::ordered_json json;            ///< the whole file, in its order
  std::optional<PgProfileLookup> lookup;  ///< the table that provided the lossless groups

  SonicDevice device;
  std::vector<SonicPort> ports;  ///< in the order of their numbers: Ethernet0, Ethernet4, …, Ethernet12
  std::map<std::string, SonicPool> pools;
  std::map<std::string, SonicProfile> profiles;
  std::vector<SonicGroupRow> groups;
  std::vector<SonicBufferQueueRow> buffer_queues;
  std::vector<SonicProfileList> ingress_lists, egress_lists;
  std::map<std::string, SonicWred> wred;
  std::vector<SonicQueueRow> queues;
  std::map<std::string, SonicScheduler> schedulers;
  std::vector<SonicPortQos> port_qos;
  SonicMaps dscp_to_tc, dot1p_to_tc, tc_to_queue, tc_to_pg, pfc_to_queue, pfc_to_pg;
  std::vector<SonicWatchdog> watchdogs;
  SonicWatchdogGlobal watchdog_global;
  SonicDynamicModel dynamic_model;

  /// Returns null if the file has no port with this name.
  const SonicPort* FindPort(const std::string& name) const;
  const SonicPool* FindPool(const std::string& name) const;
  const SonicProfile* FindProfile(const std::string& name) const;
  /// The row of PORT_QOS_MAP for a port, or for the whole switch ("global"); null if there is none.
  const SonicPortQos* FindPortQos(const std::string& port) const;
  /// The profile of a port's group; null if it has none.
  const SonicGroupRow* FindGroup(const std::string& port, int group) const;
  /// Only for queues of this switch: a chassis's rows for ports of other line cards are ignored.
  const SonicBufferQueueRow* FindBufferQueue(const std::string& port, int queue) const;
  const SonicQueueRow* FindQueue(const std::string& port, int queue) const;
  const SonicWatchdog* FindWatchdog(const std::string& port) const;
  /// Whether a row concerns this switch: it names no system port, or one of this host and ASIC.
  bool Own(const SonicRange& row) const;
  /// The priorities for which a port sends and obeys PFC; bit p is priority p.
  uint8_t PfcEnable(const std::string& port) const;
};

}  // namespace headroom
