// A disk of an extent node: it takes time for each I/O and for its bytes, and begins a limited number per
// second. Under overload its queue grows, and with it the latency of an I/O.
#pragma once

#include <string>
#include <vector>

#include "protocol/channel/storage_call.h"
#include "protocol/service_record.h"
#include "protocol/storage/disk_parameters.h"
#include "protocol/trail.h"
#include "sim/event_queue.h"

namespace headroom {

class Disk final : public StorageServer, public EventTarget {
 public:
  /// `context`: the host's ns-3 node; `name`: name of its random numbers. `trail`: null, or an object that
  /// outlives this one.
  Disk(const DiskParameters& parameters, uint32_t context, Trail* trail, const std::string& name)
      : parameters_(parameters),
        entity_(EventQueue::Get().AddEntity(context)),
        trail_(trail),
        random_(name),
        gap_(parameters.iops > 0 ? Time(static_cast<int64_t>(1e12 / parameters.iops)) : Time(0)) {}

  void Execute(StorageCall call, Reply reply) override;
  void OnEvent(uint64_t place) override;

  uint64_t executed() const { return executed_; }
  /// The time until now that its rate of I/Os or one of its bandwidths was in use, whichever was used most,
  /// since its first I/O. `host`: where it is.
  ResourceUse Use(NodeId host) const;

 private:
  struct Waiting {
    Reply reply;
    uint64_t cause = 0;
  };
  Time ReadEnds(Time begins, Bytes bytes);
  Time WriteEnds(Time begins, Bytes bytes);

  DiskParameters parameters_;
  EntityId entity_;
  Trail* trail_;
  RandomStream random_;
  Time gap_;
  Time next_;     ///< the next I/O may begin then
  Time read_;     ///< the read bandwidth is free from then on
  Time drained_;  ///< the cache is empty from then on
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> free_;
  uint64_t executed_ = 0;
  Time first_ = kNever;              ///< time of the first I/O
  Time began_, reading_, draining_;  ///< sums of what I/Os added to next_, read_ and drained_
};

}  // namespace headroom
