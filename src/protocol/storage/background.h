// Garbage collection and erasure coding, which a partition server does in the background, each at its own
// rate and one piece at a time.
//
// Garbage collection takes the sealed extent with the fewest live bytes, and appends these to the active
// extent of its disk. Blocks written meanwhile stay in place. Afterwards the extent contains no live bytes.
// Erasure coding reads the oldest sealed extent from its replicas and writes it in fragments to other nodes.
// It gives up the replicas when all fragments have been written. The initial extents of disks are sealed.
//
// Source: Calder et al., SOSP 2011, sections 4.4 (sealed extents are coded lazily) and 5 (extents are
// collected in the background). Ours: there is always work to do, its order, and the rates.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/append_log.h"
#include "protocol/operations.h"
#include "protocol/storage/ask_node.h"
#include "protocol/storage/background_parameters.h"
#include "protocol/storage/delayed_calls.h"
#include "protocol/storage/extent_map.h"
#include "protocol/storage/extents/erasure.h"
#include "protocol/storage/partition_server.h"
#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "sim/random.h"

namespace headroom {

class Background final {
 public:
  /// `server` owns `disks`; `name`: name of its random numbers; `log`: null, or receives fragments. All but
  /// the first two must outlive this object.
  Background(const StorageParameters& parameters, std::vector<uint32_t> disks, const std::string& name,
             PartitionServer& server, ExtentMap& extents, DelayedCalls& delayed_calls, const AskNode& ask,
             AppendLog* log, const Operations& operations);

  void Start();
  /// No more operations begin. When the last open operation ends, background work stops.
  void Stop() { stopped_ = true; }
  const BackgroundRecord& counters() const { return counters_; }

 private:
  struct Collecting {
    PartitionServer::Sealed victim;
    std::vector<ExtentIndex::Part> parts;  ///< parts that were live
    size_t part = 0;
    uint64_t done = 0;  ///< bytes done of this part
  };
  struct Coding {
    PartitionServer::Sealed victim;
    uint32_t object = 0;  ///< number of its fragments
    std::vector<NodeId> nodes;
    uint64_t done = 0;               ///< bytes done of each fragment
    std::optional<uint32_t> logged;  ///< number of the stripe that is being written
  };
  struct Stripe;
  void Collect();
  void ChooseGarbage();
  void Code();
  void ChooseUncoded();
  void ReadStripe();
  void WriteStripe(const std::shared_ptr<Stripe>& stripe);
  void OnStripe(const std::shared_ptr<Stripe>& stripe);
  bool IsOver() const { return stopped_ && operations_.unfinished() == 0; }
  template <class Use>
  void ForEachSealed(const Use& use) const;
  /// Calls `again` at the given rate, at the earliest when the piece begun at `begun` is done.
  void Next(Time begun, uint64_t bytes, Rate rate, void (Background::*again)());

  const StorageParameters& parameters_;
  const std::vector<uint32_t> disks_;
  RandomStream start_;
  PartitionServer& server_;
  ExtentMap& extents_;
  DelayedCalls& delayed_calls_;
  const AskNode& ask_;
  AppendLog* const log_;
  const Operations& operations_;
  std::optional<ErasureCode> code_;
  std::optional<Collecting> collecting_;
  std::optional<Coding> coding_;
  bool stopped_ = false;
  BackgroundRecord counters_;
};

}  // namespace headroom
