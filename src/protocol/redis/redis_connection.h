// A connection of redis-benchmark: it writes `pipeline` commands at a time, and the next commands after the
// replies to all of these.
//
// For each reply, a thread spends half of `request`. Then a turn of its loop makes the connection writable.
// For each command, the thread spends the other half to make and write it.
//
// Source: valkey-benchmark.c (writeHandler, readHandler, clientDone).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "protocol/channel/channel.h"
#include "protocol/keyvalue/key_value_record.h"
#include "protocol/keyvalue/stores/key.h"
#include "protocol/redis/resp.h"
#include "protocol/stream/stream.h"
#include "sim/ring.h"
#include "workload/operation.h"

namespace headroom {

struct RedisAnswer {
  OperationStatus status = OperationStatus::ok;
  bool found = false;              ///< for a GET: the key has a value
  std::span<const uint8_t> value;  ///< valid only within Done
};

struct RedisCall {
  using Answer = RedisAnswer;
  using Record = KeyValueRecord;
  bool sets = false;
  Key key;
  uint64_t version = 0;  ///< for a SET
  uint32_t bytes = 0;    ///< size of its value
};

class RedisConnection final : public Channel<RedisCall>, private StreamUser {
 public:
  struct Parameters {
    uint32_t pipeline = 1;
    uint32_t key = 16;  ///< in bytes
    Time request;
  };
  /// All must outlive this object.
  RedisConnection(const Parameters& parameters, Process& process, StreamCarrier& carrier,
                  std::unique_ptr<Stream> stream);

  void Open(std::function<void()> joined) override;
  /// Answers arrive in order. Once the connection has ended, calls get no answer: redis-benchmark would have
  /// exited.
  void Call(RedisCall call, Done done) override;
  void Close() override { stream_->Close(); }
  size_t open() const override { return waiting_.Size() + pending_.Size(); }
  bool joined() const override { return stream_->open(); }
  void Count(KeyValueRecord& record) const override { ++record.streams->connections; }
  void ForEachQueuePair(const UseQueuePair& use) const override { stream_->ForEachQueuePair(use); }

 private:
  struct Asked {
    RedisCall call;
    Done done;
  };
  void OnOpen() override;
  void OnReadable() override;
  void OnEnded(bool failed) override;
  void AskToWrite();
  void WriteBatch();
  void TakeReplies();
  /// The cost to make `count` commands, or to take as many replies.
  Time CostOf(size_t count) const { return Time(p_.request.v * static_cast<int64_t>(count) / 2); }

  const Parameters p_;
  Process& process_;
  StreamCarrier& carrier_;
  const std::unique_ptr<Stream> stream_;
  std::function<void()> joined_;
  Ring<Asked> waiting_, pending_;  ///< pending: written calls
  bool writes_ = false;            ///< a turn for writing has been requested
  resp::Bytes out_, in_;
  std::vector<resp::Reply> replies_;  ///< positions in `in_`
  size_t parsed_ = 0;                 ///< number of parsed bytes in `in_`
};

}  // namespace headroom
