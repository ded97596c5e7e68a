// Programs on the hosts of a scenario: cores, services, and the workloads that request operations of them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "protocol/host_cores.h"
#include "protocol/operations.h"
#include "protocol/service.h"
#include "run/network.h"
#include "run/records.h"
#include "workload/operation_generator.h"

namespace headroom {

class Services final : public OperationOffers {
 public:
  /// Makes all services of the scenario. Both outlive this. `histories`: what services do is kept, to be
  /// judged.
  Services(const Scenario& scenario, Network& network, bool histories);

  // Before Start.
  /// Called when no workload will offer more and every operation has ended.
  void SetOnDone(std::function<void()> f) { on_done_ = std::move(f); }
  /// Called with each operation that has ended.
  void SetOnEnded(Operations::OnDone f) { on_ended_ = std::move(f); }
  /// Gets the events of services.
  void SetOnEvent(std::function<void(const ServiceEvent&)> f) { on_event_ = std::move(f); }
  /// `times` knows where the time of messages goes, and outlives this.
  void SplitTimes(const MessageTimes& times) { operations_.SetTimes(&times); }
  /// Once, before the run.
  void Start();

  // At any time.
  bool Done() const { return generating_ == 0 && operations_.unfinished() == 0; }
  uint64_t begun() const { return operations_.begun(); }
  uint64_t finished() const { return operations_.begun() - operations_.unfinished(); }
  /// `use` gets each queue pair that a service has had: the service (as ServiceAt numbers them), the host and
  /// its number there.
  void ForEachQueuePair(const std::function<void(int service, NodeId host, uint32_t qp)>& use) const;

  // For workloads, during the run.
  void Offer(uint32_t workload, const OperationRequest& request, bool ramp) override;
  void OnExhausted() override;
  void OnOver(uint32_t workload, NodeId host) override;

  // Once, after the run.
  /// What services leave behind.
  void Collect(Time end, RunRecord& record);
  /// The waits in queues of the operations that are kept.
  std::vector<Itinerary::Wait> TakeWaits() { return operations_.TakeWaits(); }

 private:
  void MakeCores(Network& network);
  void MakeServices(bool histories);
  void MakeGenerators(Network& network);
  void CheckDone();
  void NoteCores();

  const Scenario& scenario_;
  Operations operations_;
  std::vector<std::unique_ptr<HostCores>> cores_;   ///< by host; null: no service has programs on them
  std::vector<ServiceHost> hosts_;                  ///< by host
  std::vector<std::unique_ptr<Service>> services_;  ///< by number
  std::vector<Service*> asked_;                     ///< by workload; null: it is Traffic's
  std::vector<std::unique_ptr<OperationGenerator>> generators_;  ///< the same
  std::vector<CoreRecord> busy_;                                 ///< once no more is asked for
  size_t generating_ = 0;
  bool done_called_ = false;
  std::function<void()> on_done_;
  Operations::OnDone on_ended_;
  std::function<void(const ServiceEvent&)> on_event_;
};

}  // namespace headroom
