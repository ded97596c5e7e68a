// A compute host's end of its disk: requests each operation, and repeats unanswered requests.
//
// If it calls extent nodes itself, an operation on blocks in several extents becomes one request per extent,
// and ends with the last of them.
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
  /// The channel for this place, for the first try (0) or a later one, and its destination host.
  using Route = std::function<StorageChannel&(const StoragePlace& place, uint32_t again, NodeId& server)>;

  /// `disk`: its number in the service; `cores`: its host's, to which operations are assigned in round-robin
  /// order. `history`: null, or records each operation; data are then carried. All must outlive this object.
  DiskClient(uint32_t disk, const StorageParameters& parameters, Operations& operations, History* history,
             HostCores& cores, Route route);

  /// The operation begins when a core has worked for it, if that has a cost. Cores wait while kBegunAhead of
  /// the begun operations have not been sent on the channel.
  void Submit(const OperationRequest& request);
  void OnEvent(uint64_t number) override;  ///< Event: a timeout

 private:
  /// The operations that use this channel first.
  struct Ahead {
    size_t begun = 0;  ///< operations begun and not sent
    Ring<OperationRequest> waiting;
  };
  struct Operation {
    OperationRequest request;
    Ahead* ahead = nullptr;                        ///< the count that includes this operation
    uint32_t in_history = 0;                       ///< its number in the history
    size_t open = 0;                               ///< number of open requests
    OperationStatus status = OperationStatus::ok;  ///< the worst status of its requests
    std::vector<uint8_t> bytes;                    ///< for a read, if data are carried
  };
  /// A request: a whole operation, or its part in one extent.
  struct Open {
    std::shared_ptr<Operation> operation;
    uint64_t address = 0;
    uint32_t bytes = 0;
    uint32_t asked = 0;  ///< number of times it was sent
    uint64_t since = 0;  ///< the step that last sent it
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
  std::unordered_map<const StorageChannel*, Ahead> ahead_;  ///< for look-ups only
  std::map<uint32_t, Open> open_;                           ///< keyed by number
  uint32_t next_ = 0;
  uint64_t turns_ = 0;  ///< number of core assignments for this host's operations
};

}  // namespace headroom
