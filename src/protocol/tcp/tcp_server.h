// The answering end of TCP connections from one host.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "protocol/tcp/tcp_messages.h"

namespace headroom {

class TcpServer final : public TcpUser {
 public:
  /// Must be called once, now or later, with the answer. If its connection has ended, the answer is dropped.
  using Respond =
      std::function<void(const std::array<uint64_t, 3>& said, uint32_t length, std::vector<uint8_t> bytes)>;
  using Execute = std::function<void(const TcpMessage&, std::vector<uint8_t> bytes, Respond)>;

  /// `process` must outlive this object.
  TcpServer(Process& process, const TcpMessageParameters& parameters, Execute execute)
      : process_(process), parameters_(parameters), execute_(std::move(execute)) {}

  void Accept(ns3::Ptr<ns3::Socket> socket);
  TcpCounters counters() const;

  void OnMessage(TcpMessages& from, const TcpMessage& message, std::vector<uint8_t> bytes, Time arrived,
                 Time taken) override;
  bool TakesRequests() const override { return parameters_.begins; }
  void OnBroken(TcpMessages&) override {}  // the caller connects again

 private:
  Process& process_;
  const TcpMessageParameters parameters_;
  const Execute execute_;
  std::vector<std::shared_ptr<TcpMessages>>
      streams_;        ///< ended streams are removed when the next one arrives
  TcpCounters ended_;  ///< counts of ended streams
};

/// Accepts connections to a host.
class TcpListener final {
 public:
  /// Called with each connection from the host with that address.
  using Accept = std::function<void(ns3::Ptr<ns3::Socket>, const ns3::Address& from)>;
  TcpListener(ns3::Ptr<ns3::Node> node, ns3::TypeId congestion, uint8_t tos, uint16_t port, Accept accept,
              bool user_space = false);
  ~TcpListener();
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

 private:
  void OnAccepted(ns3::Ptr<ns3::Socket> socket, const ns3::Address& from) { accept_(socket, from); }
  const Accept accept_;
  ns3::Ptr<ns3::Socket> socket_;
};

}  // namespace headroom
