#include "protocol/storage/wire/su_socket.h"

#include <algorithm>
#include <utility>

namespace headroom {
namespace {

constexpr uint64_t kLandings = uint64_t{0xA} << 40;

/// Indices of the words in an offer.
enum Said { kCredits, kReceived, kLanding, kLandingKey, kLandingCount, kLanded, kFreed, kWindow };

}  // namespace

SuSocket::SuSocket(Process& process, ConnectionManager& cm, const SuPools& pools,
                   const SuParameters& parameters, SuUser& user, EntityId entity, const std::string& name)
    : process_(process),
      cm_(cm),
      pools_(pools),
      parameters_(parameters),
      user_(user),
      base_(process.Add(*this)),
      entity_(entity),
      qp_(process, parameters.priority, parameters.tag, {1u << 12, 1u << 14}, name) {
  const uint64_t length = uint64_t{parameters.landings} * parameters.large;
  if (parameters.content) landing_bytes_.resize(length);
  landing_address_ = kLandings + (base_ >> 32) * (uint64_t{1} << 32);
  landing_ = process.verbs().RegMr(landing_address_, length, kLocalWrite | kRemoteWrite, landing_bytes_);
}

uint32_t SuSocket::Held() const {
  return static_cast<uint32_t>(std::count(held_.begin(), held_.end(), true));
}

// Makes a queue pair, the first or a later one.

CmOffer SuSocket::Offer() {
  state_ = State::lost;
  qp_.Fail();
  process_.Drain(*this);
  state_ = State::none;
  GiveUp();
  waits_for_ = OperationPart::connection;
  EndStarved();
  owed_ = 0;
  told_landings_ = freed_landings_;
  CmOffer offer = qp_.Renew();
  offer.said[kCredits] = parameters_.credits - Held();
  offer.said[kWindow] = parameters_.credits;
  offer.said[kReceived] = received_;
  offer.said[kLanding] = landing_address_;
  offer.said[kLandingKey] = landing_->rkey;
  offer.said[kLandingCount] = parameters_.landings;
  offer.said[kLanded] = arrived_landings_;
  offer.said[kFreed] = freed_landings_;
  return offer;
}

/// Chunks in progress are lost with the failed queue pair.
void SuSocket::GiveUp() {
  if (reading_) held_[reading_receive_] = false;
  reading_.reset();
  if (read_buffer_.valid()) pools_.incoming->Give(read_buffer_);
  read_buffer_ = {};
  if (chunk_.open) GiveChunkBack();
}

void SuSocket::OnOffer(const CmOffer& offer) {
  qp_.Join(peer_, offer);
  credits_ = static_cast<uint32_t>(offer.said[kCredits]);
  peer_credits_ = static_cast<uint32_t>(offer.said[kWindow]);
  peer_landing_ = offer.said[kLanding];
  peer_landing_key_ = static_cast<uint32_t>(offer.said[kLandingKey]);
  peer_landings_ = static_cast<uint32_t>(offer.said[kLandingCount]);
  landed_ = static_cast<uint16_t>(offer.said[kLanded]);
  peer_freed_ = static_cast<uint16_t>(offer.said[kFreed]);
  const uint32_t receives = parameters_.credits + Controls();
  while (receives_.size() < receives) {
    receives_.push_back(pools_.messages->Take(process_, *this));
    held_.push_back(false);
  }
  for (uint32_t i = 0; i < receives; ++i) {
    if (!held_[i]) PostReceive(i);
  }
  state_ = State::ready;
  position_ = offer.said[kReceived];
  Confirm(position_);
}

void SuSocket::OnJoined() {
  if (state_ != State::ready) return;
  state_ = State::joined;
  if (!std::exchange(attached_, true)) user_.OnAttached();
  process_.Ask(*this);
}

void SuSocket::Lose() {
  if (!Up()) return;
  state_ = State::lost;
  ++counters_.losses;
  qp_.Fail();
  if (!opener_) return cm_.TellLost(session_);
  EventQueue& events = EventQueue::Get();
  events.PushTarget(events.now() + parameters_.reopen,
                    TimedEvent::Order(EventClass::workload, entity_, base_ >> 32), this, 0);
}

void SuSocket::OnEvent(uint64_t) {
  if (state_ == State::lost) cm_.Reopen(session_);  // otherwise the session has ended in the meantime
}

void SuSocket::OnEnded(bool answered) {
  state_ = State::none;
  qp_.Fail();
  GiveUp();
  user_.OnEnded(answered);
}

void SuSocket::OnTurn() {
  if (reading_ && !read_buffer_.valid() && Up()) StartRead();
  HandOver();
  SendChunk();
  GrantIfDue();
}

void SuSocket::OnCompletion(const Wc& wc) {
  if (!qp_.Has(wc)) return;  // from a queue pair that no longer exists
  if (wc.status != WcStatus::success) return Lose();
  const uint32_t number = Process::NumberIn(wc.wr_id);
  completed_ = wc.times.completed;
  polled_ = wc.times.polled;
  if (wc.IsReceive()) {
    OnReceived(number);
  } else if ((number & kKinds) == kChunk) {
    if (chunk_.open && number == (kChunk | chunk_.number)) user_.OnChunk(chunk_.tag, wc.times);
    if (chunk_.mode != Mode::large && number == (kChunk | chunk_.number)) ChunkDone();
  } else if (number == kRead) {
    OnRead();
  }
  SendNext();
  if (put_off_ == 0 || Unsent() >= kBegunAhead) return;
  for (uint32_t again = std::exchange(put_off_, 0); again > 0; --again) TakeUpNew();
}

int64_t SuSocket::BytesOf(const Wc& wc) const {
  const uint32_t number = Process::NumberIn(wc.wr_id);
  if (wc.status != WcStatus::success || !qp_.Has(wc)) return 0;
  if (number == kRead) return reading_ ? BytesOf(reading_->length, false) : 0;
  if (!wc.IsReceive()) return 0;
  // The message's check has not been verified yet.
  const SuMessage message = SuMessage::ReadFrom(pools_.messages->ContentOf(receives_[number]));
  if (message.type == SuType::data) return BytesOf(int64_t{wc.byte_len} - SuMessage::kBytes, true);
  return message.type == SuType::write_done ? BytesOf(std::min(message.length, parameters_.large), true) : 0;
}

int64_t SuSocket::BytesOfTurn() const {
  const Written* const next = joined() && !chunk_.open && credits_ > 0 ? Next() : nullptr;
  if (next == nullptr) return 0;
  const uint32_t length = LengthOf(*next);
  const Mode mode = ModeOf(length);
  if (LandingsFull(mode) || PoolOf(mode).Exhausted()) return 0;
  return BytesOf(length, mode == Mode::small);
}

}  // namespace headroom
