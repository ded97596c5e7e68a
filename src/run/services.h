// What runs on the hosts of a scenario: cores, services, and the workloads that ask them for operations.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "protocol/connections/connection_service.h"
#include "protocol/host_cores.h"
#include "protocol/keyvalue/key_value_service.h"
#include "protocol/operations.h"
#include "protocol/storage/storage_service.h"
#include "run/network.h"
#include "run/records.h"
#include "workload/operation_generator.h"

namespace headroom {

class Services final : public OperationOffers {
 public:
  /// Both outlive this. `histories`: what services do is kept, to be judged.
  Services(const Scenario& scenario, Network& network, bool histories);

  void Start();
  /// Called when no workload will offer more and every operation has ended.
  void SetOnDone(std::function<void()> f) { on_done_ = std::move(f); }
  /// Hears of each operation that has ended.
  void SetOnEnded(Operations::OnDone f) { on_ended_ = std::move(f); }
  /// Hears of connections of a service that move, by its number.
  void SetOnMove(std::function<void(size_t service, const Failover::Change&)> f) { on_move_ = std::move(f); }
  /// `times` knows where the time of messages goes, and outlives this.
  void SplitTimes(const MessageTimes& times) { operations_.SetTimes(&times); }
  /// What the operations that are kept waited for in queues.
  std::vector<Itinerary::Wait> TakeWaits() { return operations_.TakeWaits(); }
  bool Done() const { return generating_ == 0 && operations_.unfinished() == 0; }
  uint64_t begun() const { return operations_.begun(); }
  uint64_t finished() const { return operations_.begun() - operations_.unfinished(); }

  void Offer(uint32_t workload, const OperationRequest& request, bool ramp) override;
  void OnExhausted() override;
  void OnOver(uint32_t workload, NodeId host) override;
  /// `use` hears of each queue pair that a service has had: the service (as ServiceName numbers them), the
  /// host and its number there.
  void ForEachQueuePair(const std::function<void(int service, NodeId host, uint32_t qp)>& use) const;
  /// What they leave behind, once the run is over.
  void Collect(Time end, RunRecord& record);

 private:
  void AddStorage(Network& network, bool histories);
  void AddKeyValues(bool histories);
  void AddConnections();
  void CheckDone();
  void NoteCores();
  HistoryJudgement Judge(const RunRecord& record) const;

  const Scenario& scenario_;
  Operations operations_;
  std::vector<std::unique_ptr<HostCores>> hosts_;           ///< by host; null: no service is there
  std::vector<std::unique_ptr<ServiceHistory>> histories_;  ///< as services_; none where they are not kept
  std::vector<std::unique_ptr<StorageService>> services_;
  std::vector<ServiceHost> service_hosts_;  ///< by host, where there are services of keys or connections
  std::vector<std::unique_ptr<KeyHistory>> key_histories_;  ///< as key_values_; null: nothing is judged
  std::vector<std::unique_ptr<KeyValueService>> key_values_;
  std::vector<std::unique_ptr<ConnectionService>> connections_;
  std::vector<std::unique_ptr<OperationGenerator>> generators_;  ///< by workload; null: it is Traffic's
  std::vector<CoreRecord> cores_;                                ///< once no more is asked for
  size_t generating_ = 0;
  bool done_called_ = false;
  std::function<void()> on_done_;
  Operations::OnDone on_ended_;
  std::function<void(size_t, const Failover::Change&)> on_move_;
};

}  // namespace headroom
