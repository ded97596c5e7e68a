// Streams: every sender keeps a number of messages outstanding to every target.
#pragma once

#include "workload/generator.h"

namespace headroom {

class StreamGenerator final : public Generator {
 public:
  StreamGenerator(const WorkloadParameters& workload, uint32_t index, const HostView& hosts, Offers& offers);
  void Start() override;
  void OnEvent(uint64_t phase) override;
  void OnCompleted(NodeId src, NodeId dst) override;

 private:
  static constexpr uint64_t kBegin = 0, kEnd = 1;
  StreamArrivals arrivals_;
  uint32_t index_;
  uint8_t priority_;
  Time stop_;
  Offers& offers_;
  EntityId entity_ = 0;
};

}  // namespace headroom
