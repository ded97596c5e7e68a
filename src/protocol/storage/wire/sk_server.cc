#include "protocol/storage/wire/sk_server.h"

#include <utility>

#include "protocol/crc32c.h"

namespace headroom {
namespace {

constexpr uint64_t kRequests = uint64_t{0xD} << 40;

}  // namespace

SkServer::SkServer(Process& process, ConnectionManager& cm, RegisteredPool& buffers,
                   const SkParameters& parameters, SkDisk& disk, const std::string& name)
    : process_(process),
      cm_(cm),
      buffers_(buffers),
      parameters_(parameters),
      disk_(disk),
      base_(process.Add(*this)),
      qp_(process, parameters.priority, parameters.tag, {3 * parameters.credits + 2, parameters.credits},
          name),
      receives_(size_t{parameters.credits} * SkMessage::kBytes) {
  receives_region_ = process.verbs().RegMr(kRequests + (base_ >> 32) * (uint64_t{1} << 32), receives_.size(),
                                           kLocalWrite, receives_);
}

void SkServer::PostReceive(uint32_t slot) {
  process_.verbs().PostRecv(qp_.get(), {base_ | slot,
                                        {receives_region_->addr + uint64_t{slot} * SkMessage::kBytes,
                                         SkMessage::kBytes, receives_region_->lkey}});
}

CmOffer SkServer::Offer() {
  state_ = State::lost;
  qp_.Fail();
  process_.Drain(*this);
  for (auto at = requests_.begin(); at != requests_.end();) {
    Request& request = at->second;
    request.asked = false;
    const bool write = request.message.kind == SkKind::write;
    const bool begun = request.stage == Stage::disk || (write && request.stage == Stage::done);
    if (!begun) Release(request);  // the request is repeated, and begins anew
    at = begun ? std::next(at) : requests_.erase(at);
  }
  CmOffer offer = qp_.Renew();
  offer.said[0] = parameters_.credits;
  return offer;
}

void SkServer::OnOffer(const CmOffer& offer) {
  qp_.Join(peer_, offer);
  state_ = State::up;
  for (uint32_t slot = 0; slot < parameters_.credits; ++slot) PostReceive(slot);
}

void SkServer::Lose() {
  if (state_ != State::up) return;
  state_ = State::lost;
  ++counters_.losses;
  qp_.Fail();
  cm_.TellLost(session_);
}

void SkServer::OnEnded(bool) {
  state_ = State::none;
  qp_.Fail();  // must precede the reuse of its memory
  for (auto at = requests_.begin(); at != requests_.end();) {
    const bool at_disk = at->second.stage == Stage::disk;  // the request ends by itself, unanswered
    if (!at_disk) Release(at->second);
    at = at_disk ? std::next(at) : requests_.erase(at);
  }
}

void SkServer::Release(Request& request) {
  if (request.buffer.valid()) buffers_.Give(request.buffer);
  request.buffer = {};
}

/// The client will not repeat requests below `oldest`. A request in progress at the disk or in the NIC is
/// forgotten later: until its completion, the NIC may retransmit the data of a read.
void SkServer::Forget(uint64_t oldest) {
  for (auto at = requests_.begin(); at != requests_.end() && at->first < oldest;) {
    const bool in_use = at->second.stage == Stage::disk || at->second.buffer.valid();
    at = in_use ? std::next(at) : requests_.erase(at);
  }
}

void SkServer::OnCompletion(const Wc& wc) {
  if (!qp_.Has(wc)) return;
  if (wc.status != WcStatus::success) return Lose();
  const uint32_t number = Process::NumberIn(wc.wr_id);
  if (wc.IsReceive()) return OnRequest(number);
  if (state_ != State::up) return;
  if (requests_.empty()) return;
  const uint64_t first = requests_.begin()->first;
  const auto at = requests_.find(first + ((number - static_cast<uint32_t>(first)) & ~kKinds));
  if (at == requests_.end()) return;
  if ((number & kKinds) == kFetch) return OnFetched(at->second);
  if ((number & kKinds) == kAnswer &&
      at->second.message.kind == SkKind::read) {  // the client has received everything
    Release(at->second);
    requests_.erase(at);
  }
}

/// Sends one answer per turn: each costs as much as a message. Requests that wait for memory have a turn
/// behind the answers, and behind other waiting connections.
void SkServer::OnTurn() {
  if (to_answer_.Empty()) return StartWaiting();
  const auto at = requests_.find(to_answer_.Front());
  to_answer_.PopFront();
  if (!to_answer_.Empty()) {
    process_.Ask(*this);
  } else if (waiting_) {
    buffers_.Wait(process_, *this);
  }
  if (at == requests_.end()) return;
  at->second.answering = false;
  if (at->second.stage != Stage::done || !at->second.asked) return;
  at->second.since = process_.StepSince(at->second.since, OperationPart::core_queue);
  const Trail::CurrentStep step(process_.trail(), at->second.since);
  Answer(at->second);
}

void SkServer::AnswerLater(uint64_t number, Request& request) {
  request.since = process_.step();
  if (request.answering) return;
  request.answering = true;
  to_answer_.PushBack(number);
  process_.Ask(*this);
}

/// The core sums up a read's data before it answers, and a write's data on arrival.
int64_t SkServer::BytesOfTurn() const {
  if (!parameters_.crc || to_answer_.Empty()) return 0;
  const auto at = requests_.find(to_answer_.Front());
  return at == requests_.end() || at->second.message.kind == SkKind::write ? 0 : at->second.message.length;
}

void SkServer::OnRequest(uint32_t slot) {
  if (state_ != State::up) return;  // the request will be repeated
  const uint8_t* const bytes = receives_.data() + size_t{slot} * SkMessage::kBytes;
  if (!SkMessage::IsSound(bytes)) {
    ++counters_.corrupt;
    return Lose();
  }
  const SkMessage message = SkMessage::ReadFrom(bytes);
  PostReceive(slot);
  ++counters_.requests;
  Forget(message.oldest);
  const auto [at, added] = requests_.try_emplace(message.number);
  Request& request = at->second;
  request.message = message;
  request.asked = true;
  request.since = process_.step();
  if (added && !buffers_.scarce()) return Start(message.number, request);
  if (added) {
    waiting_ = true;
    return buffers_.Wait(process_, *this);
  }
  ++counters_.repeated;
  if (request.stage == Stage::done) AnswerLater(message.number, request);
}

/// Starts waiting requests, oldest first, as far as there is memory.
void SkServer::StartWaiting() {
  if (!std::exchange(waiting_, false) || state_ != State::up) return;
  for (auto at = requests_.begin(); at != requests_.end() && !waiting_; ++at) {
    if (at->second.stage == Stage::buffer) Start(at->first, at->second);
  }
}

void SkServer::Start(uint64_t number, Request& request) {
  request.buffer = buffers_.Take(process_, *this);
  waiting_ = waiting_ || !request.buffer.valid();
  if (!request.buffer.valid()) return;
  request.since = process_.StepSince(request.since, OperationPart::memory);
  const Trail::CurrentStep step(process_.trail(), request.since);
  if (request.message.kind == SkKind::read) return Execute(number, request);
  request.stage = Stage::fetching;
  SendWr wr;
  wr.wr_id = base_ | kFetch | (static_cast<uint32_t>(number) & ~kKinds);
  wr.opcode = WrOpcode::rdma_read;
  wr.signaled = true;
  wr.sge = {request.buffer.address, request.message.length, request.buffer.key};
  wr.remote_addr = request.message.address;
  wr.rkey = request.message.key;
  wr.cause = request.since;
  ++counters_.reads;
  process_.verbs().PostSend(qp_.get(), wr);
}

void SkServer::OnFetched(Request& request) {
  if (Right(request)) return Execute(request.message.number, request);
  ++counters_.corrupt;
  request.status = SkStatus::corrupt;
  request.stage = Stage::done;
  AnswerLater(request.message.number, request);
}

/// Whether the data of a write equal those that were sent.
bool SkServer::Right(const Request& request) const {
  const SkMessage& m = request.message;
  const RegisteredBuffer& data = request.buffer;
  if (!m.has_crc || !parameters_.crc) return true;
  if (data.bytes != nullptr) return Crc32c({data.bytes, m.length}) == m.crc;
  return !process_.verbs().Damaged(data.key, data.address, m.length);
}

void SkServer::Execute(uint64_t number, Request& request) {
  request.stage = Stage::disk;
  ++counters_.executed;
  disk_.Execute(request.message, request.buffer.bytes, [this, number](SkStatus status) {
    const auto at = requests_.find(number);
    if (at == requests_.end()) return;
    if (state_ == State::none) {  // the session has ended
      Release(at->second);
      requests_.erase(at);
      return;
    }
    at->second.status = status;
    at->second.stage = Stage::done;
    if (at->second.asked) AnswerLater(number, at->second);
  });
}

/// Sends the data of a read, and the response behind them. Frees the buffer of a write.
void SkServer::Answer(Request& request) {
  if (state_ != State::up) return;
  request.asked = false;
  const SkMessage& asked = request.message;
  SkMessage message = asked;
  message.status = request.status;
  message.credits = 1;
  if (asked.kind == SkKind::write) {
    Release(request);
  } else if (request.status == SkStatus::ok) {
    message.has_crc = parameters_.crc;
    if (parameters_.crc && request.buffer.bytes != nullptr)
      message.crc = Crc32c({request.buffer.bytes, asked.length});
    SendWr wr;
    wr.wr_id = base_;
    wr.opcode = WrOpcode::rdma_write;
    wr.sge = {request.buffer.address, asked.length, request.buffer.key};
    wr.remote_addr = asked.address;
    wr.rkey = asked.key;
    wr.cause = process_.step();
    ++counters_.writes;
    process_.verbs().PostSend(qp_.get(), wr);
  }
  uint8_t bytes[SkMessage::kBytes];
  message.WriteTo(bytes);
  SendWr send;
  send.wr_id = base_ | kAnswer | (static_cast<uint32_t>(asked.number) & ~kKinds);
  send.opcode = WrOpcode::send_with_inv;
  send.signaled = true;
  send.inline_data = true;
  send.sge.length = SkMessage::kBytes;
  send.content = bytes;
  send.rkey = asked.key;
  send.cause = process_.step();
  ++counters_.answers;
  process_.verbs().PostSend(qp_.get(), send);
}

int64_t SkServer::BytesOf(const Wc& wc) const {
  return parameters_.crc && wc.status == WcStatus::success && wc.opcode == WcOpcode::rdma_read ? wc.byte_len
                                                                                               : 0;
}

}  // namespace headroom
