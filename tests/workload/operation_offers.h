// A generator of I/Os alone: its requests and their times. The test sets the time of each I/O.
#pragma once

#include <memory>
#include <vector>

#include "net/topology/topology_builders.h"
#include "support/scenarios.h"
#include "workload/operation_generator.h"

namespace headroom {

class AskedIos final : public OperationOffers, public EventTarget {
 public:
  struct Io {
    Time at;
    OperationRequest request;
    bool ramp = false;
    size_t open = 0;  ///< open I/Os of its host, including it
    uint32_t workload = 0;
  };

  /// Runs workloads to their end. I/O i takes `takes` and i mod 3 times `spread`.
  AskedIos(const std::vector<WorkloadParameters>& workloads, int hosts, Time duration, Time takes,
           Bytes disk = Bytes(int64_t{1} << 30), Time spread = {})
      : topology_(StarScenario(hosts, {GigabitsPerSecond(100), Nanoseconds(15), Time{}, 0.0}).topology),
        takes_(takes),
        spread_(spread),
        queue(ns3::CreateObject<EventQueue>()) {
    HostView view;
    view.topology = &topology_;
    view.duration = duration;
    view.line_rates.assign(topology_.hosts, GigabitsPerSecond(100));
    view.contexts.assign(topology_.hosts, 0);
    queue->AddEntity(UINT32_MAX);
    open_.resize(topology_.hosts);
    for (uint32_t w = 0; w < workloads.size(); ++w)
      generators_.push_back(workloads[w].arrivals->MakeOperations(workloads[w], w, {view, disk, *this}));
    for (const auto& generator : generators_) generator->Start();
    for (const auto& generator : generators_)
      for (NodeId host = 0; host < topology_.hosts; ++host) generator->OnAttached(host);
    const bool stop = false;
    queue->RunOwn(stop, UINT64_MAX);
  }

  void Offer(uint32_t workload, const OperationRequest& request, bool ramp) override {
    ios.push_back({queue->now(), request, ramp, ++open_[request.client], workload});
    const Time ends = queue->now() + takes_ + spread_ * static_cast<int64_t>(ios.size() % 3);
    queue->PushTarget(ends, TimedEvent::Order(EventClass::arrival, 0, ios.size()), this, ios.size() - 1);
  }
  void OnExhausted() override {
    ++exhausted;
    exhausted_at = queue->now();
  }
  void OnOver(uint32_t workload, NodeId host) override {
    for (const auto& generator : generators_) generator->OnOtherOver(workload, host);
  }
  void OnEvent(uint64_t i) override {
    --open_[ios[i].request.client];
    OperationRecord ended;
    ended.client = ios[i].request.client;
    ended.thread = ios[i].request.thread;
    ended.kind = ios[i].request.kind;
    ended.target = ios[i].request.target;
    generators_[ios[i].workload]->OnEnded(ended);
  }

  std::vector<Io> From(NodeId host) const {
    std::vector<Io> of;
    for (const Io& io : ios)
      if (io.request.client == host) of.push_back(io);
    return of;
  }

 private:
  Topology topology_;
  Time takes_;
  Time spread_;
  std::vector<std::unique_ptr<OperationGenerator>> generators_;
  std::vector<size_t> open_;

 public:
  ns3::Ptr<EventQueue> queue;
  std::vector<Io> ios;
  int exhausted = 0;
  Time exhausted_at;
};

}  // namespace headroom
