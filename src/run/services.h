// Programs on the hosts of a scenario: cores, services, and the workloads that request operations from them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "protocol/host_cores.h"
#include "protocol/operations.h"
#include "protocol/service.h"
#include "run/network.h"
#include "run/recording/records.h"
#include "workload/operation_generator.h"

namespace headroom {

class Services final : public OperationOffers {
 public:
  /// Makes all services of the scenario. Both must outlive this object. `histories`: the services' actions
  /// are kept, to be judged.
  Services(const Scenario& scenario, Network& network, bool histories);

  // Functions to call before Start:
  /// Called when no workload will offer more and every operation has ended; maybe several times.
  void SetOnDone(std::function<void()> f) { on_done_ = std::move(f); }
  /// Called with each operation that has ended.
  void SetOnEnded(Operations::OnDone f) { on_ended_ = std::move(f); }
  /// As Operations::SetOnKept and KeepAtMost.
  void SetOnKept(Operations::OnKept kept) { operations_.SetOnKept(std::move(kept)); }
  void KeepAtMost(uint64_t latencies) { operations_.KeepAtMost(latencies); }
  /// Gets the events of services.
  void SetOnEvent(std::function<void(const ServiceEvent&)> f) { on_event_ = std::move(f); }
  /// `times` has the parts of messages' times, and must outlive this object.
  void SplitTimes(const MessageTimes& times) { operations_.SetTimes(&times); }
  /// Call once, before the run.
  void Start();

  // May be called at any time.
  /// In an event of a network that is cut, this concerns the hosts of the current part.
  bool Done() const { return generating_ == 0 && operations_.open() == 0; }
  uint64_t begun() const { return operations_.begun(); }
  uint64_t finished() const { return operations_.begun() - operations_.unfinished(); }
  /// Calls `use` for each queue pair that a service has had: the service, the host
  /// and the queue pair's number there.
  void ForEachQueuePair(const std::function<void(int service, NodeId host, uint32_t qp)>& use) const;

  // For workloads, during the run:
  void Offer(uint32_t workload, const OperationRequest& request, bool ramp) override;
  void OnExhausted() override;
  void OnOver(uint32_t workload, NodeId host) override;

  // To call once, after the run:
  /// Returns the results of services.
  void Collect(Time end, RunRecord& record);

 private:
  /// Several ranks (sim/parts.h) make all services, so that all numbers of the run are the same. Unless each
  /// runs its own hosts, only the first one starts them.
  bool RunsHere() const { return Parts::Get().rank() == 0 || Divided(); }
  bool Divided() const { return Parts::Get().ranks() > 1 && context_ == UINT32_MAX; }
  void JoinRanks();
  void MakeCores(Network& network);
  void MakeServices(bool histories);
  void MakeGenerators(Network& network);
  void CheckDone();
  void NoteCores();

  const Scenario& scenario_;
  const Network& network_;
  const uint32_t context_;  ///< of a host whose part runs all services; UINT32_MAX: several parts may
  Operations operations_;
  std::vector<std::unique_ptr<HostCores>>
      cores_;                       ///< indexed by host; null if no service has programs on its cores
  std::vector<ServiceHost> hosts_;  ///< indexed by host
  std::vector<std::unique_ptr<Service>> services_;  ///< indexed by number
  std::vector<Service*> asked_;  ///< indexed by workload; null if the workload belongs to Traffic
  std::vector<std::unique_ptr<OperationGenerator>> generators_;  ///< indexed in the same way
  std::vector<CoreRecord> busy_;  ///< of this rank's hosts, recorded after the last request
  std::vector<std::shared_ptr<const ServiceRecord>> records_;  ///< indexed by number, after the run
  uint64_t generating_ = 0;                                    ///< of the part that runs
  std::function<void()> on_done_;
  Operations::OnDone on_ended_;
  std::function<void(const ServiceEvent&)> on_event_;
};

}  // namespace headroom
