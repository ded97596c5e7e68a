// A workload's generator alone: its messages and their times. The test needs no simulator, only a queue.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "net/topology/topology_builders.h"
#include "support/scenarios.h"
#include "workload/generator.h"

namespace headroom {

class Offered final : public Offers {
 public:
  struct Message {
    Time at;
    NodeId src = 0, dst = 0;
    Bytes size;
    uint8_t priority = 0;
    std::optional<uint16_t> source_port{};
    bool operator==(const Message&) const = default;
  };

  /// Runs the workload alone to its end.
  Offered(const WorkloadParameters& workload, const Topology& topology, Time duration,
          Rate line = GigabitsPerSecond(100), std::function<void(Offered&)> before = {})
      : topology_(topology), queue(ns3::CreateObject<EventQueue>()) {
    hosts_.topology = &topology_;
    hosts_.duration = duration;
    hosts_.line_rates.assign(topology.hosts, line);
    hosts_.contexts.assign(topology.hosts, 0);
    queue->AddEntity(UINT32_MAX);
    generator = workload.arrivals->MakeGenerator(workload, 0, {hosts_, *this});
    if (before) before(*this);
    generator->Start();
    const bool stop = false;
    queue->RunOwn(stop, UINT64_MAX);
  }

  uint32_t Offer(uint32_t, NodeId src, NodeId dst, Bytes size, uint8_t priority, uint32_t /*number*/ = 0,
                 std::optional<uint16_t> source_port = std::nullopt) override {
    messages.push_back({queue->now(), src, dst, size, priority, source_port});
    if (on_offer) on_offer(messages.back());
    return static_cast<uint32_t>(messages.size() - 1);
  }
  uint32_t Begin(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority) override {
    return Offer(workload, src, dst, size, priority);
  }
  void OnExhausted() override {
    ++exhausted;
    exhausted_at = queue->now();
  }
  std::vector<Message> From(NodeId host) const {
    std::vector<Message> of;
    for (const Message& m : messages) {
      if (m.src == host) of.push_back(m);
    }
    return of;
  }

 private:
  Topology topology_;
  HostView hosts_;

 public:
  ns3::Ptr<EventQueue> queue;
  std::unique_ptr<Generator> generator;
  std::vector<Message> messages;
  int exhausted = 0;
  Time exhausted_at;
  std::function<void(const Message&)> on_offer;
};

inline Topology Star(int hosts) {
  return StarScenario(hosts, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0}).topology;
}

/// Two datacenters of two clusters of two racks of two hosts: 16 hosts, dc0-c0-r0-h0 first.
inline Topology Region() {
  RegionShape shape;
  shape.datacenters = shape.clusters = shape.racks = shape.hosts = 2;
  shape.host = shape.t0_t1 = shape.t1_t2 =
      shape.t2_rh = {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0};
  return BuildRegion(shape);
}

}  // namespace headroom
