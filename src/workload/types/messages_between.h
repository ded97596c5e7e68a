// The common parts of types with messages from hosts `from` to hosts `to`.
//
// A type whose data have `from` and `to`, and possibly a `scope`, is for example class PoissonType final :
// public BetweenHosts<PoissonType, PoissonArrivals>. It answers Expected and MeanBytes, and every other
// question that has a different answer.
#pragma once

#include <vector>

#include "workload/arrivals.h"

namespace headroom {

class MessagesBetween : public Arrivals {
 public:
  std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                           const GeneratorGround& ground) const override = 0;
  /// Checks that each sender has a target.
  void CheckTargets(const TargetCheck& check) const override;
  /// READ responses, at the targets.
  std::vector<UnacknowledgedData> Unacknowledged(const WorkloadParameters& workload) const override;
  /// All senders send equally much.
  std::vector<SentByHost> ByHost(const Topology& topology, double messages) const override;
  /// Each sender sends equally much to each target.
  void AddShares(const WorkloadParameters& workload, const HostView& hosts, ShareSink& sink) const override;
  /// Offers messages without end from each sender to each target.
  void OfferFlows(const WorkloadParameters& workload, const HostView& hosts, FlowSink& sink) const override;

 protected:
  struct Ends {
    const std::vector<NodeId>&from, &to;
    Scope scope = Scope::region;
  };
  virtual Ends ends() const = 0;
};

template <class Self, class A>
class BetweenHosts : public ArrivalsOf<Self, A, MessagesBetween> {
 public:
  using ArrivalsOf<Self, A, MessagesBetween>::ArrivalsOf;
  void StartWith(const std::vector<NodeId>& all) override { this->a.from = this->a.to = all; }

 protected:
  MessagesBetween::Ends ends() const override {
    if constexpr (requires { this->a.scope; }) return {this->a.from, this->a.to, this->a.scope};
    return {this->a.from, this->a.to};
  }
};

}  // namespace headroom
