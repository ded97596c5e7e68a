// A Redis or Valkey server: a main thread that executes all commands, and I/O threads to which connections
// are assigned in round-robin order, the main thread first.
//
//   the thread of a connection: reads what has come, parses whole commands ─► main thread: executes them, one
//   connection's together ─► the thread: writes the replies
//
// If there is only the main thread, it executes all commands that a turn of its loop has read, and then
// writes all replies, before it sleeps (beforeSleep). At most 64 KiB per connection are written in a turn.
//
// Sources: valkey networking.c (readQueryFromClient, handleClientsWithPendingWrites), io_threads.c. In the
// servers, I/O threads get work in round-robin order; here a connection stays with its thread.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "protocol/redis/redis_store.h"
#include "protocol/redis/resp.h"
#include "protocol/stream/stream.h"

namespace headroom {

class RedisServer {
 public:
  struct Parameters {
    Time parse, command;  ///< cost per command
    uint64_t keys = 0;    ///< loaded keys, each with a value of `value` bytes
    uint32_t value = 0;
    Time warmup;
  };
  /// The threads' processes, by thread; they must outlive this object.
  RedisServer(const Parameters& parameters, std::deque<Process>& threads);
  ~RedisServer();

  void Add(std::unique_ptr<Stream> stream, size_t thread);
  const RedisStore& store() const { return store_; }
  /// The executed commands of this thread's connections: all, and those from the warm-up until counting ends.
  uint64_t requests(size_t thread) const { return requests_[thread]; }
  uint64_t counted(size_t thread) const { return counted_[thread]; }
  void StopCounting() { counts_ = false; }
  void ForEachQueuePair(const Stream::UseQueuePair& use) const;

 private:
  class Connection;
  void Execute(const resp::Command& command, resp::Bytes& out);

  const Parameters p_;
  std::deque<Process>& threads_;
  RedisStore store_;
  std::deque<Connection> connections_;
  std::vector<uint64_t> requests_, counted_;
  bool counts_ = true;
};

}  // namespace headroom
