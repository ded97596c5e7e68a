// Types that request keys of a service: the common parts of kv and ycsb, in a run and as keys of scenarios.
#pragma once

#include "scenario/keys/workloads/workload_keys.h"
#include "workload/key_value_arrivals.h"

namespace headroom {

/// Answers questions with keys().
class OperationsOnKeys : public Arrivals {
 public:
  std::unique_ptr<OperationGenerator> MakeOperations(const WorkloadParameters& workload, uint32_t index,
                                                     const OperationGround& ground) const override;
  Time NeededArrival() const override;
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override;
  void CheckTargets(const TargetCheck& check) const override;
  void AddShares(const WorkloadParameters& workload, const HostView& hosts, ShareSink& sink) const override;
  void OfferFlows(const WorkloadParameters& workload, const HostView& hosts, FlowSink& sink) const override;
  double Expected(const Scenario& scenario) const override;
  double MeanBytes() const override;
  std::optional<double> PerSecond(const HostView& hosts) const override;
  Forecast Count(const WorkloadParameters& workload, const Scenario& scenario) const override;
  std::optional<Forecast> Open(const WorkloadParameters& workload, const Scenario& scenario,
                               const Forecast& count) const override;

  std::optional<double> Depth() const override;

  std::optional<AskedService> Asks() const override;
  std::vector<OperationKind> Kinds() const override;
  bool ActsPartByPart(const WorkloadParameters& workload) const override;
  IoSpan Span(Time warmup, Time duration) const override;
  void AddTraffic(const Scenario& scenario, TrafficSink& sink) const override;
  double ChangingShare() const override;
  ServiceLoad Load() const override;

 protected:
  virtual const KeyValueArrivals& keys() const = 0;
};

template <class Self>
class KeyType : public ArrivalsOf<Self, KeyValueArrivals, OperationsOnKeys> {
 public:
  using ArrivalsOf<Self, KeyValueArrivals, OperationsOnKeys>::ArrivalsOf;
  bool CloseLoop() override {
    this->a.rate = this->a.target = 0;
    return true;
  }

 protected:
  const KeyValueArrivals& keys() const override { return this->a; }
};

}  // namespace headroom

namespace headroom::keys {

/// The page about these workloads.
inline constexpr const char* kKeyWorkloadPage = "models/key-workloads.md";

/// `service`, which provides clients, servers and windows.
KindOf<Workload> ServiceOfKeys();
/// Checks that its service supports it, and that its clients are the service's. `value`: the key with the
/// size of values, if it has another name. REQUIRES: all keys have been read.
void CheckKeysOfService(const Node& node, const Workload& workload, Reading& reading,
                        const Position* value = nullptr);
/// Checks that threads do not exceed the windows.
void CheckThreads(const KeyValueArrivals& kv, const Position& where, Reading& reading);
/// The first keys of these types.
std::vector<KeyOf<Workload>> KeyTypeKeys(const char* type);

}  // namespace headroom::keys
