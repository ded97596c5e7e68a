// Hosts around a switch, each with a process, a connection manager and pools; sockets between them.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "protocol/storage/su_socket.h"
#include "support/verbs_lab.h"

namespace headroom {

/// Keeps what comes, and takes it when the test says so.
class SuReader final : public SuUser {
 public:
  bool OnData(const SuData& data) override {
    if (refuse && refuse()) return false;
    EXPECT_EQ(data.position, received);
    received += data.length;
    if (data.bytes != nullptr) bytes.insert(bytes.end(), data.bytes, data.bytes + data.length);
    return true;
  }
  void OnSent(uint64_t position) override { confirmed = position; }
  void OnCorrupt(uint64_t, uint32_t) override { ++corrupt; }
  void OnEnded(bool) override { ended = true; }

  std::function<bool()> refuse;
  uint64_t received = 0, confirmed = 0;
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
          verbs(h), RegisteredPoolParameters{small, 64 * small, 1024, true}, uint64_t{1} << 40);
      host.outgoing = std::make_unique<RegisteredPool>(
          verbs(h), RegisteredPoolParameters{chunk, chunk, chunk_buffers, p.content}, uint64_t{2} << 40);
      host.incoming = std::make_unique<RegisteredPool>(
          verbs(h), RegisteredPoolParameters{chunk, chunk, chunk_buffers, p.content}, uint64_t{3} << 40);
    }
    for (Host& host : hosts) {
      for (NodeId h = 0; h < hosts.size(); ++h) host.cm->Know(h, hosts[h].cm->qp());
    }
  }

  std::unique_ptr<SuSocket> Socket(NodeId host, SuReader& reader) {
    Host& h = hosts[host];
    return std::make_unique<SuSocket>(
        *h.process, *h.cm, SuPools{h.messages.get(), h.outgoing.get(), h.incoming.get()}, parameters, reader,
        network->context(host), "socket" + std::to_string(host));
  }
  Ends Join(NodeId a, NodeId b) {
    Ends e{std::make_unique<SuReader>(), std::make_unique<SuReader>(), nullptr, nullptr};
    e.a = Socket(a, *e.at_a);
    e.b = Socket(b, *e.at_b);
    hosts[b].accept = [b_end = e.b.get()](uint64_t session, NodeId from) {
      b_end->Accept(session, from);
      return b_end;
    };
    hosts[b].cm->Listen(1, hosts[b]);
    e.a->Open(b, 1);
    return e;
  }
  uint64_t RnrNaks() {
    uint64_t n = 0;
    for (NodeId h = 0; h < hosts.size(); ++h) n += counters(h).rnr_naks;
    return n;
  }

  SuParameters parameters;
  std::deque<Host> hosts;
};

}  // namespace headroom
