#include "protocol/storage/wire/su_rpc.h"

#include <algorithm>
#include <utility>

namespace headroom {
namespace {

/// A tag is a call's number; its lowest bit is set for a response.
constexpr uint64_t TagOf(uint64_t number, bool response) { return number << 1 | (response ? 1 : 0); }
constexpr bool IsResponse(uint64_t tag) { return (tag & 1) != 0; }

}  // namespace

uint64_t SuRpc::Call(uint64_t length, Answer answer, std::vector<uint8_t> bytes, const SuSaid& said,
                     std::function<void()> posted) {
  const uint64_t number = calls_++;
  open_.emplace(number, OpenCall{std::move(answer), std::move(posted), {}});
  socket_->Write(length, std::move(bytes), TagOf(number, false), said);
  return number;
}

void SuRpc::Respond(uint64_t number, uint64_t length, std::vector<uint8_t> bytes, const SuSaid& said) {
  socket_->Write(length, std::move(bytes), TagOf(number, true), said);
}

void SuRpc::OnChunk(uint64_t tag, const OperationTimes& chunk) {
  const auto at = !IsResponse(tag) ? open_.find(tag >> 1) : open_.end();
  if (at == open_.end()) return;
  OperationTimes& call = at->second.times;
  const bool first = call.posted == kNever;
  call.posted = std::min(call.posted, chunk.posted);
  call.first_sent = std::min(call.first_sent, chunk.first_sent);
  if (chunk.last_sent != kNever) call.last_sent = chunk.last_sent;
  if (chunk.acknowledged != kNever) call.acknowledged = chunk.acknowledged;
  if (first && at->second.posted) at->second.posted();
}

bool SuRpc::OnData(const SuData& data) {
  coming_.length += data.length;
  if (data.bytes != nullptr) coming_.bytes.insert(coming_.bytes.end(), data.bytes, data.bytes + data.length);
  if (data.left > 0) return true;
  SuCall call = std::move(coming_);
  coming_ = {};
  call.number = data.tag >> 1;
  call.said = data.said;
  if (!IsResponse(data.tag)) {
    server_(call);
  } else if (const auto at = open_.find(call.number); at != open_.end()) {
    const OpenCall open = std::move(at->second);
    open_.erase(at);
    call.times = open.times;
    call.times.completed = data.completed;
    call.times.polled = data.polled;
    open.answer(call);
  }
  return true;
}

bool SuRpc::IsNew(uint64_t tag) const { return !IsResponse(tag); }

void SuRpc::OnEnded(bool) {
  for (const auto& [number, open] : std::exchange(open_, {})) {
    SuCall none;
    none.number = number;
    none.failed = true;
    open.answer(none);
  }
}

}  // namespace headroom
