#include "nic/verbs/verbs.h"

#include <utility>

#include "net/topology/routing.h"
#include "nic/verbs/queue_pair.h"

namespace headroom {

Verbs::Verbs(VerbsNic& nic) : nic_(nic) {}
Verbs::~Verbs() = default;

CompletionQueue* Verbs::CreateCq(uint32_t cqe) {
  return cqe == 0 ? nullptr : &cqs_.emplace_back(nic_, static_cast<uint32_t>(cqs_.size()), cqe);
}

void Verbs::WatchMr(MemoryRegion* region, MemoryWatch::Handler handler) {
  if (region->watch == nullptr) {
    region->watch = &watches_.emplace_back();
    region->watch->number = static_cast<uint32_t>(watches_.size() - 1);
  }
  region->watch->handler = std::move(handler);
}

void Verbs::RunWatch(uint32_t number) {
  MemoryWatch& watch = watches_[number];
  const MemoryWatch::Written written = watch.written.Front();
  watch.written.PopFront();
  watch.handler(written);
}

void Verbs::AddWritten() {
  Written& written = written_.Front();  // no completion is written before the completion queue has taken the
                                        // previous one
  written_.PopFront();
  if (written.cq == nullptr) return;
  written.entry.wc.times.completed = nic_.now();
  written.pair->AddCompletion(*written.cq, written.entry, written.solicited);
}

void Verbs::Fail(const std::string& why) {
  for (const auto& qp : pairs_) {
    if (qp->state == QpState::reset || qp->state == QpState::err) continue;
    qp->responder.answers.Clear();
    qp->Failed(qp->requester, WcStatus::wr_flush_err, why);
  }
}

SharedReceiveQueue* Verbs::CreateSrq(uint32_t max_wr) {
  return max_wr == 0 ? nullptr : &srqs_.emplace_back(max_wr);
}

QueuePair* Verbs::CreateQp(const QpInitAttr& attr) {
  constexpr uint32_t kMostInline = 256;
  const bool queues = attr.send_cq != nullptr && attr.recv_cq != nullptr;
  const bool receives = attr.srq != nullptr || attr.cap.max_recv_wr > 0;
  if (!queues || !receives || attr.cap.max_send_wr == 0 || attr.cap.max_inline_data > kMostInline)
    return nullptr;
  if (attr.type == QpType::uc && attr.srq != nullptr) return nullptr;
  if (attr.priority >= kPriorities) return nullptr;
  return pairs_.emplace_back(std::make_unique<QueuePair>(*this, nic_, attr)).get();
}

int Verbs::ModifyQp(QueuePair* qp, const QpAttr& attr) {
  switch (attr.state) {
    case QpState::reset:
      qp->Reset();
      return 0;
    case QpState::err:
      qp->responder.answers.Clear();
      qp->EnterError();
      return 0;
    case QpState::init:
      if (qp->state != QpState::reset) return EINVAL;
      qp->qkey = attr.qkey;
      qp->SetState(QpState::init);
      return 0;
    case QpState::rtr:
      return qp->state == QpState::init ? ReadyToReceive(*qp, attr) : EINVAL;
    case QpState::rts:
      if (qp->state == QpState::rtr) return ReadyToSend(*qp, attr);
      if (qp->state != QpState::sqd && qp->state != QpState::sqe) return EINVAL;
      qp->SetState(QpState::rts);
      qp->requester.Resume();
      return 0;
    case QpState::sqd:
      if (qp->state != QpState::rts) return EINVAL;
      qp->SetState(QpState::sqd);
      return 0;
    case QpState::sqe:
      return EINVAL;  // only the provider enters this state
  }
  return EINVAL;
}

int Verbs::ReadyToReceive(QueuePair& qp, const QpAttr& attr) {
  constexpr uint8_t kRnrCodes = 32;
  if (attr.min_rnr_timer >= kRnrCodes || attr.max_dest_rd_atomic > kMaxReads) return EINVAL;
  if (qp.type != QpType::ud && !IsHost(attr.address)) return EINVAL;
  if (qp.type != QpType::ud) {
    Responder& s = qp.responder;
    s.peer = attr.address.host;
    s.source_port = attr.address.source_port;
    s.flow_hash = FlowHash(host(), s.peer, s.source_port);
    s.expected_psn = attr.rq_psn;
    nic_.Direct(qp.requester, s.peer, s.source_port);
    qp.requester.peer_qp = s.peer_qp = attr.dest_qp_num;
  }
  qp.rnr_timer = attr.min_rnr_timer;
  qp.max_dest_reads = attr.max_dest_rd_atomic;
  qp.SetState(QpState::rtr);
  return 0;
}

int Verbs::ReadyToSend(QueuePair& qp, const QpAttr& attr) {
  constexpr uint8_t kMostRetries = 7, kTimeouts = 32;
  if (attr.max_rd_atomic > kMaxReads || attr.rnr_retry > kMostRetries || attr.retry_cnt > kMostRetries ||
      attr.timeout >= kTimeouts) {
    return EINVAL;
  }
  Requester& r = qp.requester;
  r.Forget(attr.sq_psn);
  nic_.BeginAnew(r);
  const TransportParameters& transport = nic_.constants().transport;
  constexpr Time kNoTimeout = Seconds(1'000'000);
  r.rto = r.transport == Transport::rc ? transport.recovery.Timeout(transport.rto) : transport.rto;
  if (attr.timeout)
    r.rto = *attr.timeout == 0 ? kNoTimeout : Nanoseconds(4'096) * (int64_t{1} << *attr.timeout);
  r.retry_limit = attr.retry_cnt ? *attr.retry_cnt : transport.retry;
  r.rnr_limit = attr.rnr_retry;
  r.max_reads = attr.max_rd_atomic;
  qp.SetState(QpState::rts);
  return 0;
}

QpState Verbs::StateOf(const QueuePair* qp) { return qp->state; }
uint32_t Verbs::NumberOf(const QueuePair* qp) { return qp->number(); }
NodeId Verbs::host() const { return nic_.host(); }

bool ConnectQps(Verbs& a, QueuePair* at_a, Verbs& b, QueuePair* at_b, uint16_t source_port,
                const QpAttr& both) {
  const auto bring_up = [&](Verbs& verbs, QueuePair* qp, const Verbs& peer, const QueuePair* at_peer) {
    QpAttr attr = both;
    attr.address = {peer.host(), source_port};
    attr.dest_qp_num = Verbs::NumberOf(at_peer);
    for (const QpState state : {QpState::init, QpState::rtr, QpState::rts}) {
      attr.state = state;
      if (verbs.ModifyQp(qp, attr) != 0) return false;
    }
    return true;
  };
  return bring_up(a, at_a, b, at_b) && bring_up(b, at_b, a, at_a);
}

}  // namespace headroom
