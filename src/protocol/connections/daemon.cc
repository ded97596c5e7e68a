#include "protocol/connections/daemon.h"

#include <algorithm>
#include <cerrno>

#include "protocol/connections/connection_ports.h"

namespace headroom {

Daemon::Daemon(NodeId host, const ConnectionParameters& parameters, const ServiceGround& ground,
               Transfers& transfers, DaemonUser& user)
    : host_(host),
      tag_(ground.tag),
      p_(parameters),
      verbs_(*ground.hosts[host].verbs),
      transfers_(transfers),
      user_(user),
      cq_(verbs_.CreateCq(1u << 20)),
      srq_(verbs_.CreateSrq(2 * static_cast<uint32_t>(p_.shared_receives))),
      work_(static_cast<size_t>(p_.workers)),
      poller_(ground.hosts[host].context, ground.warmup),
      virtuals_(1) {
  for (int i = 0; i < p_.workers; ++i) workers_.emplace_back(ground.hosts[host].context, ground.warmup);
  cq_->SetHandler([this] { Poll(); });
  cq_->RequestNotify();
  control_.Make(verbs_, 1, PayloadMark::kBytes);
  const auto receives = static_cast<uint32_t>(p_.shared_receives);
  receives_.Make(verbs_, receives, static_cast<uint32_t>(p_.receive_buffer.v));
  for (uint32_t buffer = 0; buffer < receives; ++buffer) Release(buffer);
}

void Daemon::Join(Daemon& a, Daemon& b) {
  const auto make = [](Daemon& at, Daemon& with) {
    QpInitAttr attr;
    attr.send_cq = attr.recv_cq = at.cq_;
    attr.srq = at.srq_;
    attr.priority = at.p_.priority;
    attr.tag = at.tag_;
    attr.cap.max_send_wr = static_cast<uint32_t>(at.p_.depth);
    Peer peer;
    peer.daemon = &with;
    peer.qp = at.verbs_.CreateQp(attr);
    const auto place = static_cast<uint32_t>(at.peers_.size());
    at.place_of_[with.host_] = place;
    at.peer_of_qp_[Verbs::NumberOf(peer.qp)] = place;
    at.peers_.push_back(peer);
    return peer.qp;
  };
  QueuePair *const at_a = make(a, b), *const at_b = make(b, a);
  ConnectQps(a.verbs_, at_a, b.verbs_, at_b, PortOfDaemons(a.p_, a.host_, b.host_));
}

void Daemon::Release(uint32_t buffer) {
  verbs_.PostSrqRecv(srq_, {buffer, receives_.Local(buffer, static_cast<uint32_t>(p_.receive_buffer.v))});
}

uint32_t Daemon::NewVirtual(uint32_t connection, uint32_t peer) {
  Virtual& v = virtuals_.emplace_back();
  v.connection = connection;
  v.peer = peer;
  return static_cast<uint32_t>(virtuals_.size() - 1);
}

int Daemon::Connect(uint32_t connection, NodeId peer, uint16_t port, unsigned flags) {
  if ((flags & kRaasUc) != 0) return EPROTONOSUPPORT;
  const auto place = place_of_.find(peer);
  if (place == place_of_.end()) return EHOSTUNREACH;
  Request r;
  r.peer = place->second;
  r.mark.kind = PayloadMark::Kind::connect;
  r.mark.connection = connection;
  r.mark.vqpn = NewVirtual(connection, r.peer);
  r.mark.bytes = port;
  Ask(r);
  return 0;
}

int Daemon::Send(uint32_t vqpn, uint32_t operation, unsigned flags) {
  const unsigned verbs = flags & (kRaasSend | kRaasWrite | kRaasRead);
  if (vqpn == 0 || vqpn >= virtuals_.size() || (verbs & (verbs - 1)) != 0 || (flags & kRaasUc) != 0)
    return EINVAL;
  if ((verbs & kRaasSend) != 0 && transfers_[operation].bytes > static_cast<uint32_t>(p_.receive_buffer.v))
    return EINVAL;
  Request r;
  r.what = What::payload;
  r.vqpn = vqpn;
  r.peer = virtuals_[vqpn].peer;
  r.operation = operation;
  r.flags = flags;
  Ask(r);
  return 0;
}

void Daemon::Ask(const Request& request) {
  const uint32_t worker = WorkerOf(request.peer);
  work_[worker].requests.PushBack(request);
  Work(worker);
}

/// Takes the next request whose queue pair has room for it, and reserves the room.
bool Daemon::Take(Worker& worker, Request& request) {
  if (!worker.ready.Empty()) {
    request = worker.ready.Front();
    worker.ready.PopFront();
    return true;
  }
  while (!worker.requests.Empty()) {
    request = worker.requests.Front();
    worker.requests.PopFront();
    Peer& peer = peers_[request.peer];
    if (peer.full.Empty() && peer.open < p_.depth) {
      ++peer.open;
      return true;
    }
    peer.full.PushBack(request);
  }
  return false;
}

void Daemon::Work(uint32_t number) {
  Worker& w = work_[number];
  if (w.works) return;
  w.batch.clear();
  Time cost;
  std::vector<uint32_t> peers;
  for (Request r; static_cast<int>(w.batch.size()) < p_.batch && Take(w, r);) {
    cost += p_.costs.request + Prepare(w, r);
    const bool first = std::ranges::find(peers, r.peer) == peers.end();
    if (first) peers.push_back(r.peer);
    cost += first ? p_.costs.post : p_.costs.chained;
    w.batch.push_back(r);
  }
  if (w.batch.empty()) return;
  w.works = true;
  workers_[number].Do(cost, [this, number] {
    Worker& done = work_[number];
    transfers_.record.batches += 1;
    for (const Request& r : done.batch) Post(r);
    done.works = false;
    Work(number);
  });
}

/// Decides the verb of the payload, and returns the time to prepare it.
Time Daemon::Prepare(Worker& worker, Request& r) {
  if (r.what != What::payload) return Time(0);
  Transfer& t = transfers_[r.operation];
  if ((r.flags & kRaasRead) != 0) {
    t.kind = OperationKind::read;
  } else if ((r.flags & kRaasSend) != 0) {
    t.kind = OperationKind::send;
  } else if ((r.flags & kRaasWrite) != 0) {
    t.kind = OperationKind::write;
  } else {
    const bool small = t.bytes <= p_.small.v;
    t.kind = small ? OperationKind::send : OperationKind::write;
    if (!small && Busy(worker, workers_[WorkerOf(r.peer)])) r.what = What::fetch;
  }
  Time cost;
  if (t.bytes > p_.copied.v) {
    ++transfers_.record.registrations;
    cost = p_.costs.registration;
  } else if (t.kind != OperationKind::read) {
    ++transfers_.record.copies;
    cost = SerializationTime(Bytes(t.bytes), p_.costs.copy);
  }
  t.worked += cost + p_.costs.request;
  return cost;
}

/// Whether the worker was busy in the last complete window.
bool Daemon::Busy(Worker& w, const Core& core) {
  const Time now = EventQueue::Get().now();
  if (now - w.looked >= p_.load_window) {
    w.load = static_cast<double>((core.worked() - w.worked_then).v) / static_cast<double>((now - w.looked).v);
    w.looked = now;
    w.worked_then = core.worked();
  }
  return w.load > p_.busy;
}

void Daemon::Post(const Request& r) {
  Peer& peer = peers_[r.peer];
  SendWr wr;
  wr.wr_id = r.vqpn;
  wr.signaled = true;
  Posted posted;
  posted.what = r.what;
  posted.operation = r.operation;
  posted.mark = r.mark;
  if (r.what == What::payload) {
    PostPayload(r, wr, posted);
  } else if (r.what == What::read_for_peer) {
    const Connection& c = transfers_.connections()[r.mark.connection];
    wr.opcode = WrOpcode::rdma_read;
    wr.sge = transfers_.MemoryOf(c, Side::server).Local(c.places[1] + r.mark.number, r.mark.bytes);
    wr.remote_addr = transfers_.MemoryOf(c, Side::client).Address(c.places[0] + r.mark.number);
    wr.rkey = transfers_.MemoryOf(c, Side::client).key();
    ++transfers_.record.reads;
    ++transfers_.record.fetched;
  } else {
    PayloadMark mark = r.mark;
    wr.imm_data = r.imm;
    if (r.what == What::fetch) {
      Transfer& t = transfers_[r.operation];
      transfers_.Stamp(t, Side::client);
      transfers_.Register(t.bytes);
      transfers_.Post(t);
      mark.kind = PayloadMark::Kind::fetch;
      mark.connection = t.connection;
      mark.number = t.slot;
      mark.bytes = t.bytes;
      wr.imm_data = virtuals_[r.vqpn].there;
      virtuals_[r.vqpn].fetched.PushBack(r.operation);
    }
    mark.Put(control_.Mark(0));
    wr.opcode = WrOpcode::send_with_imm;
    wr.inline_data = true;
    wr.sge = control_.Local(0, PayloadMark::kBytes);
  }
  virtuals_[r.vqpn].posted.PushBack(posted);
  verbs_.PostSend(peer.qp, wr);
}

void Daemon::PostPayload(const Request& r, SendWr& wr, Posted& posted) {
  Transfer& t = transfers_[r.operation];
  transfers_.Stamp(t, t.kind == OperationKind::read ? Side::server : Side::client);
  posted.registered = t.bytes;
  wr.cause = transfers_.Post(t);
  transfers_.Register(t.bytes);
  wr.sge = transfers_.Local(t, Side::client);
  if (t.kind == OperationKind::send) {
    wr.opcode = WrOpcode::send_with_imm;
    wr.imm_data = virtuals_[r.vqpn].there;
    ++transfers_.record.sends;
    return;
  }
  const bool reads = t.kind == OperationKind::read;
  wr.opcode = reads ? WrOpcode::rdma_read : WrOpcode::rdma_write;
  transfers_.Aim(t, Side::server, wr);
  ++(reads ? transfers_.record.reads : transfers_.record.writes);
}

Time Daemon::CostOf(const Wc& wc) {
  Time cost = p_.costs.completion;
  if (wc.opcode == WcOpcode::rdma_read && wc.byte_len <= p_.copied.v) {
    ++transfers_.record.copies;
    cost += SerializationTime(Bytes(wc.byte_len), p_.costs.copy);
  }
  return cost;
}

/// Takes all ready completions, and sends an event to each thread that waits for some.
void Daemon::Poll() {
  if (polling_) return;
  polled_.clear();
  Time cost;
  std::vector<uint32_t> told;
  for (Wc wc; static_cast<int>(polled_.size()) < p_.batch && cq_->Poll(wc);) {
    cost += CostOf(wc);
    polled_.push_back(wc);
    const auto vqpn = wc.IsReceive() ? wc.imm_data : static_cast<uint32_t>(wc.wr_id);
    if (vqpn == 0 || vqpn >= virtuals_.size()) continue;
    const uint32_t thread = user_.ThreadOf(virtuals_[vqpn].connection);
    if (std::ranges::find(told, thread) == told.end()) told.push_back(thread);
  }
  if (polled_.empty()) return cq_->RequestNotify();
  polling_ = true;
  cost += p_.costs.notify * static_cast<int64_t>(told.size());
  poller_.Do(cost, [this] {
    const std::vector<Wc> taken = std::move(polled_);
    for (const Wc& wc : taken) Take(wc);
    polling_ = false;
    Poll();
  });
}

void Daemon::Take(const Wc& wc) {
  if (!wc.IsReceive()) return TakeSent(wc);
  if (wc.status == WcStatus::success) TakeMessage(wc);
}

void Daemon::TakeSent(const Wc& wc) {
  const auto vqpn = static_cast<uint32_t>(wc.wr_id);
  const uint32_t place = peer_of_qp_.at(wc.qp_num);
  Peer& peer = peers_[place];
  if (wc.status != WcStatus::success) Fail(place);
  --peer.open;
  if (!peer.full.Empty()) {
    ++peer.open;
    work_[WorkerOf(place)].ready.PushBack(peer.full.Front());
    peer.full.PopFront();
    Work(WorkerOf(place));
  }
  Virtual& v = virtuals_[vqpn];
  const Posted posted = v.posted.Front();
  v.posted.PopFront();
  if (posted.what == What::payload) {
    transfers_.Register(-posted.registered);
    transfers_[posted.operation].completed = wc.times.completed;
    transfers_[posted.operation].message = wc.message;
    user_.OnResult(posted.operation);
  } else if (posted.what == What::read_for_peer && wc.status == WcStatus::success) {
    Request r;
    r.vqpn = vqpn;
    r.peer = v.peer;
    r.imm = v.there;
    r.mark.kind = PayloadMark::Kind::fetched;
    r.mark.connection = v.connection;
    Ask(r);
  }
}

void Daemon::TakeMessage(const Wc& wc) {
  const auto buffer = static_cast<uint32_t>(wc.wr_id);
  const PayloadMark mark = PayloadMark::At(receives_.Mark(buffer));
  if (mark.kind == PayloadMark::Kind::payload)
    return user_.OnMessage(host_, virtuals_[wc.imm_data].connection, mark, wc.byte_len, buffer);
  Release(buffer);
  OnControl(mark, wc.imm_data, peer_of_qp_.at(wc.qp_num));
}

void Daemon::OnControl(const PayloadMark& mark, uint32_t vqpn, uint32_t peer) {
  using Kind = PayloadMark::Kind;
  Request r;
  r.peer = peer;
  if (mark.kind == Kind::connect) {
    r.imm = mark.vqpn;
    r.mark.kind = Kind::accept;
    r.mark.connection = mark.connection;
    if (ports_.contains(static_cast<uint16_t>(mark.bytes))) {
      r.vqpn = r.mark.vqpn = NewVirtual(mark.connection, peer);
      virtuals_[r.vqpn].there = mark.vqpn;
    }
    return Ask(r);
  }
  Virtual& v = virtuals_[vqpn];
  if (mark.kind == Kind::accept) {
    v.there = mark.vqpn;
    return user_.OnConnected(v.connection, mark.vqpn == 0 ? 0 : vqpn);
  }
  if (mark.kind == Kind::fetch) {
    r.what = What::read_for_peer;
    r.vqpn = vqpn;
    r.mark = mark;
    return Ask(r);
  }
  const uint32_t operation = v.fetched.Front();
  v.fetched.PopFront();
  transfers_.Register(-static_cast<int64_t>(transfers_[operation].bytes));
  transfers_[operation].completed = EventQueue::Get().now();
  user_.OnResult(operation);
}

/// Its connections end: later requests on them fail, and so do payloads that the peer was to fetch.
void Daemon::Fail(uint32_t place) {
  Peer& peer = peers_[place];
  if (peer.failed) return;
  peer.failed = true;
  ++transfers_.record.lost;
  for (Virtual& v : virtuals_) {
    if (v.peer != place || v.connection >= transfers_.connections().size() || &v == &virtuals_.front())
      continue;
    transfers_.connections()[v.connection].failed = true;
    for (; !v.fetched.Empty(); v.fetched.PopFront()) {
      const uint32_t operation = v.fetched.Front();
      transfers_[operation].completed = EventQueue::Get().now();
      user_.OnResult(operation);
    }
  }
}

void Daemon::ForEachQueuePair(const std::function<void(NodeId, uint32_t)>& use) const {
  for (const Peer& peer : peers_) use(host_, Verbs::NumberOf(peer.qp));
}

}  // namespace headroom
