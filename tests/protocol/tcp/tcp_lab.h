// Two hosts with one core each, and calls over TCP from the first to the second.
#pragma once

#include <ns3/tcp-cubic.h>

#include <deque>
#include <map>
#include <memory>

#include "ip/ip_stack.h"
#include "protocol/tcp/tcp_caller.h"
#include "protocol/tcp/tcp_server.h"
#include "support/verbs_lab.h"

namespace headroom {

/// Parameters of the stack, of a server's core, and of data.
struct TcpLabParameters {
  CoreCosts caller{}, server{};
  TcpMessageParameters stream{.crc = true, .content = false};
  IpParameters ip{.mtu = 9000, .priority = 0, .tcp = {}};
};

class TcpLab : public VerbsLab {
 public:
  explicit TcpLab(const TcpLabParameters& p = {})
      : VerbsLab(StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0})),
        stack(network->ip(p.ip)),
        a(verbs(0), network->context(0), p.caller, &trail),
        b(verbs(1), network->context(1), p.server, &trail),
        server(b, p.stream,
               [this](const TcpMessage& m, std::vector<uint8_t> bytes, TcpServer::Respond respond) {
                 execute(m, std::move(bytes), std::move(respond));
               }) {
    stack.Install(0);
    stack.Install(1);
    path = std::make_unique<TcpPath>(
        TcpPath{stack.Node(0), {IpStack::AddressOf(1), 10'000}, stack.Tos(0), ns3::TcpCubic::GetTypeId()});
    caller = std::make_unique<TcpCaller>(a, *path, p.stream, Microseconds(100), network->context(0));
    Listen();
    // Answers with the requested number of bytes.
    execute = [](const TcpMessage& m, std::vector<uint8_t> bytes, const TcpServer::Respond& respond) {
      respond({m.said[1]}, static_cast<uint32_t>(m.said[0]), std::move(bytes));
    };
  }

  void Listen() {
    listener = std::make_unique<TcpListener>(stack.Node(1), path->congestion, path->tos, 10'000,
                                             [this](ns3::Ptr<ns3::Socket> socket, const ns3::Address&) {
                                               accepted = socket;
                                               server.Accept(socket);
                                             });
  }
  void RunFor(Time t) {
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
    ns3::Simulator::Run();
  }
  /// Brings the connection up, with no call under way.
  void Join() {
    bool joined = false;
    caller->Open([&] { joined = true; });
    RunFor(Milliseconds(1));
    EXPECT_TRUE(joined);
  }
  static Time BusyOf(const Process& process, CoreWork work = CoreWork::tcp) {
    return process.use().busy_for[static_cast<size_t>(work)];
  }

  IpStack& stack;
  Trail trail;
  Process a, b;
  TcpServer server;
  TcpServer::Execute execute;
  std::unique_ptr<TcpPath> path;
  std::unique_ptr<TcpCaller> caller;
  std::unique_ptr<TcpListener> listener;
  ns3::Ptr<ns3::Socket> accepted;
};

}  // namespace headroom
