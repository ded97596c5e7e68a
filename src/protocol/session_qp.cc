#include "protocol/session_qp.h"

namespace headroom {

void SessionQp::Fail() {
  if (qp_ == nullptr) return;
  QpAttr attr;
  attr.state = QpState::err;
  process_.verbs().ModifyQp(qp_, attr);
}

CmOffer SessionQp::Renew() {
  QpInitAttr attr;
  attr.send_cq = attr.recv_cq = process_.cq();
  attr.priority = priority_;
  attr.tag = tag_;
  attr.cap = cap_;
  qp_ = process_.verbs().CreateQp(attr);
  numbers_.push_back(Verbs::NumberOf(qp_));
  first_psn_ = static_cast<uint32_t>(random_.Below(1u << 24));
  CmOffer offer;
  offer.qp = Verbs::NumberOf(qp_);
  offer.psn = first_psn_;
  return offer;
}

void SessionQp::Join(NodeId peer, const CmOffer& offer) {
  QpAttr attr;
  attr.address.host = peer;
  attr.dest_qp_num = offer.qp;
  attr.rq_psn = offer.psn;
  attr.sq_psn = first_psn_;
  for (const QpState state : {QpState::init, QpState::rtr, QpState::rts}) {
    attr.state = state;
    process_.verbs().ModifyQp(qp_, attr);
  }
}

}  // namespace headroom
