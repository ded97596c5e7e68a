#include "protocol/redis/rdma_stream.h"

#include <algorithm>

namespace headroom {

namespace {

constexpr uint64_t kMemory = uint64_t{0xD} << 40;
constexpr uint32_t kReceiveAt = 0, kTransmitAt = 1u << 24, kCommandsAt = 2u << 24;
constexpr int kPlaceBits = 26;  ///< number of address bits for a stream's memory
/// Bytes of command buffers: first those for incoming commands, then those for outgoing ones.
constexpr uint32_t kCommandBytes = 2 * RdmaStream::kReceives * RdmaCommand::kBytes;
constexpr uint32_t kSends = 1024;

}  // namespace

RdmaStream::RdmaStream(const Parameters& parameters, const StreamSite& site, uint64_t place,
                       const std::string& name)
    : p_(parameters),
      site_(site),
      place_(place),
      base_(site.process->Add(*this)),
      entity_(EventQueue::Get().AddEntity(site.context)),
      random_(name + "/psn") {}

uint64_t RdmaStream::AddressOf(uint32_t what) const { return kMemory + (place_ << kPlaceBits) + what; }

/// Its memory is touched only where data arrive.
RdmaStream::Buffer RdmaStream::MakeBuffer(uint64_t at, uint32_t length, unsigned access) {
  Buffer buffer{std::make_unique_for_overwrite<uint8_t[]>(length), nullptr, length};
  buffer.region = site_.process->verbs().RegMr(at, length, access, {buffer.bytes.get(), length});
  return buffer;
}

uint64_t RdmaStream::Open(NodeId peer, uint16_t service) {
  state_ = State::connecting;
  peer_ = peer;
  session_ = site_.cm->Open(*this, peer, service);
  return session_;
}

void RdmaStream::Accept(uint64_t session, NodeId peer) {
  state_ = State::connecting;
  session_ = session;
  peer_ = peer;
}

Time RdmaStream::TakesToMake(const ApplicationCosts& costs) {
  return costs.queue_pair + costs.registration * 2 + costs.post * int64_t{kReceives};
}

Time RdmaStream::CostOfOffer() const { return TakesToMake(p_.costs); }

CmOffer RdmaStream::Offer() {
  Verbs& verbs = site_.process->verbs();
  receive_ = MakeBuffer(AddressOf(kReceiveAt), p_.buffer, kLocalWrite | kRemoteWrite);
  commands_ = MakeBuffer(AddressOf(kCommandsAt), kCommandBytes, kLocalWrite);
  QpInitAttr attr;
  attr.send_cq = attr.recv_cq = site_.process->cq();
  attr.priority = p_.priority;
  attr.tag = p_.tag;
  attr.cap = {kSends, kReceives, std::max<uint32_t>(p_.role.inlined, 1)};
  qp_ = verbs.CreateQp(attr);
  QpAttr init;
  init.state = QpState::init;
  verbs.ModifyQp(qp_, init);
  for (uint32_t slot = 0; slot < kReceives; ++slot) PostReceive(slot);
  first_psn_ = static_cast<uint32_t>(random_.Below(1u << 24));
  CmOffer offer;
  offer.qp = Verbs::NumberOf(qp_);
  offer.psn = first_psn_;
  return offer;
}

void RdmaStream::OnOffer(const CmOffer& offer) {
  QpAttr attr;
  attr.address.host = peer_;
  attr.dest_qp_num = offer.qp;
  attr.rq_psn = offer.psn;
  attr.sq_psn = first_psn_;
  attr.retry_cnt = p_.role.retry;
  attr.rnr_retry = p_.role.rnr_retry;
  for (const QpState state : {QpState::rtr, QpState::rts}) {
    attr.state = state;
    site_.process->verbs().ModifyQp(qp_, attr);
  }
}

void RdmaStream::OnJoined() {
  if (state_ == State::ended) return;
  Register();
  if (p_.role.keeps_alive) {
    EventQueue& events = EventQueue::Get();
    events.PushTarget(events.now() + kKeepalive, TimedEvent::Order(EventClass::workload, entity_, 0), this,
                      0);
  }
}

void RdmaStream::OnEnded(bool answered) {
  if (state_ != State::ended) End(!answered);
}

void RdmaStream::PostReceive(uint32_t slot) {
  const uint64_t at = AddressOf(kCommandsAt) + uint64_t{slot} * RdmaCommand::kBytes;
  site_.process->verbs().PostRecv(qp_, {base_ | slot, {at, RdmaCommand::kBytes, commands_.region->lkey}});
}

/// The bytes of data, if they are copied out; the RECV itself is empty.
int64_t RdmaStream::BytesOf(const Wc& wc) const {
  const bool data = wc.status == WcStatus::success && wc.opcode == WcOpcode::recv_rdma_with_imm;
  return data && p_.role.copies ? wc.imm_data : 0;
}

void RdmaStream::OnCompletion(const Wc& wc) {
  if (state_ == State::ended) return;
  if (wc.status != WcStatus::success) return Fail();
  if (!wc.IsReceive()) return;
  const uint32_t slot = Process::NumberIn(wc.wr_id);
  if (wc.opcode == WcOpcode::recv_rdma_with_imm) {
    PostReceive(slot);
    return OnData(wc.imm_data);
  }
  const uint32_t length = std::min(wc.byte_len, RdmaCommand::kBytes);
  const uint8_t* const at = commands_.bytes.get() + size_t{slot} * RdmaCommand::kBytes;
  const std::optional<RdmaCommand> command = RdmaCommand::Decode({at, length});
  PostReceive(slot);
  if (!command) return Fail();
  if (command->opcode == RdmaCommand::Opcode::register_memory) OnRegistered(command->buffer);
}

void RdmaStream::OnData(uint32_t length) {
  if (length > receive_.length - rx_.offset) return Fail();
  rx_.offset += length;
  user().OnReadable();
}

size_t RdmaStream::Read(std::span<uint8_t> bytes) {
  const size_t n = std::min<size_t>(bytes.size(), unread());
  std::copy_n(receive_.bytes.get() + rx_.pos, n, bytes.begin());
  rx_.pos += static_cast<uint32_t>(n);
  if (rx_.pos == receive_.length && state_ != State::ended) {
    rx_ = {};
    Register();
  }
  return n;
}

/// The TX copy is as long as the peer's buffer.
void RdmaStream::OnRegistered(const TransferMemory& buffer) {
  tx_.peer = buffer;
  tx_.offset = 0;
  if (transmit_.length == buffer.length) return BeginOpen();
  site_.process->GoOn(CoreWork::operation, p_.costs.registration, [this] {
    if (state_ == State::ended) return;
    if (transmit_.region != nullptr) site_.process->verbs().DeregMr(transmit_.region);
    transmit_ = MakeBuffer(AddressOf(kTransmitAt), tx_.peer.length, kLocalWrite);
    BeginOpen();
  });
}

/// The stream may write now: data that waited for the registration leave.
void RdmaStream::BeginOpen() {
  const bool first = state_ != State::open;
  state_ = State::open;
  if (first) user().OnOpen();
  const Trail::CurrentStep step(is_blocked_ ? site_.process->trail() : nullptr,
                                [&](Trail& trail) { return trail.Since(blocked_, OperationPart::buffer); });
  is_blocked_ = false;
  SendSome();
}

void RdmaStream::Write(std::span<const uint8_t> bytes) {
  if (state_ == State::ended || bytes.empty()) return;
  waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
  SendSome();
}

/// Each write is a separate piece of work: the copy, and the work request.
void RdmaStream::SendSome() {
  if (sending_ || unsent() == 0 || state_ == State::ended) return;
  const uint32_t room = open() ? tx_.peer.length - tx_.offset : 0;
  if (room == 0) {
    if (!is_blocked_) blocked_ = site_.process->step();
    is_blocked_ = true;
    return;
  }
  uint64_t length = std::min<uint64_t>(unsent(), room);
  if (p_.role.largest > 0) length = std::min<uint64_t>(length, p_.role.largest);
  const Time copy = p_.costs.OfCopy(static_cast<int64_t>(length));
  sending_ = true;
  site_.process->GoOn(CoreWork::operation, {p_.costs.post + copy, copy},
                      [this, n = static_cast<uint32_t>(length)] { PostWrite(n); });
}

void RdmaStream::PostWrite(uint32_t length) {
  sending_ = false;
  if (state_ == State::ended) return;
  std::copy_n(waiting_.data() + sent_of_waiting_, length, transmit_.bytes.get() + tx_.offset);
  sent_of_waiting_ += length;
  if (unsent() == 0 || sent_of_waiting_ > waiting_.size() / 2) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(sent_of_waiting_));
    sent_of_waiting_ = 0;
  }
  SendWr wr;
  wr.opcode = WrOpcode::rdma_write_with_imm;
  wr.signaled = ++tx_.unsignaled == p_.role.signal_every;
  if (wr.signaled) tx_.unsignaled = 0;
  wr.inline_data = length <= p_.role.inlined;
  wr.sge = {transmit_.region->addr + tx_.offset, length, transmit_.region->lkey};
  wr.remote_addr = tx_.peer.addr + tx_.offset;
  wr.rkey = tx_.peer.key;
  wr.imm_data = length;
  tx_.offset += length;
  ++counts_.writes;
  counts_.written += length;
  Post(wr);
  SendSome();
}

