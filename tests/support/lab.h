// The network of a scenario, in which a test posts messages and sees every frame. A program has only one of
// these.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "run/network.h"
#include "support/cable.h"
#include "support/scenarios.h"

namespace headroom {

class Lab final : public MessageSink {
 public:
  struct Message {
    Time delivered = kNever, completed = kNever;
    int deliveries = 0, completions = 0, marked = 0, retransmitted = 0;
  };
  struct Sent {
    Time at;
    NodeId host = 0;
    FrameKind kind = FrameKind::data;
    uint8_t priority = 0;
    uint32_t qp = 0, psn = 0, bytes = 0;
    NodeId dst = 0;
  };

  explicit Lab(Scenario s) : scenario(std::move(s)) {
    StartSimulator(scenario.seed);
    network = std::make_unique<Network>(scenario);
    for (NodeId h = 0; h < scenario.topology.hosts; ++h) {
      nic(h).SetSink(this);
      nic(h).port().TraceConnect("Transmit", std::to_string(h), ns3::MakeCallback(&Lab::OnTransmit, this));
    }
  }

  Nic& nic(NodeId h) { return network->nic(h); }
  Switch& star() { return network->switch_at(scenario.topology.hosts); }

  /// Connects a queue pair; returns the requester's number.
  uint32_t Connect(NodeId src, NodeId dst, uint8_t priority = 3, uint16_t source_port = 49152) {
    return nic(src).AddRequester(dst, priority, source_port);
  }
  /// Posts a message; returns its number.
  uint32_t Post(NodeId src, uint32_t requester, int64_t bytes) {
    messages.emplace_back();
    const auto id = static_cast<uint32_t>(messages.size() - 1);
    nic(src).Post(requester, id, bytes);
    return id;
  }

  void OnDelivered(uint32_t m, Time at) override {
    messages[m].delivered = at;
    ++messages[m].deliveries;
  }
  void OnCompleted(uint32_t m, Time at) override {
    messages[m].completed = at;
    ++messages[m].completions;
    completed.push_back(m);
    if (on_completed) on_completed(m);
  }
  void OnMarkedPacket(uint32_t m) override { ++messages[m].marked; }
  void OnRetransmittedPacket(uint32_t m) override { ++messages[m].retransmitted; }
  void OnQueuePairError(NodeId host, uint32_t qp, const std::string& why) override {
    errors.push_back(std::to_string(host) + "/" + std::to_string(qp) + ": " + why);
    error_at = EventQueue::Get().now();
  }

  /// Frames of this kind that the host sent.
  std::vector<Sent> Of(NodeId host, FrameKind kind) const {
    std::vector<Sent> of;
    for (const Sent& f : sent) {
      if (f.host == host && f.kind == kind) of.push_back(f);
    }
    return of;
  }

  Scenario scenario;
  std::unique_ptr<Network> network;
  std::vector<Message> messages;
  std::vector<uint32_t> completed;  ///< messages, in the order of completion
  std::vector<std::string> errors;
  Time error_at;
  std::vector<Sent> sent;
  std::function<void(uint32_t)> on_completed;
  /// Whether the link loses a frame that a host sends.
  std::function<bool(NodeId host, const Frame&)> lose;

 private:
  void OnTransmit(std::string host, const Port&, const Frame& f) {
    const auto h = static_cast<NodeId>(std::stoul(host));
    sent.push_back({EventQueue::Get().now(), h, f.kind, f.priority, f.qp, f.psn, f.bytes, f.dst});
    // The trace is called before the link takes the frame; listeners may not change the frame, but this one
    // does.
    if (lose && lose(h, f)) const_cast<Frame&>(f).lost = true;
  }
};

}  // namespace headroom
