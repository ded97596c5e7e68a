#include "nic/verbs.h"

#include <utility>

#include "net/topology/routing.h"
#include "nic/nic.h"

namespace headroom {

Time RnrTimer(uint8_t code) {
  constexpr int64_t kHundredthsOfMs[32] = {
      65536, 1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,    64,    96,    128,   192,
      256,   384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
  return Microseconds(10) * kHundredthsOfMs[code];
}

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
  return &nic_.AddVerbsPair(attr);
}

int Verbs::ModifyQp(QueuePair* qp, const QpAttr& attr) {
  switch (attr.state) {
    case QpState::reset:
      nic_.ResetPair(*qp);
      return 0;
    case QpState::err:
      qp->answers.Clear();
      nic_.EnterError(*qp);
      return 0;
    case QpState::init:
      if (qp->state != QpState::reset) return EINVAL;
      qp->qkey = attr.qkey;
      qp->state = QpState::init;
      return 0;
    case QpState::rtr:
      return qp->state == QpState::init ? ReadyToReceive(*qp, attr) : EINVAL;
    case QpState::rts:
      if (qp->state == QpState::rtr) return ReadyToSend(*qp, attr);
      if (qp->state != QpState::sqd && qp->state != QpState::sqe) return EINVAL;
      qp->state = QpState::rts;
      nic_.Resume(qp->requester);
      return 0;
    case QpState::sqd:
      if (qp->state != QpState::rts) return EINVAL;
      qp->state = QpState::sqd;
      return 0;
    case QpState::sqe:
      return EINVAL;  // only the provider goes there
  }
  return EINVAL;
}

int Verbs::ReadyToReceive(QueuePair& qp, const QpAttr& attr) {
  constexpr uint8_t kRnrCodes = 32;
  if (attr.min_rnr_timer >= kRnrCodes || attr.max_dest_rd_atomic > kMaxReads) return EINVAL;
  if (qp.type != QpType::ud && !IsHost(attr.address)) return EINVAL;
  Requester& r = nic_.requesters_[qp.requester];
  Responder& s = nic_.responders_[qp.responder];
  if (qp.type != QpType::ud) {
    r.peer = s.peer = attr.address.host;
    r.peer_qp = s.peer_qp = attr.dest_qp_num;
    r.round = nic_.RoundOf(r.peer, r.priority);
    r.flow_hash = s.flow_hash = FlowHash(host(), attr.address.host, attr.address.source_port);
    s.expected_psn = attr.rq_psn;
  }
  qp.rnr_timer = attr.min_rnr_timer;
  qp.max_dest_reads = attr.max_dest_rd_atomic;
  qp.state = QpState::rtr;
  return 0;
}

int Verbs::ReadyToSend(QueuePair& qp, const QpAttr& attr) {
  constexpr uint8_t kMostRetries = 7, kTimeouts = 32;
  if (attr.max_rd_atomic > kMaxReads || attr.rnr_retry > kMostRetries || attr.retry_cnt > kMostRetries ||
      attr.timeout >= kTimeouts) {
    return EINVAL;
  }
  Requester& r = nic_.requesters_[qp.requester];
  r.next_psn = r.una_psn = r.high_psn = r.limit_psn = r.end_psn = attr.sq_psn;
  r.rate = nic_.reaction_point_->Fresh(nic_.port_->rate());
  r.limiter = {};
  ++r.generation;
  const TransportParameters& transport = nic_.config_.parameters.transport;
  constexpr Time kNoTimeout = Seconds(1'000'000);
  r.rto = transport.rto;
  if (attr.timeout)
    r.rto = *attr.timeout == 0 ? kNoTimeout : Nanoseconds(4'096) * (int64_t{1} << *attr.timeout);
  r.retry_limit = attr.retry_cnt ? *attr.retry_cnt : transport.retry;
  qp.rnr_limit = attr.rnr_retry;
  qp.max_reads = attr.max_rd_atomic;
  qp.state = QpState::rts;
  return 0;
}

QpState Verbs::StateOf(const QueuePair* qp) { return qp->state; }
uint32_t Verbs::NumberOf(const QueuePair* qp) { return qp->requester; }
NodeId Verbs::host() const { return nic_.host(); }

bool ConnectQps(Verbs& a, QueuePair* at_a, Verbs& b, QueuePair* at_b, uint16_t source_port) {
  const auto bring_up = [source_port](Verbs& verbs, QueuePair* qp, const Verbs& peer,
                                      const QueuePair* at_peer) {
    QpAttr attr;
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
