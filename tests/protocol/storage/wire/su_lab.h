// Hosts on a switch, each with a process, a connection manager and pools; sockets connect them.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "protocol/storage/wire/su_socket.h"
#include "run/faults.h"
#include "support/verbs_lab.h"

namespace headroom {

/// Keeps arrivals until the test reads them.
class SuReader final : public SuUser {
 public:
  bool OnData(const SuData& data) override {
    if (refuse && refuse()) return false;
    EXPECT_EQ(data.position, received);
    received += data.length;
    last = EventQueue::Get().now();
    if (data.bytes != nullptr) bytes.insert(bytes.end(), data.bytes, data.bytes + data.length);
    return true;
  }
  void OnSent(uint64_t position) override { confirmed = position; }
  void OnCorrupt(uint64_t, uint32_t) override { ++corrupt; }
  void OnEnded(bool) override { ended = true; }

  std::function<bool()> refuse;
  uint64_t received = 0, confirmed = 0;
  Time last;  ///< time of the last data
  int corrupt = 0;
  bool ended = false;
  std::vector<uint8_t> bytes;
};

class SuLab : public VerbsLab {
 public:
  struct Host final : CmListener {
    std::unique_ptr<Process> process;
    std::unique_ptr<ConnectionManager> cm;
    std::unique_ptr<RegisteredPool> messages, outgoing, incoming;
    std::function<CmParty*(uint64_t, NodeId)> accept;
    CmParty* OnRequest(uint64_t session, NodeId from) override { return accept(session, from); }
  };
  /// Waits for the other end of a socket or a server.
  template <class End>
  struct Listener final : CmListener {
    explicit Listener(End* e) : end(e) {}
    CmParty* OnRequest(uint64_t session, NodeId from) override {
      end->Accept(session, from);
      return end;
    }
    End* end;
  };
  struct Ends {
    std::unique_ptr<SuReader> at_a, at_b;
    std::unique_ptr<SuSocket> a, b;
  };

  explicit SuLab(Scenario s, SuParameters p = {}, CoreCosts costs = {}, uint32_t chunk_buffers = 1024)
      : VerbsLab(std::move(s)), parameters(p) {
    for (NodeId h = 0; h < scenario.topology.hosts; ++h) {
      Host& host = hosts.emplace_back();
      host.process = std::make_unique<Process>(verbs(h), network->context(h), costs);
      host.cm = std::make_unique<ConnectionManager>(*host.process, network->context(h), CmParameters{});
      const uint32_t small = SuMessage::kBytes + p.small, chunk = SuMessage::kBytes + p.chunk;
      host.messages = std::make_unique<RegisteredPool>(
          verbs(h), RegisteredPoolParameters{small, 64 * small, 1024, p.content, SuMessage::kBytes},
          uint64_t{1} << 40);
      host.outgoing = std::make_unique<RegisteredPool>(
          verbs(h), RegisteredPoolParameters{chunk, chunk, chunk_buffers, p.content}, uint64_t{2} << 40);
      host.incoming = std::make_unique<RegisteredPool>(
          verbs(h), RegisteredPoolParameters{chunk, chunk, chunk_buffers, p.content}, uint64_t{3} << 40);
    }
    for (Host& host : hosts) {
      for (NodeId h = 0; h < hosts.size(); ++h) host.cm->Know(h, hosts[h].cm->qp());
    }
    faults = std::make_unique<Faults>(*network);
  }

  std::unique_ptr<SuSocket> Socket(NodeId host, SuReader& reader) {
    Host& h = hosts[host];
    return std::make_unique<SuSocket>(
        *h.process, *h.cm, SuPools{h.messages.get(), h.outgoing.get(), h.incoming.get()}, parameters, reader,
        EventQueue::Get().AddEntity(network->context(host)), "socket" + std::to_string(sockets_++));
  }
  Ends Join(NodeId a, NodeId b) {
    Ends e{std::make_unique<SuReader>(), std::make_unique<SuReader>(), nullptr, nullptr};
    e.a = Socket(a, *e.at_a);
    e.b = Socket(b, *e.at_b);
    e.a->Open(b, Listen(b, *e.b));
    return e;
  }
  /// Registers the end with its own number.
  template <class End>
  uint16_t Listen(NodeId host, End& end) {
    const auto number = static_cast<uint16_t>(100 + listeners_.size());
    hosts[host].cm->Listen(number, *listeners_.emplace_back(std::make_unique<Listener<End>>(&end)));
    return number;
  }
  /// All frames of the hosts with times, in one number; and their NICs' counters.
  std::string Transcript() {
    uint64_t hash = 14695981039346656037u;  // FNV-1a
    const auto add = [&](uint64_t n) { hash = (hash ^ n) * 1099511628211u; };
    for (const Sent& f : sent) {
      for (const uint64_t n : {static_cast<uint64_t>(f.at.v), uint64_t{f.host}, uint64_t{f.opcode},
                               static_cast<uint64_t>(f.kind), uint64_t{f.psn}, uint64_t{f.bytes}})
        add(n);
    }
    std::string text = std::to_string(sent.size()) + " frames, " + std::to_string(hash) + '\n';
    for (NodeId h = 0; h < hosts.size(); ++h) {
      const Nic::Counters& c = counters(h);
      for (const uint64_t n : {c.sent_bytes, c.delivered_bytes, c.data_packets, c.retransmitted_packets,
                               c.naks, c.timeouts, c.corrupted_packets})
        text += std::to_string(n) + ' ';
      text += '\n';
    }
    return text;
  }
  uint64_t RnrNaks() {
    uint64_t n = 0;
    for (NodeId h = 0; h < hosts.size(); ++h) n += counters(h).rnr_naks;
    return n;
  }

  SuParameters parameters;
  std::deque<Host> hosts;
  std::unique_ptr<Faults> faults;

 private:
  std::deque<std::unique_ptr<CmListener>> listeners_;
  int sockets_ = 0;
};

}  // namespace headroom
