// A compute host's end of its disk: asks for each operation, and again where no answer comes in time.
//
// Where it asks extent nodes itself, an operation whose blocks lie in several extents is as many requests,
// and ends with the last of them.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "history/history.h"
#include "protocol/channel/channel.h"
#include "protocol/operations.h"
#include "protocol/system/storage_parameters.h"
#include "sim/event_queue.h"

namespace headroom {

class DiskClient final : public EventTarget {
 public:
  /// The channel for this place, for the first time (0) or again, and the host it leads to.
  using Route = std::function<Channel&(const StoragePlace& place, uint32_t again, NodeId& server)>;

  /// `disk`: its number in the service; `context`: the host's ns-3 node. `history`: null, or hears of each
  /// operation, whose data are then carried. All but `context` outlive this.
  DiskClient(uint32_t disk, const StorageParameters& parameters, Operations& operations, History* history,
             uint32_t context, Route route);

  void Submit(const OperationRequest& request);
  /// Whose turn it is for the next operation: they count this host's alone.
  uint64_t NextTurn() { return turns_++; }
  void OnEvent(uint64_t number) override;  ///< a timeout

 private:
  struct Operation {
    OperationRequest request;
    uint32_t in_history = 0;  ///< its number there
    size_t open = 0;          ///< requests
    uint32_t retries = 0;
    OperationStatus status = OperationStatus::ok;  ///< the worst of theirs
    std::vector<uint8_t> bytes;                    ///< of a read, where data are carried
  };
  /// A request: all of an operation, or what lies in one extent.
  struct Open {
    std::shared_ptr<Operation> operation;
    uint64_t address = 0;
    uint32_t bytes = 0;
    uint32_t asked = 0;       ///< how often
    uint32_t sent_again = 0;  ///< by channels
    uint64_t since = 0;       ///< the step that asked last
  };
  void Ask(uint32_t number, Open& open);
  void OnAnswer(uint32_t number, const StorageAnswer& answer);
  void Complete(uint32_t number, const StorageAnswer& answer);
  void Note(const Operation& operation);

  const uint32_t disk_;
  const StorageParameters& parameters_;
  Operations& operations_;
  History* const history_;
  EntityId entity_;
  Route route_;
  std::map<uint32_t, Open> open_;  ///< by number
  uint32_t next_ = 0;
  uint64_t turns_ = 0;
};

}  // namespace headroom
