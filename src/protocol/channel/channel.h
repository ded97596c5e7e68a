// Calls from one host to another, each answered once. Users know this interface, not the protocol below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "net/topology/topology.h"

namespace headroom {

/// A channel from one host to another. `Call_` describes the request and has the types of the answer:
///
///   Answer   the argument of `done`, also if the channel has ended
///   Record   the counters of a channel
///
/// Many calls may be open at the same time. Each kind of channel states whether answers arrive in order.
template <class Call_>
class Channel {
 public:
  using Answer = typename Call_::Answer;
  using Done = std::function<void(Answer)>;
  using UseQueuePair = std::function<void(NodeId host, uint32_t qp)>;
  virtual ~Channel() = default;
  /// Connects the ends. `joined` is called the first time that they are connected.
  virtual void Open(std::function<void()> joined) = 0;
  /// `done` is called once, with a failed answer if the channel has ended. Calls wait until the ends are
  /// connected.
  virtual void Call(Call_ call, Done done) = 0;
  /// Ends the channel and its queue pairs or connection. Open calls fail. Open may be called again.
  virtual void Close() = 0;
  /// The number of calls without an answer.
  virtual size_t open() const = 0;
  /// Whether a call made now leaves now, as far as this end knows.
  virtual bool joined() const = 0;
  /// Adds the channel's counts so far.
  virtual void Count(typename Call_::Record& record) const = 0;
  virtual void ForEachQueuePair(const UseQueuePair& use) const = 0;
};

}  // namespace headroom
