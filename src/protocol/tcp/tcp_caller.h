// The calling end of a TCP connection. Each call is a message, and so is its answer; answers arrive in any
// order. A broken connection is made anew, and unanswered calls are repeated. So executors of calls must
// recognise repetitions.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "nic/verbs/work_request.h"
#include "protocol/tcp/tcp_dial.h"
#include "protocol/tcp/tcp_messages.h"
#include "sim/event_queue.h"

namespace headroom {

using TcpSaid = std::array<uint64_t, 3>;

struct TcpAnswer {
  bool failed = false;  ///< no answer arrived: the caller has been closed
  TcpSaid said{};
  std::vector<uint8_t> bytes;
  /// T1: the first byte of the request was given to the socket. T5: the last byte of the answer is in the
  /// socket. T6: the core takes the answer up. TCP has no other times.
  OperationTimes times{};
  uint32_t retries = 0;
};

class TcpCaller final : public TcpUser, public EventTarget {
 public:
  using Done = std::function<void(TcpAnswer)>;

  /// `context`: the host's ns-3 node; `reopen`: time from a failure to the next try. `process` must outlive
  /// this object.
  TcpCaller(Process& process, const TcpPath& path, const TcpMessageParameters& parameters, Time reopen,
            uint32_t context);

  /// `joined` is called the first time that it is connected. May be called again after Close.
  void Open(std::function<void()> joined);
  /// REQUIRES: `bytes` is as long as `length`, or empty. `posted` is called once, when its first byte is
  /// given to the socket.
  void Call(const TcpSaid& said, uint32_t length, std::vector<uint8_t> bytes, Done done,
            std::function<void()> posted = {});
  void Close();

  bool joined() const { return stream_ != nullptr && stream_->up(); }
  size_t open() const { return calls_.size(); }
  TcpCounters counters() const;

  void OnMessage(TcpMessages& from, const TcpMessage& message, std::vector<uint8_t> bytes, Time arrived,
                 Time taken) override;
  void OnBegun(const TcpMessage& message) override;
  bool TakesRequests() const override { return false; }
  void OnBroken(TcpMessages& from) override;
  void OnEvent(uint64_t) override;  ///< Event: the next try.

 private:
  struct OpenCall {
    TcpMessage header;
    std::vector<uint8_t> bytes;
    Done done;
    std::function<void()> posted;
    uint64_t since = 0;  ///< the step that made the call
    OperationTimes times{};
    uint32_t sent = 0;  ///< number of times sent
  };
  void Connect();
  void Send(OpenCall& call);
  void Leave();
  void TryAgain();
  void OnConnected(const ns3::Ptr<ns3::Socket>& socket);

  Process& process_;
  const TcpPath path_;
  const TcpMessageParameters parameters_;
  const Time reopen_;
  const EntityId entity_;
  std::function<void()> on_joined_;
  TcpDial dial_;
  std::shared_ptr<TcpMessages> stream_;
  TcpCounters ended_;                   ///< counts of streams before the present one
  std::map<uint64_t, OpenCall> calls_;  ///< keyed by number
  uint64_t next_ = 0;
  uint64_t tries_ = 0;  ///< number of the next try
  bool open_ = false;
};

}  // namespace headroom
