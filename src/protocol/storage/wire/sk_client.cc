#include "protocol/storage/wire/sk_client.h"

#include <algorithm>
#include <utility>

#include "protocol/crc32c.h"

namespace headroom {
namespace {

constexpr uint64_t kResponses = uint64_t{0xB} << 40, kBuffers = uint64_t{1} << 48;
constexpr uint32_t kVariant = 0xff;  ///< bits of a key that change with each registration

}  // namespace

SkClient::SkClient(Process& process, ConnectionManager& cm, const SkParameters& parameters, EntityId entity,
                   const std::string& name)
    : process_(process),
      cm_(cm),
      parameters_(parameters),
      base_(process.Add(*this)),
      entity_(entity),
      qp_(process, parameters.priority, parameters.tag, {2 * parameters.credits + 2, parameters.credits},
          name),
      receives_(size_t{parameters.credits} * SkMessage::kBytes) {
  receives_region_ = process.verbs().RegMr(kResponses + (base_ >> 32) * (uint64_t{1} << 32), receives_.size(),
                                           kLocalWrite, receives_);
}

void SkClient::Submit(SkIo io, Done done) {
  OpenIo open{std::move(io), std::move(done), nullptr, process_.step()};
  open.starved = Starved();
  ios_.emplace(next_++, std::move(open));
  AskIfDue();
}

void SkClient::PostReceive(uint32_t slot) {
  process_.verbs().PostRecv(qp_.get(), {base_ | slot,
                                        {receives_region_->addr + uint64_t{slot} * SkMessage::kBytes,
                                         SkMessage::kBytes, receives_region_->lkey}});
}

CmOffer SkClient::Offer() {
  state_ = State::lost;
  qp_.Fail();
  process_.Drain(*this);
  state_ = State::none;
  Deregister();
  unsent_ = 0;  // all of them are sent again
  return qp_.Renew();
}

/// Ends the registrations of all open I/Os, so that later uses of their keys fail.
void SkClient::Deregister() {
  for (auto& [number, open] : ios_) {
    if (open.region == nullptr) continue;
    process_.verbs().DeregMr(open.region);
    idle_.push_back(open.region);
    open.region = nullptr;
  }
}

void SkClient::OnOffer(const CmOffer& offer) {
  qp_.Join(peer_, offer);
  credits_ = static_cast<uint32_t>(std::min<uint64_t>(offer.said[0], parameters_.credits));
  for (uint32_t slot = 0; slot < parameters_.credits; ++slot) PostReceive(slot);
}

void SkClient::OnJoined() {
  state_ = State::joined;
  if (on_attached_) std::exchange(on_attached_, {})();
  AskIfDue();
}

void SkClient::Lose() {
  if (state_ != State::joined) return;
  state_ = State::lost;
  ++counters_.losses;
  qp_.Fail();
  EventQueue& events = EventQueue::Get();
  events.PushTarget(events.now() + parameters_.reopen,
                    TimedEvent::Order(EventClass::workload, entity_, base_ >> 32), this, 0);
}

void SkClient::OnEnded(bool) {
  state_ = State::ended;
  qp_.Fail();
  Deregister();  // late accesses find no key
  auto ios = std::move(ios_);
  ios_.clear();
  for (auto& [number, open] : ios)
    open.done({SkStatus::failed, open.io.bytes, open.times, Verbs::NumberOf(qp_.get()),
               open.sent > 1 ? open.sent - 1 : 0});
}

uint64_t SkClient::AddressOf(uint64_t number) const { return kBuffers + (number << 24); }

/// Requests a turn for the next request if one is due.
void SkClient::AskIfDue() {
  if (state_ != State::joined || Next() == ios_.end()) return;
  asked_since_ = std::min(asked_since_, EventQueue::Get().now());
  if (credits_ > 0) return process_.Ask(*this);
  if (starved_since_ != kNever) return;
  ++counters_.starved;
  starved_since_ = EventQueue::Get().now();
}

Time SkClient::Starved() const {
  return starved_since_ == kNever ? starved_ : starved_ + (EventQueue::Get().now() - starved_since_);
}

ResourceUse SkClient::CreditUse() const {
  const Time span = asked_since_ == kNever ? Time(0) : EventQueue::Get().now() - asked_since_;
  return {ResourceUse::Kind::credit, process_.verbs().host(), 0, Starved(), span};
}

/// Sends one request per turn: each costs as much as a message.
void SkClient::OnTurn() {
  const auto at = Next();
  if (state_ != State::joined || credits_ == 0 || at == ios_.end()) return;
  Send(at->first, at->second);
  unsent_ = at->first + 1;
  AskIfDue();
}

void SkClient::Send(uint64_t number, OpenIo& open) {
  Verbs& verbs = process_.verbs();
  if (idle_.empty()) idle_.push_back(verbs.AllocMr());
  open.region = idle_.back();
  idle_.pop_back();
  --credits_;
  ++counters_.requests;
  SkIo& io = open.io;
  open.since = open.sent > 0
                   ? process_.StepSince(open.since, OperationPart::connection)
                   : process_.StepSince(open.since, OperationPart::credits, Starved() - open.starved);
  ++open.sent;
  open.times = {};
  open.times.posted = EventQueue::Get().now();
  if (parameters_.content) io.bytes.resize(io.length);

  SendWr reg;
  reg.wr_id = base_ | kRegister;
  reg.opcode = WrOpcode::reg_mr;
  reg.signaled = true;
  reg.sge = {AddressOf(number), io.length, 0};
  reg.mr = open.region;
  reg.key = (open.region->rkey & ~kVariant) | ((open.region->rkey + 1) & kVariant);
  reg.access = io.kind == SkKind::write ? kRemoteRead : kLocalWrite | kRemoteWrite;
  reg.content = parameters_.content ? io.bytes.data() : nullptr;
  reg.cause = open.since;
  verbs.PostSend(qp_.get(), reg);

  SkMessage message;
  message.kind = io.kind;
  message.length = io.length;
  message.number = number;
  message.oldest = ios_.begin()->first;
  message.block = io.block;
  message.request = io.request;
  message.address = AddressOf(number);
  message.key = reg.key;
  message.has_crc = parameters_.crc;
  if (parameters_.crc && parameters_.content && io.kind == SkKind::write) message.crc = Crc32c(io.bytes);
  uint8_t bytes[SkMessage::kBytes];
  message.WriteTo(bytes);
  SendWr send;
  send.wr_id = base_ | kRequest | (static_cast<uint32_t>(number) & ~kKinds);
  send.opcode = WrOpcode::send;
  send.signaled = true;
  send.inline_data = true;
  send.sge.length = SkMessage::kBytes;
  send.content = bytes;
  send.cause = open.since;
  verbs.PostSend(qp_.get(), send);
  if (io.posted) io.posted();
}

void SkClient::OnCompletion(const Wc& wc) {
  if (!qp_.Has(wc)) return;
  if (wc.status != WcStatus::success) return Lose();
  if (wc.IsReceive()) {
    OnResponse(wc);
  } else if ((Process::NumberIn(wc.wr_id) & kKinds) == kRequest) {
    OnRequestOut(wc);
  }
}

void SkClient::OnRequestOut(const Wc& wc) {
  if (ios_.empty()) return;
  const uint64_t first = ios_.begin()->first;
  const auto at = ios_.find(first + ((Process::NumberIn(wc.wr_id) - static_cast<uint32_t>(first)) & ~kKinds));
  if (at != ios_.end()) at->second.times = wc.times;
}

void SkClient::OnResponse(const Wc& wc) {
  const uint32_t slot = Process::NumberIn(wc.wr_id);
  const uint8_t* const bytes = receives_.data() + size_t{slot} * SkMessage::kBytes;
  if (!SkMessage::IsSound(bytes)) {
    ++counters_.corrupt;
    return Lose();
  }
  const SkMessage message = SkMessage::ReadFrom(bytes);
  if (state_ == State::joined) PostReceive(slot);
  starved_ = Starved();
  starved_since_ = kNever;
  credits_ += message.credits;
  AskIfDue();
  ++counters_.responses;
  const auto at = ios_.find(message.number);
  if (at == ios_.end() || at->first >= unsent_) return;  // it had been answered before
  OpenIo open = std::move(at->second);
  ios_.erase(at);
  idle_.push_back(open.region);
  SkStatus status = message.status;
  if (status == SkStatus::ok && message.kind == SkKind::read && !Right(message, open)) {
    ++counters_.corrupt;
    status = SkStatus::corrupt;
  }
  open.times.completed = wc.times.completed;
  open.times.polled = wc.times.polled;
  open.done({status, open.io.bytes, open.times, Verbs::NumberOf(qp_.get()), open.sent - 1});
}

/// Whether the data of a read equal those that were sent.
bool SkClient::Right(const SkMessage& message, const OpenIo& open) const {
  if (!message.has_crc || !parameters_.crc) return true;
  if (parameters_.content) return Crc32c(open.io.bytes) == message.crc;
  return !process_.verbs().Damaged(open.region->rkey, AddressOf(message.number), open.io.length);
}

/// For the CRC, the core sums up a write's data before the request, and a read's data after their arrival.
int64_t SkClient::BytesOf(const Wc& wc) const {
  if (!parameters_.crc || !wc.IsReceive() || wc.status != WcStatus::success) return 0;
  const SkMessage message =
      SkMessage::ReadFrom(receives_.data() + size_t{Process::NumberIn(wc.wr_id)} * SkMessage::kBytes);
  // The message's check has not been verified yet.
  const auto at = ios_.find(message.number);
  return at == ios_.end() || at->second.io.kind == SkKind::write ? 0 : at->second.io.length;
}

int64_t SkClient::BytesOfTurn() const {
  const auto at = ios_.lower_bound(unsent_);
  if (!parameters_.crc || at == ios_.end() || credits_ == 0) return 0;
  return at->second.io.kind == SkKind::read ? 0 : at->second.io.length;
}

}  // namespace headroom
