// A compute host's end of its disk: requests each operation, and repeats unanswered ones.
//
// If it asks extent nodes itself, an operation on blocks in several extents becomes a request for each, and
// ends with the last of them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "history/history.h"
#include "protocol/channel/storage_call.h"
#include "protocol/host_cores.h"
#include "protocol/operations.h"
#include "protocol/storage/storage_parameters.h"
#include "sim/event_queue.h"
#include "sim/ring.h"

namespace headroom {

class DiskClient final : public EventTarget {
 public:
  /// The channel for this place, for the first time (0) or again, and the host it leads to.
  using Route = std::function<StorageChannel&(const StoragePlace& place, uint32_t again, NodeId& server)>;

  /// `disk`: its number in the service; `cores`: its host's, which have operations in turn. `history`: null,
  /// or gets each operation; then data are carried. All outlive this.
  DiskClient(uint32_t disk, const StorageParameters& parameters, Operations& operations, History* history,
             HostCores& cores, Route route);

  /// It begins when a core has worked for it, where that costs something. No core does while the channel has
  /// not sent kBegunAhead of those that have begun.
  void Submit(const OperationRequest& request);
  void OnEvent(uint64_t number) override;  ///< a timeout

 private:
  /// Operations that a channel is the first for.
  struct Ahead {
    size_t begun = 0;  ///< and not sent
    Ring<OperationRequest> waiting;
  };
  struct Operation {
    OperationRequest request;
    Ahead* ahead = nullptr;                        ///< it counts there
    uint32_t in_history = 0;                       ///< its number there
    size_t open = 0;                               ///< requests
    OperationStatus status = OperationStatus::ok;  ///< the worst of theirs
    std::vector<uint8_t> bytes;                    ///< of a read, where data are carried
  };
  /// A request: a whole operation, or its part in one extent.
  struct Open {
    std::shared_ptr<Operation> operation;
    uint64_t address = 0;
    uint32_t bytes = 0;
    uint32_t asked = 0;  ///< how often
    uint64_t since = 0;  ///< the step that asked last
  };
  void TakeUp(Ahead& ahead, const OperationRequest& request);
  void Begin(const OperationRequest& request, Ahead* ahead);
  void Leave(Operation& operation);
  void OnPosted(uint32_t number);
  void Ask(uint32_t number, Open& open);
  void OnAnswer(uint32_t number, const StorageAnswer& answer);
  void Complete(uint32_t number, const StorageAnswer& answer);
  void Note(const Operation& operation);

  const uint32_t disk_;
  const StorageParameters& parameters_;
  Operations& operations_;
  History* const history_;
  HostCores& cores_;
  EntityId entity_;
  Route route_;
  std::unordered_map<const StorageChannel*, Ahead> ahead_;  ///< only looked up in
  std::map<uint32_t, Open> open_;                           ///< by number
  uint32_t next_ = 0;
  uint64_t turns_ = 0;  ///< of cores; this host's operations alone count
};

}  // namespace headroom
