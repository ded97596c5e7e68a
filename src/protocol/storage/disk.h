// A disk of an extent node: it takes a while for each I/O, and begins so many a second at most.
#pragma once

#include <functional>
#include <vector>

#include "protocol/storage/sk_server.h"
#include "protocol/storage/storage_parameters.h"
#include "protocol/trail.h"

namespace headroom {

class Disk final : public SkDisk, public EventTarget {
 public:
  /// `context`: the host's ns-3 node. `trail`: null, or outlives this.
  Disk(const DiskParameters& parameters, uint32_t context, Trail* trail)
      : parameters_(parameters),
        entity_(EventQueue::Get().AddEntity(context)),
        trail_(trail),
        gap_(parameters.iops > 0 ? Time(static_cast<int64_t>(1e12 / parameters.iops)) : Time(0)) {}

  void Execute(SkKind kind, uint64_t block, uint32_t length, uint8_t* data, Done done) override;
  void OnEvent(uint64_t place) override;

  uint64_t executed() const { return executed_; }

 private:
  struct Waiting {
    Done done;
    uint64_t cause = 0;
  };
  DiskParameters parameters_;
  EntityId entity_;
  Trail* trail_;
  Time gap_;
  Time next_;  ///< may begin
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> free_;
  uint64_t executed_ = 0;
};

}  // namespace headroom
