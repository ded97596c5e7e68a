#include "protocol/smc/smc_link.h"

#include <algorithm>
#include <utility>

namespace headroom {

SmcLink::SmcLink(Process& kernel, const SmcParameters& parameters, uint32_t first_psn)
    : kernel_(kernel), parameters_(parameters), base_(kernel.Add(*this)), first_psn_(first_psn) {
  const auto slots = static_cast<uint32_t>(parameters.slots), receives = 3 * slots;
  Verbs& verbs = kernel.verbs();
  QpInitAttr attr;
  attr.send_cq = attr.recv_cq = kernel.cq();
  attr.cap.max_send_wr = attr.cap.max_recv_wr = receives;  // each slot: two WRITEs and a SEND
  attr.priority = parameters.priority;
  attr.tag = parameters.tag;
  qp_ = verbs.CreateQp(attr);
  QpAttr init;
  init.state = QpState::init;
  verbs.ModifyQp(qp_, init);
  outgoing_.resize(slots * smc::kMessageBytes);
  incoming_.resize(receives * smc::kMessageBytes);
  outgoing_region_ = verbs.RegMr(0, outgoing_.size(), kLocalWrite, outgoing_);
  incoming_region_ = verbs.RegMr(0, incoming_.size(), kLocalWrite, incoming_);
  for (uint32_t i = 0; i < receives; ++i) PostReceive(i);
}

void SmcLink::ReadyToReceive(NodeId peer, uint32_t qp, uint32_t psn) {
  QpAttr attr;
  attr.state = QpState::rtr;
  attr.address.host = peer;
  attr.dest_qp_num = qp;
  attr.rq_psn = psn;
  attr.min_rnr_timer = smc::kRnrTimer;
  kernel_.verbs().ModifyQp(qp_, attr);
}

void SmcLink::ReadyToSend() {
  QpAttr attr;
  attr.state = QpState::rts;
  attr.sq_psn = first_psn_;
  attr.timeout = smc::kTimeout;
  attr.retry_cnt = smc::kRetry;
  attr.rnr_retry = smc::kRnrRetry;
  kernel_.verbs().ModifyQp(qp_, attr);
}

void SmcLink::PostReceive(uint32_t number) {
  constexpr auto kSize = static_cast<uint32_t>(smc::kMessageBytes);
  kernel_.verbs().PostRecv(
      qp_, {base_ | (kReceives + number), {uint64_t{number} * kSize, kSize, incoming_region_->lkey}});
}

uint32_t SmcLink::Join(SmcConnection& connection) {
  connections_[next_token_] = &connection;
  return next_token_++;
}

void SmcLink::Ask(const smc::Llc& request, std::function<void()> answered) {
  requests_.push_back({request, std::move(answered)});
  AskNext();
}

void SmcLink::AskNext() {
  if (asked_ || requests_.empty() || lost_) return;
  if (!HasSlot()) {
    ++counters_.waits_for_slots;
    return;  // OnSent will follow
  }
  asked_ = true;
  Post(requests_.front().message.Bytes(), nullptr, kernel_.step());
}

void SmcLink::Answer(const smc::Llc& request) {
  smc::Llc response = request;
  response.response = true;
  if (HasSlot() && responses_.empty()) return Post(response.Bytes(), nullptr, kernel_.step());
  ++counters_.waits_for_slots;
  responses_.push_back({response, nullptr});
}

bool SmcLink::HasSlotFor(SmcConnection& connection) {
  if (HasSlot() && responses_.empty() && (waiting_.empty() || served_ == &connection)) return true;
  if (std::ranges::find(waiting_, &connection) != waiting_.end()) return false;
  ++counters_.waits_for_slots;
  waiting_.push_back(&connection);
  return false;
}

void SmcLink::PostWrite(const Write& write, uint64_t cause) {
  SendWr wr;
  wr.wr_id = base_;
  wr.opcode = WrOpcode::rdma_write;
  wr.sge = write.from;
  wr.remote_addr = write.to;
  wr.rkey = write.rkey;
  wr.cause = cause;
  ++counters_.writes;
  counters_.written += write.from.length;
  if (kernel_.verbs().PostSend(qp_, wr) != 0) Lose();
}

void SmcLink::PostCdc(SmcConnection& connection, const smc::MessageBytes& bytes, uint64_t cause) {
  ++counters_.cdcs;
  Post(bytes, &connection, cause);
}

void SmcLink::Post(const smc::MessageBytes& bytes, SmcConnection* of, uint64_t cause) {
  counters_.llcs += of == nullptr;
  const uint32_t slot =
      std::exchange(next_slot_, (next_slot_ + 1) % static_cast<uint32_t>(parameters_.slots));
  const size_t at = slot * smc::kMessageBytes;
  std::ranges::copy(bytes, outgoing_.begin() + static_cast<ptrdiff_t>(at));
  SendWr wr;
  wr.wr_id = base_;
  wr.opcode = WrOpcode::send;
  wr.signaled = wr.solicited = true;
  wr.sge = {at, static_cast<uint32_t>(bytes.size()), outgoing_region_->lkey};
  wr.cause = cause;
  sent_.push_back(of);
  if (kernel_.verbs().PostSend(qp_, wr) != 0) Lose();
}

void SmcLink::OnCompletion(const Wc& wc) {
  if (lost_) return;
  if (wc.status != WcStatus::success) return Lose();
  if (!wc.IsReceive()) return OnSent();
  const uint32_t number = Process::NumberIn(wc.wr_id) - kReceives;
  smc::MessageBytes bytes;
  std::copy_n(incoming_.begin() + static_cast<ptrdiff_t>(number * smc::kMessageBytes), bytes.size(),
              bytes.begin());
  PostReceive(number);
  OnMessage(bytes);
}

/// The oldest message is complete; its slot is free. Free slots go first to responses, then to the connection
/// that has waited longest.
void SmcLink::OnSent() {
  SmcConnection* const of = sent_.front();
  sent_.pop_front();
  if (!responses_.empty()) {
    Post(responses_.front().message.Bytes(), nullptr, kernel_.step());
    responses_.pop_front();
  }
  AskNext();
  if (of != nullptr) of->OnCdcSent();
  while (!waiting_.empty() && HasSlot()) {
    served_ = waiting_.front();
    waiting_.pop_front();
    served_->OnSlot();
  }
  served_ = nullptr;
}

void SmcLink::OnMessage(const smc::MessageBytes& bytes) {
  if (bytes[0] == smc::Cdc::kType) {
    const auto at = connections_.find(smc::Cdc::From(bytes, 1, 0, 0).token);
    if (at != connections_.end()) at->second->OnCdc(bytes);
    return;
  }
  const smc::Llc message = smc::Llc::From(bytes);
  if (!message.response) {
    if (heard_) heard_(message);
    return Answer(message);
  }
  asked_ = false;
  const std::function<void()> answered = std::move(requests_.front().answered);
  requests_.pop_front();
  answered();
  AskNext();
}

void SmcLink::Lose() {
  if (std::exchange(lost_, true)) return;
  requests_.clear();
  waiting_.clear();
  for (const auto& [token, connection] : std::exchange(connections_, {})) connection->OnLinkLost();
}

}  // namespace headroom
