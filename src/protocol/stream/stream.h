// Ordered bytes in each direction between programs at two hosts, as on a non-blocking socket. Programs know
// this interface, not the carrier of the bytes: TCP, or a protocol on queue pairs.
//
// program ─► Write ─► unsent ─► in flight ─► unread ─► Read ─► program
//
// Written bytes wait without limit until the carrier has room; a program can check `unsent`. Received bytes
// wait unread until the program takes them, and reduce the carrier's room until then.
//
//   written = unsent + in flight + unread at the peer + read by the peer, in bytes, always
//
// Costs: a stream works on the Process of its end. Copies, calls and work requests are pieces of work there.
// The user is called at the end of each piece, as the current step (Process::step).
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

/// The user of an end. It is called within a piece of work of the end's process.
class StreamUser {
 public:
  virtual ~StreamUser() = default;
  /// Both ends may send now. Called once.
  virtual void OnOpen() {}
  /// More bytes have arrived since the last call. Unread bytes cause no further call.
  virtual void OnReadable() = 0;
  /// The stream has ended: the peer closed it, or it failed. Unread bytes are lost. Called at most once, and
  /// not after Close.
  virtual void OnEnded(bool failed) = 0;
};

/// The object lives until the run is over, whenever the stream ends.
class Stream {
 public:
  using UseQueuePair = std::function<void(NodeId host, uint32_t qp)>;
  virtual ~Stream() = default;

  /// Call it before the stream is open. The user must outlive the run.
  void SetUser(StreamUser& user) { user_ = &user; }

  /// Appends to the waiting bytes. May be called before the stream is open; has no effect once it has ended.
  virtual void Write(std::span<const uint8_t> bytes) = 0;
  /// Takes up to bytes.size() received bytes, in order. Returns their number. The carrier decides when the
  /// peer learns of the room.
  virtual size_t Read(std::span<uint8_t> bytes) = 0;
  /// Bytes that wait to be sent, and received bytes that are not read.
  virtual uint64_t unsent() const = 0;
  virtual uint64_t unread() const = 0;
  /// Ends the stream from this side. The peer's user is notified.
  virtual void Close() = 0;
  virtual bool open() const = 0;
  /// All queue pairs that this end has used.
  virtual void ForEachQueuePair(const UseQueuePair& use) const { (void)use; }

 protected:
  StreamUser& user() const { return *user_; }

 private:
  StreamUser* user_ = nullptr;
};

/// The place of a stream's end. All referenced objects must outlive the stream.
struct StreamSite {
  Process* process = nullptr;       ///< the process that works for it
  ConnectionManager* cm = nullptr;  ///< the host's connection manager, for streams over queue pairs
  IpStack* ip = nullptr;            ///< the host's IP stack, for streams over TCP
  NodeId host = 0;
  uint32_t context = 0;  ///< the host's ns-3 node
};

/// A carrier of streams, with its parameters.
class StreamCarrier {
 public:
  struct Ends {
    std::unique_ptr<Stream> opener, accepter;
  };
  virtual ~StreamCarrier() = default;
  /// Makes both ends of a connection, which `opener` opens when Open is called for it. `name`: name of its
  /// random numbers. REQUIRES: called before the run.
  virtual Ends Make(const StreamSite& opener, const StreamSite& accepter, const std::string& name) = 0;
  /// Begins to connect; both users get OnOpen, or the opener gets OnEnded if the peer cannot be reached.
  /// REQUIRES: this carrier made `opener`, which has not been opened.
  virtual void Open(Stream& opener) = 0;
};

}  // namespace headroom
