// Hosts on a switch, with verbs on each. A program has only one of these.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "nic/verbs/verbs.h"
#include "run/network.h"
#include "support/cable.h"
#include "support/scenarios.h"

namespace headroom {

class VerbsLab {
 public:
  struct Sent {
    Time at;
    NodeId host = 0;
    FrameKind kind = FrameKind::data;
    uint8_t opcode = 0;
    uint32_t psn = 0, bytes = 0;
  };
  /// Both ends of a connection, with a completion queue each.
  struct Pair {
    QueuePair* a = nullptr;
    QueuePair* b = nullptr;
    CompletionQueue* cq_a = nullptr;
    CompletionQueue* cq_b = nullptr;
  };

  explicit VerbsLab(Scenario s) : scenario(std::move(s)) {
    StartSimulator(scenario.seed);
    network = std::make_unique<Network>(scenario);
    for (NodeId h = 0; h < scenario.topology.hosts; ++h) {
      network->nic(h).port().TraceConnect("Transmit", std::to_string(h),
                                          ns3::MakeCallback(&VerbsLab::OnTransmit, this));
    }
  }

  Verbs& verbs(NodeId host) { return network->nic(host).verbs(); }
  const Nic::Counters& counters(NodeId host) { return network->nic(host).counters(); }

  /// A connection between two hosts in state rts.
  Pair Connect(NodeId a, NodeId b, QpInitAttr attr = {}) {
    Pair pair = Make(a, b, attr);
    EXPECT_TRUE(ConnectQps(verbs(a), pair.a, verbs(b), pair.b));
    return pair;
  }
  /// The same, still in state reset.
  Pair Make(NodeId a, NodeId b, QpInitAttr attr = {}) {
    Pair pair;
    pair.cq_a = verbs(a).CreateCq(4096);
    pair.cq_b = verbs(b).CreateCq(4096);
    attr.send_cq = attr.recv_cq = pair.cq_a;
    pair.a = verbs(a).CreateQp(attr);
    attr.send_cq = attr.recv_cq = pair.cq_b;
    pair.b = verbs(b).CreateQp(attr);
    return pair;
  }

  static std::vector<Wc> PollAll(CompletionQueue* cq) {
    std::vector<Wc> all;
    for (Wc wc; cq->Poll(wc);) all.push_back(wc);
    return all;
  }
  /// The numbers of work requests, and their statuses.
  static std::vector<uint64_t> Ids(const std::vector<Wc>& wcs) {
    std::vector<uint64_t> ids;
    for (const Wc& wc : wcs) ids.push_back(wc.wr_id);
    return ids;
  }
  static std::vector<WcStatus> Statuses(const std::vector<Wc>& wcs) {
    std::vector<WcStatus> statuses;
    for (const Wc& wc : wcs) statuses.push_back(wc.status);
    return statuses;
  }

  std::vector<Sent> Of(NodeId host, FrameKind kind) const {
    std::vector<Sent> of;
    for (const Sent& f : sent) {
      if (f.host == host && f.kind == kind) of.push_back(f);
    }
    return of;
  }

  Scenario scenario;
  std::unique_ptr<Network> network;
  std::vector<Sent> sent;
  /// Whether the link loses a frame that a host sends.
  std::function<bool(NodeId host, const Frame&)> lose;

 private:
  void OnTransmit(std::string host, const Port&, const Frame& f) {
    const auto h = static_cast<NodeId>(std::stoul(host));
    sent.push_back({EventQueue::Get().now(), h, f.kind, f.opcode, f.psn, f.bytes});
    if (lose && lose(h, f)) const_cast<Frame&>(f).lost = true;
  }
};

/// A signalled work request.
inline SendWr Signaled(WrOpcode opcode, uint64_t id, uint32_t length) {
  SendWr wr;
  wr.wr_id = id;
  wr.opcode = opcode;
  wr.signaled = true;
  wr.sge.length = length;
  return wr;
}

}  // namespace headroom
