#include "protocol/keyvalue/tables/reads.h"

#include "workload/source_port.h"

namespace headroom {

Reads::Reads(const Parameters& parameters, const KeyValueParameters& service, const ServiceGround& ground,
             ReadUser& user, SlotExchange& exchange)
    : p_(parameters), service_(service), user_(user), trail_(ground.operations.trail()) {
  constexpr uint32_t kCompletions = 1u << 20;
  const auto& nodes = ground.topology.nodes;
  for (const NodeId host : service.clients) {
    for (uint32_t i = 0; i < p_.client_processes; ++i) {
      const auto number = static_cast<uint32_t>(clients_.size());
      Client& c = clients_.emplace_back(*this, ground.hosts[host], exchange.thread(number));
      c.cq = c.verbs->CreateCq(kCompletions);
      c.cq->SetHandler([this, number] { Poll(number); });
      c.cq->RequestNotify();
      c.reads.resize(p_.window);
      for (uint32_t b = p_.window; b-- > 0;) c.free.push_back(b);
      if (p_.content) {
        c.bytes.resize(size_t{p_.window} * p_.longest);
        c.region = c.verbs->RegMr(0, c.bytes.size(), kLocalWrite, c.bytes);
      }
      QpInitAttr attr;
      attr.send_cq = attr.recv_cq = c.cq;
      attr.priority = service.priority;
      attr.tag = ground.tag;
      attr.cap.max_send_wr = p_.window + 1;
      for (const NodeId server : service.servers) {
        QueuePair* here = c.verbs->CreateQp(attr);
        Verbs& there = *ground.hosts[server].verbs;
        QpInitAttr passive = attr;
        passive.send_cq = passive.recv_cq = there.CreateCq(1);
        ConnectQps(*c.verbs, here, there, there.CreateQp(passive),
                   SourcePort(service.name + "/reads", nodes[host].name, nodes[server].name, number));
        c.to.push_back(here);
      }
    }
  }
}

void Reads::Post(uint32_t client, size_t server, uint32_t token, uint32_t rkey, uint64_t address,
                 uint32_t bytes) {
  Client& c = clients_[client];
  const uint32_t buffer = c.free.back();
  c.free.pop_back();
  c.reads[buffer] = {server, token, rkey, bytes, buffer, address, trail_ == nullptr ? 0 : trail_->current(),
                     {}};
  c.waiting.PushBack(buffer);
  c.Wake();
}

void Reads::Work(Client& c) {
  const Time now = EventQueue::Get().now();
  while (!c.waiting.Empty()) {
    if (c.Taken()) return c.WakeWhenFree();
    Read& read = c.reads[c.waiting.Front()];
    c.waiting.PopFront();
    read.sent = now;
    SendWr wr;
    wr.wr_id = read.buffer;
    wr.opcode = WrOpcode::rdma_read;
    wr.signaled = true;
    if (trail_ != nullptr) wr.cause = trail_->Add(read.step, OperationPart::core_queue, now, now);
    wr.sge = {uint64_t{read.buffer} * p_.longest, read.bytes, c.region == nullptr ? 0 : c.region->lkey};
    wr.remote_addr = read.address;
    wr.rkey = read.rkey;
    c.verbs->PostSend(c.to[read.server], wr);
    ++posted_;
    c.Occupy(service_.costs.post);
  }
}

void Reads::Poll(uint32_t number) {
  Client& c = clients_[number];
  for (Wc wc; c.cq->Poll(wc);) {
    const Read read = c.reads[wc.wr_id];
    c.free.push_back(read.buffer);
    sent_ = read.sent;
    const std::span<const uint8_t> data =
        c.region == nullptr ? std::span<const uint8_t>()
                            : std::span(c.bytes).subspan(uint64_t{read.buffer} * p_.longest, read.bytes);
    const Time now = EventQueue::Get().now();
    const Trail::CurrentStep step(trail_, [&](Trail& t) {
      return t.Add(wc.cause, {wc.message, false}, now, now);
    });
    user_.OnRead(read.token, data, wc.status == WcStatus::success);
  }
  c.cq->RequestNotify();
}

void Reads::ForEachQueuePair(const std::function<void(NodeId, uint32_t)>& use) const {
  for (const Client& c : clients_)
    for (const QueuePair* qp : c.to) use(c.host, Verbs::NumberOf(qp));
}

}  // namespace headroom
