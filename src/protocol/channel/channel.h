// How hosts ask each other: calls from one host to another, each answered once. Users know this interface and
// nothing of the protocol below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "net/topology/topology.h"

namespace headroom {

/// From one host to another. `Call_` describes the request and has the types of the answer:
///
///   Answer   what `done` is given; also where the channel has ended
///   Record   what a channel counts
///
/// Calls may be many at a time. Whether their answers come in order is the channel's to say.
template <class Call_>
class Channel {
 public:
  using Answer = typename Call_::Answer;
  using Done = std::function<void(Answer)>;
  using UseQueuePair = std::function<void(NodeId host, uint32_t qp)>;
  virtual ~Channel() = default;
  /// Joins the ends. `joined` hears of the first time that they are.
  virtual void Open(std::function<void()> joined) = 0;
  /// `done` is called once, with a failed answer where the channel has ended. Before the ends are joined
  /// calls wait.
  virtual void Call(Call_ call, Done done) = 0;
  /// Ends it: its queue pairs or connection are gone. What is open fails. Open may come again.
  virtual void Close() = 0;
  /// Calls without an answer.
  virtual size_t open() const = 0;
  /// Whether what is called now goes out now, as far as this end knows.
  virtual bool joined() const = 0;
  /// Adds what it has done so far.
  virtual void Count(typename Call_::Record& record) const = 0;
  virtual void ForEachQueuePair(const UseQueuePair& use) const = 0;
};

}  // namespace headroom
