#include "protocol/connections/queue_pair_service.h"

#include <algorithm>
#include <map>

namespace headroom {

QueuePairService::QueuePairService(const ConnectionParameters& parameters, const ServiceGround& ground)
    : p_(parameters),
      ground_(ground),
      transfers_(p_, ground_),
      cores_(ground.hosts.size()),
      queues_(ground.hosts.size()) {
  const auto threads = static_cast<uint32_t>(p_.threads_in_all()), share = static_cast<uint32_t>(p_.share);
  for (const auto* hosts : {&p_.clients, &p_.servers}) {
    for (const NodeId host : *hosts) {
      if (!cores_[host].empty()) continue;
      for (uint32_t t = 0; t < threads; ++t)
        cores_[host].emplace_back(ground.hosts[host].context, ground.warmup);
      queues_[host].resize((threads + share - 1) / share);
    }
  }
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> joints;  // keyed by group and turn, for one client
  std::vector<ConnectionPlace> places;                       // of that client
  joint_of_.resize(transfers_.connections().size());
  for (uint32_t i = 0; i < joint_of_.size(); ++i) {
    const auto number = i % static_cast<uint32_t>(p_.connections);
    if (number == 0) {
      joints.clear();
      places = PlacesOf(p_, transfers_.connections()[i].client);
    }
    const ConnectionPlace& place = places[number];
    const auto [at, fresh] =
        joints.try_emplace({place.group, place.turn}, static_cast<uint32_t>(joined_.size()));
    if (fresh) Join(i, place);
    joint_of_[i] = at->second;
    joined_[at->second].connections.push_back(i);
  }
  open_.resize(joined_.size());
}

CompletionQueue* QueuePairService::QueueOf(NodeId host, uint32_t group) {
  CompletionQueue*& cq = queues_[host][group];
  if (cq == nullptr) {
    cq = ground_.hosts[host].verbs->CreateCq(1u << 20);
    cq->SetHandler([this, host, cq] { Poll(*cq, host); });
    cq->RequestNotify();
  }
  return cq;
}

void QueuePairService::Join(uint32_t connection, const ConnectionPlace& place) {
  const Connection& c = transfers_.connections()[connection];
  const auto number = static_cast<uint32_t>(joined_.size());
  Joined& j = joined_.emplace_back();
  j.client = c.client;
  j.server = c.server;
  j.threads = place.group * static_cast<uint32_t>(p_.share);
  j.lock.hand_over = p_.costs.hand_over;
  QpInitAttr attr;
  attr.priority = p_.priority;
  attr.tag = ground_.tag;
  attr.cap.max_send_wr = static_cast<uint32_t>(p_.depth);
  attr.cap.max_recv_wr = static_cast<uint32_t>(p_.receives);
  Verbs &here = *ground_.hosts[c.client].verbs, &there = *ground_.hosts[c.server].verbs;
  attr.send_cq = attr.recv_cq = QueueOf(c.client, place.group);
  j.qp = here.CreateQp(attr);
  attr.send_cq = attr.recv_cq = QueueOf(c.server, place.group);
  j.there = there.CreateQp(attr);
  ConnectQps(here, j.qp, there, j.there, PortOf(p_, ground_.topology, c.client, place));
  const auto receives = static_cast<uint32_t>(p_.receives);
  j.receives.Make(there, receives, static_cast<uint32_t>(p_.receive_buffer.v));
  for (uint32_t buffer = 0; buffer < receives; ++buffer) Repost(j, number, buffer);
}

void QueuePairService::Start(const Attached& attached) {
  for (const NodeId client : p_.clients) attached(client);
}

void QueuePairService::Submit(const OperationRequest& request) {
  Transfer& t = transfers_.Begin(request);
  if (transfers_.TakeSlot(t)) Ask(t.operation);
}

void QueuePairService::Ask(uint32_t operation) {
  Transfer& t = transfers_[operation];
  const Connection& c = transfers_.connections()[t.connection];
  Joined& j = joined_[joint_of_[t.connection]];
  t.worked += p_.costs.post;
  CoreOf(c.client, c.thread)
      .Do(
          p_.costs.post, [this, operation] { Post(operation); }, Time(0), p_.share > 1 ? &j.lock : nullptr);
}

void QueuePairService::Post(uint32_t operation) {
  Transfer& t = transfers_[operation];
  const uint32_t number = joint_of_[t.connection];
  Joined& j = joined_[number];
  if (transfers_.connections()[t.connection].failed) {
    transfers_.Post(t);
    t.completed = t.posted;
    const uint32_t next = transfers_.End(operation, false);
    if (next != Transfers::kNone) Ask(next);
    return;
  }
  if (j.open == static_cast<uint32_t>(p_.depth)) return j.full.PushBack(operation);
  SendWr wr;
  wr.wr_id = number;
  wr.signaled = true;
  wr.cause = transfers_.Post(t);
  wr.sge = transfers_.Local(t, Side::client);
  transfers_.Stamp(t, t.kind == OperationKind::read ? Side::server : Side::client);
  if (t.kind == OperationKind::send) {
    wr.opcode = WrOpcode::send_with_imm;
    wr.imm_data = t.connection;
    ++transfers_.record.sends;
  } else {
    const bool reads = t.kind == OperationKind::read;
    wr.opcode = reads ? WrOpcode::rdma_read : WrOpcode::rdma_write;
    transfers_.Aim(t, Side::server, wr);
    ++(reads ? transfers_.record.reads : transfers_.record.writes);
  }
  ground_.operations[operation].qp = Verbs::NumberOf(j.qp);
  ++j.open;
  open_[number].PushBack(operation);
  ground_.hosts[j.client].verbs->PostSend(j.qp, wr);
}

void QueuePairService::Poll(CompletionQueue& cq, NodeId host) {
  for (Wc wc; cq.Poll(wc);) {
    if (wc.IsReceive()) {
      if (wc.status == WcStatus::success) OnReceived(wc, host);
    } else {
      OnSent(wc);
    }
  }
  cq.RequestNotify();
}

void QueuePairService::OnSent(const Wc& wc) {
  const auto number = static_cast<uint32_t>(wc.wr_id);
  Joined& j = joined_[number];
  if (open_[number].Empty()) return;  // the transfer has already failed, together with others
  if (wc.status != WcStatus::success) Fail(j);
  const uint32_t operation = open_[number].Front();
  open_[number].PopFront();
  --j.open;
  Transfer& t = transfers_[operation];
  t.completed = EventQueue::Get().now();
  t.message = wc.message;
  t.worked += p_.costs.completion;
  const Connection& c = transfers_.connections()[t.connection];
  CoreOf(c.client, c.thread).Do(p_.costs.completion, [this, operation] {
    const Transfer& done = transfers_[operation];
    const bool right =
        done.kind == OperationKind::send || transfers_.connections()[done.connection].failed ||
        transfers_.HasMark(done, done.kind == OperationKind::read ? Side::client : Side::server);
    const uint32_t next = transfers_.End(operation, right);
    if (next != Transfers::kNone) Ask(next);
  });
  if (j.full.Empty()) return;
  const uint32_t waits = j.full.Front();
  j.full.PopFront();
  Ask(waits);
}

void QueuePairService::Fail(Joined& joined) {
  Connection& first = transfers_.connections()[joined.connections.front()];
  transfers_.record.lost += !first.failed;
  for (const uint32_t c : joined.connections) transfers_.connections()[c].failed = true;
}

void QueuePairService::Repost(Joined& joined, uint32_t joint, uint32_t buffer) {
  ground_.hosts[joined.server].verbs->PostRecv(
      joined.there, {uint64_t{joint} << 32 | buffer,
                     joined.receives.Local(buffer, static_cast<uint32_t>(p_.receive_buffer.v))});
}

void QueuePairService::OnReceived(const Wc& wc, NodeId host) {
  const auto joint = static_cast<uint32_t>(wc.wr_id >> 32), buffer = static_cast<uint32_t>(wc.wr_id);
  const uint32_t connection = wc.imm_data;
  CoreOf(host, transfers_.connections()[connection].thread)
      .Do(p_.costs.completion + p_.costs.post, [this, joint, buffer, connection] {
        Joined& j = joined_[joint];
        transfers_.TakeDelivered(connection, PayloadMark::At(j.receives.Mark(buffer)));
        Repost(j, joint, buffer);
      });
}

void QueuePairService::Stop() {
  if (noted_) return;
  noted_ = true;
  ConnectionRecord& r = transfers_.record;
  for (const auto& of_host : cores_) {
    for (const Core& core : of_host) {
      r.application_cores += core.used();  // it polls all the time
      const CoreUse use = core.use();
      r.application_busy += use.Share();
      r.lock_wait += CoreUse{{core.spun()}, use.span}.Share();
    }
  }
}

std::shared_ptr<const ServiceRecord> QueuePairService::Record() {
  Stop();
  auto record = std::make_shared<ConnectionRecord>(transfers_.record);
  ConnectionRecord& r = *record;
  using M = ConnectionMemory;
  r.queue_pairs = 2 * joined_.size();
  r.queue_bytes =
      static_cast<int64_t>(r.queue_pairs) * (M::kContext + (M::kSendWork + M::kCompletion) * p_.depth +
                                             (M::kReceiveWork + M::kCompletion) * p_.receives);
  r.receive_bytes = static_cast<int64_t>(joined_.size()) * p_.receives * p_.receive_buffer.v;
  r.payload_bytes = static_cast<int64_t>(r.connections) * ground_.load.open * ground_.load.largest.v;
  r.registrations = r.connections;
  return record;
}

void QueuePairService::ForEachQueuePair(const UseQueuePair& use) const {
  for (const Joined& j : joined_) {
    use(j.client, Verbs::NumberOf(j.qp));
    use(j.server, Verbs::NumberOf(j.there));
  }
}

static const ServiceType kQueuePairs{"queue_pairs", &MakeAs<QueuePairService, ConnectionParameters>};
static const ServiceType kLocked{"locked", &MakeAs<QueuePairService, ConnectionParameters>};

}  // namespace headroom
