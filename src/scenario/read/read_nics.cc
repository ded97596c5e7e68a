#include "scenario/read/read_nics.h"

#include <fmt/format.h>

#include <algorithm>

#include "dcqcn/generations.h"
#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/keys/network/class_keys.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

void CheckCnpClass(const Position& where, const NicParameters& nic, const TrafficClasses& classes) {
  if (keys::FindClass(classes, "cnp")) return;
  if (nic.SendsCnps()) throw ScenarioError(where, "DCQCN needs a traffic class \"cnp\" in priorities");
  if (nic.transport.ack_priority == TransportParameters::AckPriority::cnp)
    throw ScenarioError(where, "ack_priority cnp needs a traffic class \"cnp\" in priorities");
  const auto credits = nic.HasControl() ? nic.control->credits() : std::nullopt;
  if (credits && credits->control_class)
    throw ScenarioError(
        where, "credits of " + nic.control->name() + " need a traffic class \"cnp\" in priorities",
        "give such a class; or congestion_control: {type: " + nic.control->name() + ", priority: same}");
}

/// Marks return on ACKs of packets, which these recoveries do not send.
void CheckMarks(const Node& node, const NicParameters& nic) {
  if (nic.transport.recovery.AcknowledgesPackets()) return;
  if (nic.HasControl())
    throw ScenarioError(node.Find("congestion_control")->where,
                        "congestion control " + nic.control->name() +
                            " needs ACKs, but this recovery has none for single packets",
                        "give recovery: go_back_n, selective_repeat or sender_window; or "
                        "congestion_control: dcqcn or none");
  if (nic.congestion_control != NicParameters::CongestionControl::dcqcn) return;
  if (nic.dcqcn.np.coalescing != NpParameters::Coalescing::ack_flag) return;
  const Node* const transport = node.Find("transport");
  const Node* const at = transport != nullptr ? transport->Find("recovery") : nullptr;
  throw ScenarioError((at != nullptr ? *at : node).where,
                      "coalescing: ack_flag needs an ACK for each packet, but this recovery has none",
                      "give another coalescing under dcqcn: {np: …}, such as per_qp; or recovery: go_back_n");
}

NicParameters ReadNic(const Node& node, keys::Reading& reading) {
  NicParameters nic;
  nic.dcqcn = FindGeneration(nic.generation).value().dcqcn;
  keys::NicKeys().Read(node, &nic, reading);
  CheckCnpClass(node.where, nic, *reading.classes);
  CheckMarks(node, nic);
  return nic;
}

/// The ACK that opens a window must arrive before the window is full.
void CheckWindow(const Node& node, const NicParameters& nic, const SharedList<NicParameters>& all,
                 const std::vector<std::string>& names, int64_t mtu) {
  const SendWindow& window = nic.transport.window;
  if (window.kind != SendWindow::Kind::bytes) return;
  const auto rarest =
      std::ranges::max_element(all, {}, [](const NicParameters& n) { return n.transport.ack_every; });
  const int64_t packets = window.bytes.v / mtu, every = rarest->transport.ack_every;
  if (packets >= every) return;
  const Node* const transport = node.Find("transport");
  const Node* const at = transport != nullptr ? transport->Find("window") : nullptr;
  throw ScenarioError(
      (at != nullptr ? *at : node).where,
      fmt::format(
          "a window of {} is full after {} packet{}, but the NIC of \"{}\" sends one ACK for {} packets",
          FormatSize(window.bytes), packets, packets == 1 ? "" : "s",
          names[static_cast<size_t>(rarest - all.begin())], every),
      fmt::format("allowed: a window from {}; or give the NIC a smaller ack_every",
                  FormatSize(Bytes(every * mtu))));
}

/// Header fields of packets concern both ends.
void CheckSameRecovery(const std::vector<MatchedGroup>& groups, const SharedList<NicParameters>& nics,
                       const std::vector<std::string>& names) {
  const auto type = [&](size_t host) { return nics[host].transport.recovery.type; };
  const auto other = std::ranges::find_if(groups, [&](const MatchedGroup& group) {
    return !group.members.empty() && type(group.members.front()) != type(0);
  });
  if (other == groups.end()) return;
  const Node* const transport = other->merged.Find("transport");
  const Node* const recovery = transport != nullptr ? transport->Find("recovery") : nullptr;
  throw ScenarioError((recovery != nullptr ? *recovery : other->merged).where,
                      fmt::format("\"{}\" and \"{}\" recover from loss in different ways", names[0],
                                  names[other->members.front()]),
                      "give all hosts the same recovery, such as with match: \"*\"");
}

}  // namespace

SharedList<NicParameters> ReadNics(const Node* list, const std::vector<std::string>& names,
                                   const TrafficClasses& classes, int64_t mtu, const Position& scenario,
                                   Errors& errors) {
  SharedList<NicParameters> nics(names.size());
  keys::Reading reading{.errors = errors, .classes = &classes, .mtu = mtu};
  if (!list) {
    Node empty;
    empty.kind = Node::Kind::map;
    empty.where = scenario;
    nics.assign(names.size(), ReadNic(empty, reading));
    return nics;
  }
  const std::vector<MatchedGroup> groups = MatchEntries(*list, names, {}, errors);
  for (const MatchedGroup& group : groups) {
    errors.Guard([&] {
      const auto nic = std::make_shared<NicParameters>(ReadNic(group.merged, reading));
      for (const size_t member : group.members) nics.Put(member, nic);
    });
  }
  const SharedList<NicParameters>& read = nics;  // reading through a list that is not const makes copies
  for (const MatchedGroup& group : groups) {
    if (!group.members.empty())
      errors.Guard([&] { CheckWindow(group.merged, read[group.members.front()], read, names, mtu); });
  }
  errors.Guard([&] { CheckSameRecovery(groups, nics, names); });
  return nics;
}

}  // namespace headroom
