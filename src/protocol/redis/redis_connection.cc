#include "protocol/redis/redis_connection.h"

#include <algorithm>

#include "protocol/keyvalue/versioned_value.h"
#include "protocol/redis/redis_key.h"

namespace headroom {

RedisConnection::RedisConnection(const Parameters& parameters, Process& process, StreamCarrier& carrier,
                                 std::unique_ptr<Stream> stream)
    : p_(parameters), process_(process), carrier_(carrier), stream_(std::move(stream)) {
  stream_->SetUser(*this);
}

void RedisConnection::Open(std::function<void()> joined) {
  joined_ = std::move(joined);
  carrier_.Open(*stream_);
}

void RedisConnection::OnOpen() {
  joined_();
  AskToWrite();
}

void RedisConnection::Call(RedisCall call, Done done) {
  waiting_.PushBack({call, std::move(done)});
  AskToWrite();
}

void RedisConnection::AskToWrite() {
  if (writes_ || !pending_.Empty() || waiting_.Empty() || !stream_->open()) return;
  writes_ = true;
  process_.Do(
      CoreWork::operation, [this] { return CostOf(std::min(waiting_.Size(), p_.pipeline)); },
      [this] { WriteBatch(); });
}

void RedisConnection::WriteBatch() {
  writes_ = false;
  if (!stream_->open()) return;
  out_.clear();
  while (!waiting_.Empty() && pending_.Size() < p_.pipeline) {
    Asked& asked = waiting_.Front();
    const RedisCall& call = asked.call;
    const RedisKey key(call.key, p_.key);
    if (call.sets) {
      FillVersion(call.key, call.version, resp::AppendSet(key.bytes(), call.bytes, out_));
    } else {
      resp::AppendGet(key.bytes(), out_);
    }
    pending_.PushBack(std::move(asked));
    waiting_.PopFront();
  }
  stream_->Write(out_);
}

void RedisConnection::OnReadable() {
  const size_t had = in_.size();
  in_.resize(had + stream_->unread());
  stream_->Read(std::span(in_).subspan(had));
  replies_.clear();
  parsed_ = 0;
  for (;;) {
    const resp::Parsed<resp::Reply> next = resp::ParseReply(std::span(in_).subspan(parsed_));
    const bool surplus = next.taken > 0 && replies_.size() == pending_.Size();
    if (next.wrong || surplus) {
      stream_->Close();
      return OnEnded(true);
    }
    if (next.taken == 0) break;
    parsed_ += next.taken;
    replies_.push_back(next.item);
  }
  if (replies_.empty()) return;
  process_.GoOn(CoreWork::operation, CostOf(replies_.size()), [this] { TakeReplies(); });
}

void RedisConnection::TakeReplies() {
  using What = resp::Reply::What;
  for (const resp::Reply& reply : replies_) {
    if (pending_.Empty()) return;  // the stream has ended
    const Asked asked = std::move(pending_.Front());
    pending_.PopFront();
    const bool fits = asked.call.sets == (reply.what == What::ok);
    asked.done(
        {fits ? OperationStatus::ok : OperationStatus::failed, reply.what == What::value, reply.value});
  }
  in_.erase(in_.begin(), in_.begin() + static_cast<ptrdiff_t>(parsed_));
  AskToWrite();
}

/// Waiting calls were not begun: they stay open.
void RedisConnection::OnEnded(bool) {
  while (!pending_.Empty()) {
    const Asked asked = std::move(pending_.Front());
    pending_.PopFront();
    asked.done({OperationStatus::failed, false, {}});
  }
}

}  // namespace headroom
