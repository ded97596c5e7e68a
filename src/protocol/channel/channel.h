// How hosts of a storage service ask each other: calls from one host to another, each answered. What is above
// knows this and nothing of the protocol that carries it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "protocol/channel/storage_call.h"
#include "protocol/storage_record.h"

namespace headroom {

/// From one host to another. Calls may be many at a time, their answers come in any order.
class Channel {
 public:
  using Done = std::function<void(StorageAnswer)>;
  using UseQueuePair = std::function<void(NodeId host, uint32_t qp)>;
  virtual ~Channel() = default;
  /// Joins the ends. `joined` hears of the first time that they are.
  virtual void Open(std::function<void()> joined) = 0;
  /// `done` is called once, with status failed where the channel has ended. Before the ends are joined calls
  /// wait.
  virtual void Call(StorageCall call, Done done) = 0;
  /// Ends it: its queue pairs or connection are gone. What is open fails. Open may come again.
  virtual void Close() = 0;
  /// Calls without an answer.
  virtual size_t open() const = 0;
  /// Whether what is called now goes out now, as far as this end knows.
  virtual bool joined() const = 0;
  /// Adds what it has done so far.
  virtual void Count(StorageRecord& record) const = 0;
  virtual void ForEachQueuePair(const UseQueuePair& use) const = 0;
};

}  // namespace headroom
