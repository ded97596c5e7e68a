// Part of su_socket.h: arrivals, and the release of their memory.
#include "protocol/crc32c.h"
#include "protocol/storage/wire/su_socket.h"

namespace headroom {

void SuSocket::PostReceive(uint32_t number) {
  const RegisteredBuffer& buffer = receives_[number];
  process_.verbs().PostRecv(qp_.get(),
                            {base_ | number, {buffer.address, pools_.messages->size(), buffer.key}});
}

void SuSocket::OnReceived(uint32_t number) {
  OnJoined();  // the sender knows that this end is ready
  const uint8_t* const bytes = pools_.messages->ContentOf(receives_[number]);
  const bool sound = SuMessage::IsSound(bytes);
  const SuMessage message = SuMessage::ReadFrom(bytes);
  pools_.messages->ReleaseContent(receives_[number]);
  if (!sound) {
    ++counters_.corrupt;
    user_.OnCorrupt(received_, 0);
    return Lose();
  }
  credits_ += message.credits;
  peer_freed_ = message.landings;
  Confirm(message.received);
  if (SuMessage::TakesCredit(message.type)) return OnChunk(message, number);
  if (message.type == SuType::read_done) ChunkDone();
  if (Up()) PostReceive(number);
}

/// The data of a message, still without bytes.
SuData SuSocket::DataOf(const SuMessage& m) const {
  return {m.position, m.length, nullptr, m.tag, m.left, m.said, completed_, polled_};
}

void SuSocket::OnChunk(const SuMessage& message, uint32_t number) {
  if (message.type == SuType::write_done) ++arrived_landings_;
  if (message.position != received_) {  // behind incorrect data: it will be sent again
    if (message.type == SuType::write_done) ++freed_landings_;
    return;
  }
  held_[number] = true;
  if (message.type == SuType::descriptor) {
    reading_ = message;
    reading_receive_ = number;
    reading_since_ = process_.step();
    return pools_.incoming->scarce() ? pools_.incoming->Wait(process_, *this) : StartRead();
  }
  Arrived arrived;
  arrived.receive = number;
  arrived.data = DataOf(message);
  uint32_t key = landing_->rkey;
  uint64_t address = message.address;
  if (message.type == SuType::data) {
    arrived.in = Arrived::In::message;
    key = receives_[number].key;
    address = receives_[number].address + SuMessage::kBytes;
    if (parameters_.content) arrived.data.bytes = receives_[number].bytes + SuMessage::kBytes;
  } else {
    arrived.in = Arrived::In::landing;
    if (parameters_.content)
      arrived.data.bytes = landing_bytes_.data() + (message.address - landing_address_);
  }
  if (!Right(message, arrived.data.bytes, key, address)) {
    if (arrived.in == Arrived::In::landing) ++freed_landings_;
    held_[number] = false;
    return Lose();
  }
  Keep(arrived);
}

void SuSocket::StartRead() {
  if (!Up()) return;
  read_buffer_ = pools_.incoming->Take(process_, *this);
  if (!read_buffer_.valid()) return;
  SendWr wr;
  wr.wr_id = base_ | kRead;
  wr.opcode = WrOpcode::rdma_read;
  wr.signaled = true;
  wr.sge = {read_buffer_.address, reading_->length, read_buffer_.key};
  wr.remote_addr = reading_->address;
  wr.rkey = reading_->key;
  wr.cause = process_.StepSince(reading_since_, OperationPart::memory);
  ++counters_.reads;
  process_.verbs().PostSend(qp_.get(), wr);
}

void SuSocket::OnRead() {
  if (!reading_) return;
  const SuMessage message = *reading_;
  reading_.reset();
  Arrived arrived;
  arrived.in = Arrived::In::chunk;
  arrived.receive = reading_receive_;
  arrived.buffer = read_buffer_;
  arrived.data = DataOf(message);
  if (parameters_.content) arrived.data.bytes = read_buffer_.bytes;
  read_buffer_ = {};
  if (!Right(message, arrived.data.bytes, arrived.buffer.key, arrived.buffer.address)) {
    pools_.incoming->Give(arrived.buffer);
    held_[arrived.receive] = false;
    return Lose();
  }
  SuMessage done;
  done.type = SuType::read_done;
  received_ = message.position + message.length;
  if (Up()) PostMessage(done, kAnswer);
  Keep(arrived);
}

/// Whether the data there equal the sent ones.
bool SuSocket::Right(const SuMessage& message, const uint8_t* bytes, uint32_t key, uint64_t address) {
  if (!message.has_crc || !parameters_.crc) return true;
  const bool right = bytes != nullptr ? Crc32c({bytes, message.length}) == message.crc
                                      : !process_.verbs().Damaged(key, address, message.length);
  if (right) return true;
  ++counters_.corrupt;
  user_.OnCorrupt(message.position, message.length);
  return false;
}

void SuSocket::Keep(const Arrived& arrived) {
  received_ = arrived.data.position + arrived.data.length;
  arrived_.push_back(arrived);
  arrived_.back().is_new =
      parameters_.begins && process_.costs().OfRequest() > Time(0) && user_.IsNew(arrived.data.tag);
  if (!arrived_.back().is_new) return HandOver();
  TakeUpNew();
}

/// The core takes up new requests when no begun work is ready, and not while many answers wait.
void SuSocket::TakeUpNew() {
  process_.DoNew(CoreWork::rdma, Time(0), [this] {
    const bool ahead = Unsent() >= kBegunAhead;
    ++(ahead ? put_off_ : taken_up_);
    if (ahead) return;
    HandOver();
    GrantIfDue();  // the peer may have nothing in flight that would give this end a turn
  });
}

void SuSocket::HandOver() {
  if (handing_over_) return;
  handing_over_ = true;
  const auto may = [this] { return !arrived_.empty() && (!arrived_.front().is_new || taken_up_ > 0); };
  while (may() && user_.OnData(arrived_.front().data)) {
    const Arrived arrived = arrived_.front();
    arrived_.pop_front();
    taken_up_ -= arrived.is_new;
    Free(arrived);
  }
  handing_over_ = false;
}

/// Its memory may be overwritten; the next message reports this to the peer.
void SuSocket::Free(const Arrived& arrived) {
  if (arrived.in == Arrived::In::landing) ++freed_landings_;
  if (arrived.in == Arrived::In::chunk) pools_.incoming->Give(arrived.buffer);
  held_[arrived.receive] = false;
  ++owed_;
  if (Up()) PostReceive(arrived.receive);
}

void SuSocket::Resume() { process_.Ask(*this); }

}  // namespace headroom
