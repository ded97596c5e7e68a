// Hosts with one thread each, and streams between them over any carrier. A program has only one of these.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "ip/ip_stack.h"
#include "protocol/application_costs.h"
#include "protocol/stream/stream.h"
#include "support/verbs_lab.h"

namespace headroom {

struct StreamLabParameters {
  ApplicationCosts costs{};
  IpParameters ip{.mtu = 9000, .priority = 0, .tcp = {}};
  Bytes buffer = Kibibytes(64);  ///< buffer of a carrier that has one
  int hosts = 2;
  Time delay = Nanoseconds(500);                                                     ///< delay of each link
  enum class Waits : uint8_t { asleep, polling, at_no_cost } waits = Waits::asleep;  ///< state of its threads
};

class StreamLab : public VerbsLab {
 public:
  explicit StreamLab(const StreamLabParameters& p = {})
      : VerbsLab(StarScenario(p.hosts, {GigabitsPerSecond(100), p.delay, Time{}, 0.0})),
        stack(network->ip(p.ip)) {
    for (NodeId host = 0; host < static_cast<NodeId>(p.hosts); ++host) {
      stack.Install(host);
      processes.emplace_back(verbs(host), network->context(host), p.costs.OfCores(), &trail, Time(0),
                             LoopOf(p));
      cms.emplace_back(processes.back(), network->context(host), CmParameters{});
    }
    for (NodeId host = 0; host < static_cast<NodeId>(p.hosts); ++host)
      for (NodeId other = 0; other < static_cast<NodeId>(p.hosts); ++other)
        if (other != host) cms[host].Know(other, cms[other].qp());
  }

  static std::optional<EventLoop> LoopOf(const StreamLabParameters& p) {
    using Waits = StreamLabParameters::Waits;
    if (p.waits == Waits::at_no_cost) return std::nullopt;
    return p.waits == Waits::asleep ? p.costs.Sleeping() : p.costs.Polling();
  }
  StreamSite Site(NodeId host) {
    return {&processes[host], &cms[host], &stack, host, network->context(host)};
  }
  void RunFor(Time t) {
    ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(t.v)));
    ns3::Simulator::Run();
  }
  Time BusyOf(NodeId host) const { return processes[host].use().busy(); }

  IpStack& stack;
  Trail trail;
  std::deque<Process> processes;  ///< indexed by host
  std::deque<ConnectionManager> cms;
};

/// A user of an end that records its events, and reads what the test permits.
class NotingUser : public StreamUser {
 public:
  void Use(Stream& stream) {
    stream_ = &stream;
    stream.SetUser(*this);
  }
  Stream& stream() { return *stream_; }
  void OnOpen() override {
    ++opened;
    opened_at = EventQueue::Get().now();
  }
  void OnReadable() override {
    ++readable;
    readable_at = EventQueue::Get().now();
    EXPECT_GT(stream_->unread(), 0u);
    if (reads) Read(reads);
  }
  void OnEnded(bool by_failure) override {
    ++ended;
    failed = by_failure;
    EXPECT_EQ(stream_->unread(), 0u);
    EXPECT_FALSE(stream_->open());
  }
  /// Reads at most this many bytes.
  size_t Read(size_t most) {
    most = std::min<size_t>(most, stream_->unread() + 1);
    const size_t before = got.size(), there = stream_->unread();
    got.resize(before + most);
    const size_t n = stream_->Read(std::span(got).subspan(before));
    EXPECT_EQ(n, std::min(most, there));
    got.resize(before + n);
    return n;
  }
  void Write(const std::vector<uint8_t>& bytes) {
    wrote.insert(wrote.end(), bytes.begin(), bytes.end());
    stream_->Write(bytes);
  }

  size_t reads = SIZE_MAX / 4;  ///< bytes to read at each notification; 0: later
  int opened = 0, readable = 0, ended = 0;
  bool failed = false;
  Time opened_at, readable_at;
  std::vector<uint8_t> got, wrote;

 private:
  Stream* stream_ = nullptr;
};

/// Both ends of a stream and their users.
struct NotedStream {
  NotedStream(StreamCarrier& by, StreamLab& lab, NodeId from, NodeId to, const std::string& name = "s")
      : carrier(by), ends(by.Make(lab.Site(from), lab.Site(to), name)) {
    a.Use(*ends.opener);
    b.Use(*ends.accepter);
  }
  void Open() { carrier.Open(*ends.opener); }

  StreamCarrier& carrier;
  StreamCarrier::Ends ends;
  NotingUser a, b;  ///< users of the opener and of the accepter
};

inline std::vector<uint8_t> RandomBytes(std::mt19937& random, size_t size) {
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

}  // namespace headroom
