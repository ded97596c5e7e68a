// I/Os of a recorded trace start at the times in the trace, regardless of the number of open I/Os.
#pragma once

#include <vector>

#include "workload/io_arrivals.h"
#include "workload/operation_generator.h"

namespace headroom {

class TraceGenerator final : public OperationGenerator {
 public:
  /// REQUIRES: the arrivals have a trace.
  TraceGenerator(const IoArrivals& arrivals, uint32_t index, const HostView& hosts, OperationOffers& offers);
  void Start() override;
  /// Requests of the trace that are already due begin now.
  void OnAttached(NodeId host) override;
  void OnEnded(const OperationRecord&) override {}
  void OnEvent(uint64_t disk) override;

 private:
  struct Disk {
    EntityId entity = 0;
    size_t next = 0;
    bool attached = false, over = false;
  };
  void ScheduleNext(size_t disk);
  void End(Disk& disk);

  const IoArrivals arrivals_;
  const BlockTrace& trace_;
  const uint32_t index_;
  const Time stop_;
  OperationOffers& offers_;
  EntityId entity_;
  std::vector<Disk> disks_;
  size_t active_ = 0;
};

}  // namespace headroom
