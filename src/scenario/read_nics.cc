#include "scenario/read_nics.h"

#include <fmt/format.h>

#include <algorithm>

#include "dcqcn/generations.h"
#include "scenario/nearest.h"
#include "scenario/read_clock.h"
#include "scenario/read_dcqcn.h"
#include "scenario/read_nic_resources.h"
#include "scenario/read_traffic_classes.h"
#include "scenario/read_watchdog.h"

namespace headroom {

namespace {

DcqcnGeneration ReadGeneration(const Node& node) {
  const std::string name = ParseText(node);
  if (const auto found = FindGeneration(name)) return *found;
  const std::vector<std::string> names = GenerationNames();
  throw ScenarioError(node.where, "there is no generation " + Quote(name), "allowed: " + Join(names),
                      Nearest(name, names));
}

void ReadTransport(const Node& node, TransportParameters& transport, Errors& errors) {
  if (node.IsScalar() && node.text == "tcp") throw NotSupportedYet(node.where, "transport \"tcp\"");
  MapReader map(node, errors);
  map.Integer("ack_every", transport.ack_every, 1, 65535);
  map.Choice<TransportParameters::AckPriority>(
      "ack_priority", transport.ack_priority,
      {{"same", TransportParameters::AckPriority::same}, {"cnp", TransportParameters::AckPriority::cnp}});
  map.Field("rto", transport.rto, Microseconds(1), Seconds(100));
  map.Integer("retry", transport.retry, 0, 1'000'000);
  map.Field("recovery_delay", transport.recovery_delay, Time(0), Seconds(100));
  map.Finish();
}

/// REQUIRES: the limiter is known.
void ReadBugs(const Node& node, NicParameters& nic, Errors& errors) {
  MapReader map(node, errors);
  map.Read("congestion_leaking", [&](const Node& value) {
    nic.congestion_leaking = ParseFlag(value);
    if (nic.congestion_leaking && nic.dcqcn.limiter.granularity != LimiterParameters::Granularity::burst)
      throw ScenarioError(value.where, "congestion leaks in the limiter by bursts, this one is by packets",
                          "dcqcn: {limiter: {granularity: burst}}, as generation gen2-interop has it");
  });
  map.Field("hidden_fence", nic.hidden_fence);
  map.Finish();
}

void CheckCnpClass(const Position& where, const NicParameters& nic, const TrafficClasses& classes) {
  if (FindClass(classes, "cnp")) return;
  if (nic.SendsCnps()) throw ScenarioError(where, "DCQCN needs a traffic class \"cnp\" in priorities");
  if (nic.transport.ack_priority == TransportParameters::AckPriority::cnp)
    throw ScenarioError(where, "ack_priority cnp needs a traffic class \"cnp\" in priorities");
}

NicParameters ReadNic(const Node& node, const TrafficClasses& classes, Errors& errors) {
  using CongestionControl = NicParameters::CongestionControl;
  NicParameters nic;
  MapReader map(node, errors);
  map.Find("match");
  DcqcnGeneration generation = FindGeneration(nic.generation).value();
  map.Read("generation", [&](const Node& value) { generation = ReadGeneration(value); });
  nic.generation = generation.name;
  nic.dcqcn = generation.dcqcn;
  nic.transport.recovery_delay = generation.recovery_delay;
  map.Field("tx_latency", nic.tx_latency, Time(0), Seconds(1));
  map.Field("rx_latency", nic.rx_latency, Time(0), Seconds(1));
  map.Field("registration_latency", nic.registration_latency, Time(0), Seconds(1));
  map.Choice<CongestionControl>("congestion_control", nic.congestion_control,
                                {{"dcqcn", CongestionControl::dcqcn}, {"none", CongestionControl::none}});
  map.Read("transport", [&](const Node& value) { ReadTransport(value, nic.transport, errors); });
  map.Read("dcqcn", [&](const Node& value) { ReadDcqcn(value, nic.dcqcn, classes, errors); });
  map.Read("resources", [&](const Node& value) { ReadNicResources(value, nic, errors); });
  map.Read("clock", [&](const Node& value) { nic.clock = ReadClock(value, errors); });
  map.Read("pfc", [&](const Node& value) {
    MapReader pfc(value, errors);
    pfc.Read("watchdog", [&](const Node& watchdog) { nic.watchdogs = ReadWatchdogs(watchdog, errors); });
    pfc.Finish();
  });
  map.Read("bugs", [&](const Node& value) { ReadBugs(value, nic, errors); });
  map.Finish();
  CheckCnpClass(node.where, nic, classes);
  return nic;
}

}  // namespace

std::vector<NicParameters> ReadNics(const Node* list, const std::vector<std::string>& names,
                                    const TrafficClasses& classes, const Position& scenario, Errors& errors) {
  std::vector<NicParameters> nics(names.size());
  if (!list) {
    Node empty;
    empty.kind = Node::Kind::map;
    empty.where = scenario;
    nics.assign(names.size(), ReadNic(empty, classes, errors));
    return nics;
  }
  for (const MatchedGroup& group : MatchEntries(*list, names, {}, errors)) {
    errors.Guard([&] {
      const NicParameters nic = ReadNic(group.merged, classes, errors);
      for (const size_t member : group.members) nics[member] = nic;
    });
  }
  return nics;
}

}  // namespace headroom
