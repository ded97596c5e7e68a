#include "scenario/read/read_nics.h"

#include "dcqcn/generations.h"
#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/keys/network/class_keys.h"

namespace headroom {

namespace {

void CheckCnpClass(const Position& where, const NicParameters& nic, const TrafficClasses& classes) {
  if (keys::FindClass(classes, "cnp")) return;
  if (nic.SendsCnps()) throw ScenarioError(where, "DCQCN needs a traffic class \"cnp\" in priorities");
  if (nic.transport.ack_priority == TransportParameters::AckPriority::cnp)
    throw ScenarioError(where, "ack_priority cnp needs a traffic class \"cnp\" in priorities");
}

NicParameters ReadNic(const Node& node, keys::Reading& reading) {
  NicParameters nic;
  nic.dcqcn = FindGeneration(nic.generation).value().dcqcn;
  keys::NicKeys().Read(node, &nic, reading);
  CheckCnpClass(node.where, nic, *reading.classes);
  return nic;
}

}  // namespace

std::vector<NicParameters> ReadNics(const Node* list, const std::vector<std::string>& names,
                                    const TrafficClasses& classes, const Position& scenario, Errors& errors) {
  std::vector<NicParameters> nics(names.size());
  keys::Reading reading{.errors = errors, .classes = &classes};
  if (!list) {
    Node empty;
    empty.kind = Node::Kind::map;
    empty.where = scenario;
    nics.assign(names.size(), ReadNic(empty, reading));
    return nics;
  }
  for (const MatchedGroup& group : MatchEntries(*list, names, {}, errors)) {
    errors.Guard([&] {
      const NicParameters nic = ReadNic(group.merged, reading);
      for (const size_t member : group.members) nics[member] = nic;
    });
  }
  return nics;
}

}  // namespace headroom