void RdmaStream::Register() {
  site_.process->GoOn(CoreWork::operation, p_.costs.post, [this] {
    if (state_ == State::ended) return;
    ++counts_.registrations;
    SendCommand({RdmaCommand::Opcode::register_memory,
                 {receive_.region->addr, receive_.length, receive_.region->rkey}});
  });
}

void RdmaStream::SendCommand(const RdmaCommand& command) {
  const uint32_t offset = (kReceives + next_command_++ % kReceives) * RdmaCommand::kBytes;
  const RdmaCommand::Encoded bytes = command.Encode();
  std::ranges::copy(bytes, commands_.bytes.get() + offset);
  SendWr wr;
  wr.opcode = WrOpcode::send;
  wr.signaled = true;
  wr.inline_data = RdmaCommand::kBytes <= p_.role.inlined;
  wr.sge = {AddressOf(kCommandsAt) + offset, RdmaCommand::kBytes, commands_.region->lkey};
  Post(wr);
}

void RdmaStream::Post(const SendWr& wr) {
  SendWr own = wr;
  own.wr_id = base_ | kReceives;
  own.cause = site_.process->step();
  if (site_.process->verbs().PostSend(qp_, own) != 0) Fail();
}

void RdmaStream::OnEvent(uint64_t) {
  if (state_ == State::ended) return;
  site_.process->Do(CoreWork::operation, p_.costs.post, [this] {
    if (state_ == State::ended) return;
    ++counts_.keepalives;
    SendCommand({RdmaCommand::Opcode::keepalive});
  });
  EventQueue& events = EventQueue::Get();
  events.PushTarget(events.now() + kKeepalive, TimedEvent::Order(EventClass::workload, entity_, 0), this, 0);
}

void RdmaStream::Close() {
  if (state_ == State::ended || state_ == State::closed) return;
  state_ = State::ended;
  site_.cm->End(session_);
}

void RdmaStream::Fail() {
  site_.cm->End(session_);
  End(true);
}

void RdmaStream::End(bool failed) {
  state_ = State::ended;
  rx_ = {};
  waiting_.clear();
  sent_of_waiting_ = 0;
  if (qp_ != nullptr) {
    QpAttr attr;
    attr.state = QpState::err;
    site_.process->verbs().ModifyQp(qp_, attr);
  }
  user().OnEnded(failed);
}

void RdmaStream::ForEachQueuePair(const UseQueuePair& use) const {
  if (qp_ != nullptr) use(site_.host, Verbs::NumberOf(qp_));
}

}  // namespace headroom
