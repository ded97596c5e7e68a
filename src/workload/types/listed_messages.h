// The common parts of types whose messages are all known before the run (Arrivals::Listed).
#pragma once

#include <string>
#include <vector>

#include "workload/arrivals.h"

namespace headroom {

class ListedMessages : public Arrivals {
 public:
  std::unique_ptr<Generator> MakeGenerator(const WorkloadParameters& workload, uint32_t index,
                                           const GeneratorGround& ground) const override;
  bool ActsPartByPart(const WorkloadParameters&) const override { return true; }
  void AddShares(const WorkloadParameters& workload, const HostView& hosts, ShareSink& sink) const override;
  void OfferFlows(const WorkloadParameters& workload, const HostView& hosts, FlowSink& sink) const override;

 protected:
  /// Offers these messages, which are sorted by time.
  static std::unique_ptr<Generator> GeneratorOf(std::vector<ListedMessage> messages,
                                                const WorkloadParameters& workload, uint32_t index,
                                                const GeneratorGround& ground);
};

}  // namespace headroom
