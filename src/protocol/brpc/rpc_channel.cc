#include "protocol/brpc/rpc_channel.h"

#include <utility>

namespace headroom {

void RpcChannel::Open(std::function<void()> joined) {
  on_joined_ = std::move(joined);
  carrier_.Open(stream_);
}

void RpcChannel::OnOpen() {
  if (on_joined_) std::exchange(on_joined_, {})();
}

void RpcChannel::Call(RpcCall call, Done done) {
  const uint64_t id = next_++;
  calls_.emplace(id, std::move(done));
  process_.Do(CoreWork::operation, message_, [this, id, call] {
    const auto at = calls_.find(id);
    if (at == calls_.end()) return;
    if (ended_) {
      const Done fail = std::move(at->second);
      calls_.erase(at);
      return fail({OperationStatus::failed});
    }
    RpcMessage request;
    request.id = id;
    request.payload = call.request;
    request.answer_size = call.answer;
    ++record_.requests;
    stream_.Write(request.Text());
  });
}

void RpcChannel::OnReadable() {
  const bool understood = reader_.Read(stream_, [this](const RpcMessage& message, bool sound) {
    if (message.answer) OnAnswer(message, sound);
  });
  if (!understood) Close();
}

void RpcChannel::OnAnswer(const RpcMessage& answer, bool sound) {
  ++record_.answers;
  record_.corrupt += !sound;
  process_.Do(CoreWork::operation, message_, [this, id = answer.id, sound] {
    const auto at = calls_.find(id);
    if (at == calls_.end()) return;
    const Done done = std::move(at->second);
    calls_.erase(at);
    done({sound ? OperationStatus::ok : OperationStatus::corrupt});
  });
}

void RpcChannel::OnEnded(bool) { FailAll(); }

void RpcChannel::Close() {
  stream_.Close();
  FailAll();
}

void RpcChannel::FailAll() {
  ended_ = true;
  for (auto& [id, done] : std::exchange(calls_, {})) done({OperationStatus::failed});
}

void RpcChannel::Count(RpcRecord& record) const {
  record.requests += record_.requests;
  record.answers += record_.answers;
  record.corrupt += record_.corrupt;
}

void RpcServer::OnReadable() {
  const bool understood = reader_.Read(stream_, [this](const RpcMessage& message, bool sound) {
    record_.corrupt += !sound;
    if (!message.answer) OnRequest(message);
  });
  if (!understood) stream_.Close();
}

void RpcServer::OnRequest(const RpcMessage& request) {
  process_.Do(CoreWork::operation, message_ + handler_ + message_, [this, request] {
    RpcMessage answer;
    answer.answer = true;
    answer.id = request.id;
    answer.payload = request.answer_size;
    ++record_.answers;
    stream_.Write(answer.Text());
  });
}

void RpcServer::Count(RpcRecord& record) const { record.corrupt += record_.corrupt; }

}  // namespace headroom
