// Ordered bytes each way between programs at two hosts, as a socket that does not block has them. Programs
// know this interface and not the carrier of the bytes: TCP, or a protocol on queue pairs.
//
// program ─► Write ─► unsent ─► on its way ─► unread ─► Read ─► program
//
// Written bytes wait without limit until the carrier has room; a program that cares asks `unsent`. Received
// bytes wait unread until the program takes them, and reduce the carrier's room meanwhile.
//
//   written = unsent + on its way + unread at the peer + read by the peer, in bytes, always
//
// Costs: a stream works on the Process of its end. Copies, calls and work requests are pieces of work there.
// The user is called at their end, as the current step (Process::step).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "protocol/connection_manager.h"
#include "protocol/process.h"

namespace headroom {

class IpStack;

/// Who uses an end. It is called within a piece of work of the end's process.
class StreamUser {
 public:
  virtual ~StreamUser() = default;
  /// Both ends may send. Once.
  virtual void OnOpen() {}
  /// More has arrived since the last call. Unread bytes cause no further call.
  virtual void OnReadable() = 0;
  /// The stream has ended: the peer closed it, or it failed. What was not read is gone. Once, and not after
  /// Close.
  virtual void OnEnded(bool failed) = 0;
};

/// It lives until the run is over, whenever it ends.
class Stream {
 public:
  using UseQueuePair = std::function<void(NodeId host, uint32_t qp)>;
  virtual ~Stream() = default;

  /// Before it is open. The user outlives the run.
  void SetUser(StreamUser& user) { user_ = &user; }

  /// Appends to what waits. Before it is open too; once it has ended nothing happens.
  virtual void Write(std::span<const uint8_t> bytes) = 0;
  /// Takes up to bytes.size() of what has come, in order. Returns how many. When the peer hears of that room
  /// is up to the carrier.
  virtual size_t Read(std::span<uint8_t> bytes) = 0;
  /// Bytes that wait, and bytes that have come and are not read.
  virtual uint64_t unsent() const = 0;
  virtual uint64_t unread() const = 0;
  /// Ends it from this side. The peer's user hears.
  virtual void Close() = 0;
  virtual bool open() const = 0;
  /// All queue pairs that this end has used.
  virtual void ForEachQueuePair(const UseQueuePair& use) const { (void)use; }

 protected:
  StreamUser& user() const { return *user_; }

 private:
  StreamUser* user_ = nullptr;
};

/// Where an end of a stream is. All outlive the stream.
struct StreamSite {
  Process* process = nullptr;       ///< that works for it
  ConnectionManager* cm = nullptr;  ///< of its host, for streams over queue pairs
  IpStack* ip = nullptr;            ///< the same, for what goes over TCP; installed at the host
  NodeId host = 0;
  uint32_t context = 0;  ///< the host's ns-3 node
};

/// One way to carry streams, with its parameters.
class StreamCarrier {
 public:
  struct Ends {
    std::unique_ptr<Stream> opener, accepter;
  };
  virtual ~StreamCarrier() = default;
  /// Both ends of a connection that `opener` opens when Open is called for it. `name`: of its random numbers.
  /// REQUIRES: before the run.
  virtual Ends Make(const StreamSite& opener, const StreamSite& accepter, const std::string& name) = 0;
  /// Begins to connect; both users hear OnOpen, or the opener's OnEnded where the peer cannot be reached.
  /// REQUIRES: `opener` was made here and has not been opened.
  virtual void Open(Stream& opener) = 0;
};

}  // namespace headroom
