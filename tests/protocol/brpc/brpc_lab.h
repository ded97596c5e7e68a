// A bRPC connection between two hosts, whose programs write and read random pieces.
#pragma once

#include <memory>
#include <vector>

#include "protocol/brpc/brpc_carrier.h"
#include "protocol/brpc/pipe_carrier.h"
#include "support/dice.h"
#include "support/verbs_lab.h"

namespace headroom {

/// A program at an end, which compares the received bytes with those that the other end writes.
class BrpcProgram final : public StreamUser {
 public:
  void OnOpen() override { ++opened; }
  void OnReadable() override {
    std::vector<uint8_t> bytes(stream->unread());
    const size_t n = stream->Read(bytes);
    for (size_t i = 0; i < n; ++i) wrong += bytes[i] != ByteAt(read + i, seed);
    read += n;
    if (on_read) on_read();
  }
  void OnEnded(bool failed) override { ended += 1, failures += failed; }
  static uint8_t ByteAt(uint64_t position, uint64_t of) {
    return static_cast<uint8_t>((position * 2654435761u + of * 97) >> 7);
  }
  void Write(uint64_t bytes, uint64_t of) {
    std::vector<uint8_t> text(bytes);
    for (size_t i = 0; i < bytes; ++i) text[i] = ByteAt(written + i, of);
    written += bytes;
    stream->Write(text);
  }

  Stream* stream = nullptr;
  uint64_t seed = 0;  ///< of the received bytes
  uint64_t written = 0, read = 0, wrong = 0;
  int opened = 0, ended = 0, failures = 0;
  std::function<void()> on_read;
};

class BrpcLab : public VerbsLab {
 public:
  explicit BrpcLab(Scenario s, const BrpcEndParameters& opener = {}, const BrpcEndParameters& accepter = {},
                   Time tcp_delay = Microseconds(2))
      : VerbsLab(std::move(s)),
        threads{MakeThread(0, opener), MakeThread(1, accepter)},
        pipes(tcp_delay),
        carrier(pipes, scenario.topology, [=](NodeId host) { return host == 0 ? opener : accepter; }) {
    ends =
        carrier.Make({threads[0].get(), nullptr, nullptr, 0}, {threads[1].get(), nullptr, nullptr, 1}, "lab");
    for (int at = 0; at < 2; ++at) {
      programs[at].stream = &end(at);
      programs[at].seed = 1 - static_cast<uint64_t>(at);
      end(at).SetUser(programs[at]);
      end(at).on_post = [this, at](const SendWr& wr) { posted[at].push_back(wr); };
    }
    carrier.Open(*ends.opener);
  }
  BrpcEndpoint& end(int at) { return static_cast<BrpcEndpoint&>(at == 0 ? *ends.opener : *ends.accepter); }
  void Write(int at, uint64_t bytes) { programs[at].Write(bytes, static_cast<uint64_t>(at)); }
  void RunFor(Time t) {
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
    ns3::Simulator::Run();
  }
  /// Work requests with data, or pure ACKs, that an end posted.
  std::vector<SendWr> Posted(int at, bool data) const {
    std::vector<SendWr> of;
    for (const SendWr& wr : posted[at]) {
      if ((wr.sge.length > 0) == data) of.push_back(wr);
    }
    return of;
  }

  Trail trail;
  std::array<std::unique_ptr<Process>, 2> threads;
  PipeCarrier pipes;
  BrpcCarrier carrier;
  StreamCarrier::Ends ends;
  std::array<BrpcProgram, 2> programs;
  std::array<std::vector<SendWr>, 2> posted;

 private:
  std::unique_ptr<Process> MakeThread(NodeId host, const BrpcEndParameters& p) {
    return std::make_unique<Process>(verbs(host), network->context(host), p.costs.OfCores(), &trail, Time(0),
                                     EventLoop{p.costs.wake, Time(0), Time(0)});
  }
};

}  // namespace headroom
