#include "protocol/storage/su_rpc.h"

namespace headroom {
namespace {

/// A tag is a call's number and, in its lowest bit, whether it is the response.
constexpr uint64_t TagOf(uint64_t number, bool response) { return number << 1 | (response ? 1 : 0); }

}  // namespace

uint64_t SuRpc::Call(uint64_t length, Answer answer, std::vector<uint8_t> bytes) {
  const uint64_t number = calls_++;
  open_.emplace(number, std::move(answer));
  socket_->Write(length, std::move(bytes), TagOf(number, false));
  return number;
}

void SuRpc::Respond(uint64_t number, uint64_t length, std::vector<uint8_t> bytes) {
  socket_->Write(length, std::move(bytes), TagOf(number, true));
}

bool SuRpc::OnData(const SuData& data) {
  coming_.length += data.length;
  if (data.bytes != nullptr) coming_.bytes.insert(coming_.bytes.end(), data.bytes, data.bytes + data.length);
  if (data.left > 0) return true;
  SuCall call = std::move(coming_);
  coming_ = {};
  call.number = data.tag >> 1;
  if ((data.tag & 1) == 0) {
    server_(call);
  } else if (const auto at = open_.find(call.number); at != open_.end()) {
    const Answer answer = std::move(at->second);
    open_.erase(at);
    answer(call);
  }
  return true;
}

void SuRpc::OnEnded(bool) {
  open_.clear();
  if (on_ended_) on_ended_();
}

}  // namespace headroom
