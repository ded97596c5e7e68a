// Part of su_socket.h: chunks, credits, messages.
#include <algorithm>

#include "protocol/crc32c.h"
#include "protocol/storage/wire/su_socket.h"

namespace headroom {

uint64_t SuSocket::Write(uint64_t length, std::vector<uint8_t> bytes, uint64_t tag, const SuSaid& said) {
  written_ += length;
  writes_.push_back({written_, std::move(bytes), tag, said, process_.step()});
  if (CanSend()) process_.Ask(*this);  // otherwise the event that it waits for requests a turn
  return written_;
}

SuSocket::Mode SuSocket::ModeOf(uint32_t length) const {
  return length <= parameters_.small ? Mode::small : length <= parameters_.large ? Mode::medium : Mode::large;
}

size_t SuSocket::Unsent() const {
  return static_cast<size_t>(writes_.end() - std::ranges::upper_bound(writes_, position_, {}, &Written::end));
}

/// The Write that the next chunk belongs to; null if there is none.
const SuSocket::Written* SuSocket::Next() const {
  const auto at =
      std::find_if(writes_.begin(), writes_.end(), [this](const Written& w) { return w.end > position_; });
  return at == writes_.end() ? nullptr : &*at;
}

/// Sets the cause for which the next chunk waits; until now it waited for another.
void SuSocket::WaitsFor(OperationPart what) {
  if (what == waits_for_) return;
  Written* const next = Next();
  next->since = process_.StepSince(next->since, waits_for_);
  waits_for_ = what;
}

/// The length of the next chunk. A chunk ends at the end of its Write.
uint32_t SuSocket::LengthOf(const Written& of) const {
  return static_cast<uint32_t>(std::min<uint64_t>(of.end - position_, parameters_.chunk));
}

/// Requests a turn for the next chunk, if it can be sent: that costs as much as a message and its bytes.
void SuSocket::SendNext() {
  if (CanSend()) process_.Ask(*this);
  GrantIfDue();
}

bool SuSocket::LandingsFull(Mode mode) const {
  return mode == Mode::medium && static_cast<uint16_t>(landed_ - peer_freed_) >= peer_landings_;
}

bool SuSocket::CanSend() {
  if (!joined() || chunk_.open) return false;
  const Written* const next = Next();
  if (next == nullptr) return false;
  const Time now = EventQueue::Get().now();
  asked_since_ = std::min(asked_since_, now);
  if (credits_ > 0 && !LandingsFull(ModeOf(LengthOf(*next)))) {
    EndStarved();
    return true;
  }
  starved_since_ = std::min(starved_since_, now);
  counters_.starved += credits_ == 0 && waits_for_ != OperationPart::credits;
  WaitsFor(OperationPart::credits);
  return false;
}

void SuSocket::EndStarved() {
  if (starved_since_ != kNever) starved_ += EventQueue::Get().now() - starved_since_;
  starved_since_ = kNever;
}

ResourceUse SuSocket::CreditUse() const {
  const Time now = EventQueue::Get().now();
  const Time starved = starved_since_ == kNever ? starved_ : starved_ + (now - starved_since_);
  const Time span = asked_since_ == kNever ? Time(0) : now - asked_since_;
  return {ResourceUse::Kind::credit, process_.verbs().host(), 0, starved, span};
}

void SuSocket::SendChunk() {
  if (!CanSend()) return;
  Written* const of = Next();
  const uint32_t length = LengthOf(*of);
  const Mode mode = ModeOf(length);
  const RegisteredBuffer buffer = PoolOf(mode).Take(process_, *this);
  if (!buffer.valid()) return WaitsFor(OperationPart::memory);
  const uint64_t cause = process_.StepSince(of->since, waits_for_);
  of->since = cause;
  waits_for_ = OperationPart::chunk;
  const bool more = of->end - position_ > length;
  chunk_ = {true, chunks_begun_++ & ~kKinds, mode, length, more, of->tag, cause, buffer};
  OperationTimes posted;
  posted.posted = EventQueue::Get().now();
  user_.OnChunk(of->tag, posted);
  const uint32_t number = kChunk | chunk_.number;
  ++counters_.chunks[static_cast<size_t>(mode)];

  uint8_t* const data = buffer.bytes == nullptr ? nullptr : buffer.bytes + SuMessage::kBytes;
  SuMessage message;
  message.length = length;
  message.position = position_;
  message.tag = of->tag;
  message.said = of->said;
  message.left = of->end - position_ - length;
  message.has_crc = parameters_.crc;
  if (parameters_.content && data != nullptr) {
    if (!of->bytes.empty())
      std::copy_n(of->bytes.end() - static_cast<int64_t>(of->end - position_), length, data);
    if (parameters_.crc) message.crc = Crc32c({data, length});
  }
  switch (mode) {
    case Mode::small:
      message.type = SuType::data;
      return PostMessage(message, number, &buffer);
    case Mode::medium: {
      SendWr wr;
      wr.wr_id = base_ | kWrite;
      wr.opcode = WrOpcode::rdma_write;
      wr.sge = {buffer.address + SuMessage::kBytes, length, buffer.key};
      wr.remote_addr = peer_landing_ + uint64_t{landed_ % peer_landings_} * parameters_.large;
      wr.rkey = peer_landing_key_;
      ++landed_;
      ++counters_.writes;
      wr.cause = cause;
      process_.verbs().PostSend(qp_.get(), wr);
      message.type = SuType::write_done;
      message.address = wr.remote_addr;
      return PostMessage(message, number);
    }
    case Mode::large:
      message.type = SuType::descriptor;
      message.address = buffer.address + SuMessage::kBytes;
      message.key = buffer.key;
      return PostMessage(message, number);
  }
}

/// If there is a buffer, the data follow the header in it.
void SuSocket::PostMessage(SuMessage message, uint32_t number, const RegisteredBuffer* with) {
  message.credits = static_cast<uint16_t>(owed_);
  owed_ = 0;
  message.landings = told_landings_ = freed_landings_;
  message.received = received_;
  if (SuMessage::TakesCredit(message.type)) --credits_;
  if (message.type == SuType::credit) ++counters_.credit_messages;
  ++counters_.sends;
  uint8_t header[SuMessage::kBytes];
  SendWr wr;
  wr.wr_id = base_ | number;
  wr.opcode = WrOpcode::send;
  wr.signaled = true;
  if (with != nullptr) {
    message.WriteTo(pools_.messages->ContentOf(*with));
    wr.sge = {with->address, SuMessage::kBytes + message.length, with->key};
  } else {
    message.WriteTo(header);
    wr.inline_data = true;
    wr.sge.length = SuMessage::kBytes;
    wr.content = header;
  }
  wr.cause = SuMessage::TakesCredit(message.type) ? chunk_.cause : process_.step();
  process_.verbs().PostSend(qp_.get(), wr);
}

/// Any message carries credits; a separate one is sent when the peer may run short of them.
void SuSocket::GrantIfDue() {
  if (!joined() || owed_ == 0) return;
  const auto untold = static_cast<uint16_t>(freed_landings_ - told_landings_);
  if (2 * owed_ >= parameters_.credits || 2u * untold >= parameters_.landings) PostMessage({}, kAnswer);
}

void SuSocket::ChunkDone() {
  if (!chunk_.open) return;
  position_ += chunk_.length;
  const bool more = chunk_.more;
  GiveChunkBack();
  if (more) Next()->since = process_.step();  // the rest continues from here; later Writes have waited
}

void SuSocket::GiveChunkBack() {
  PoolOf(chunk_.mode).Give(chunk_.buffer);
  chunk_ = {};
}

void SuSocket::Confirm(uint64_t position) {
  if (position <= confirmed_) return;
  confirmed_ = position;
  while (!writes_.empty() && writes_.front().end <= confirmed_) writes_.pop_front();
  user_.OnSent(confirmed_);
}

}  // namespace headroom
