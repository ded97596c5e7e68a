// A channel over TCP: a call is a message, and so is its answer. For a write the call carries the data, for a
// read the answer.
//
// After a reconnect, unanswered calls are sent again, so the executor must recognise repeated calls
// (duplicate_filter.h).
#pragma once

#include "protocol/channel/leg.h"
#include "protocol/tcp/tcp_caller.h"
#include "protocol/tcp/tcp_server.h"
#include "sim/deque.h"

namespace headroom {

class TcpChannel final : public StorageChannel {
 public:
  TcpChannel(Leg& leg, const ChannelCores& cores, HostCores& caller, HostCores& server,
             StorageServer& executes);

  void Open(std::function<void()> joined) override;
  void Call(StorageCall call, Done done) override;
  void Close() override;
  size_t open() const override;
  bool joined() const override;
  void Count(StorageRecord& record) const override;
  void ForEachQueuePair(const UseQueuePair&) const override {}

  /// Accepts a connection from the caller's host.
  void Accept(ns3::Ptr<ns3::Socket> socket) { server_.Accept(socket); }

 private:
  void Execute(const TcpMessage& asked, std::vector<uint8_t> bytes, const TcpServer::Respond& respond);

  StorageServer& executes_;
  Deque<TcpCaller> callers_;  ///< one connection each; calls use them in round-robin order
  TcpServer server_;
  size_t turn_ = 0, unjoined_ = 0;
};

}  // namespace headroom
