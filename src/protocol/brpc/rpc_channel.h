// Remote procedure calls on a stream: the calling end and the answering end. Calls are concurrent; the server
// returns answers in the order in which it finishes them.
//
// Each message of a call costs its worker time beyond its transport: for bthreads, ids and protobufs.
#pragma once

#include <map>
#include <memory>

#include "protocol/brpc/rpc_message.h"
#include "protocol/channel/channel.h"
#include "workload/operation.h"

namespace headroom {

struct RpcAnswer {
  OperationStatus status = OperationStatus::ok;
};

struct RpcRecord {
  uint64_t requests = 0, answers = 0;  ///< requests sent, and answers received
  uint64_t corrupt = 0;                ///< corrupt payloads of either kind
};

struct RpcCall {
  using Answer = RpcAnswer;
  using Record = RpcRecord;
  uint32_t request = 0, answer = 0;  ///< payload bytes
};

class RpcChannel final : public Channel<RpcCall>, private StreamUser {
 public:
  /// `carrier` made `stream`; `message`: cost of a message. `process` is the stream's process. All must
  /// outlive this object.
  RpcChannel(StreamCarrier& carrier, Stream& stream, Process& process, Time message)
      : carrier_(carrier), stream_(stream), process_(process), message_(message) {
    stream_.SetUser(*this);
  }

  /// Call it once.
  void Open(std::function<void()> joined) override;
  void Call(RpcCall call, Done done) override;
  void Close() override;
  size_t open() const override { return calls_.size(); }
  bool joined() const override { return stream_.open(); }
  void Count(RpcRecord& record) const override;
  void ForEachQueuePair(const UseQueuePair& use) const override { stream_.ForEachQueuePair(use); }

 private:
  void OnOpen() override;
  void OnReadable() override;
  void OnEnded(bool failed) override;
  void OnAnswer(const RpcMessage& answer, bool sound);
  void FailAll();

  StreamCarrier& carrier_;
  Stream& stream_;
  Process& process_;
  const Time message_;
  std::function<void()> on_joined_;
  RpcReader reader_;
  std::map<uint64_t, Done> calls_;  ///< keyed by id
  uint64_t next_ = 1;
  bool ended_ = false;
  RpcRecord record_;
};

class RpcServer final : private StreamUser {
 public:
  /// `handler`: time of a call, in addition to its messages. `process` is the stream's process. Both must
  /// outlive this object.
  RpcServer(Stream& stream, Process& process, Time message, Time handler)
      : stream_(stream), process_(process), message_(message), handler_(handler) {
    stream_.SetUser(*this);
  }
  void Count(RpcRecord& record) const;

 private:
  void OnReadable() override;
  void OnEnded(bool) override {}
  void OnRequest(const RpcMessage& request);

  Stream& stream_;
  Process& process_;
  const Time message_, handler_;
  RpcReader reader_;
  RpcRecord record_;
};

}  // namespace headroom
