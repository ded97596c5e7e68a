#include "protocol/redis/redis_server.h"

#include <algorithm>
#include <deque>

#include "protocol/redis/redis_key.h"

namespace headroom {

class RedisServer::Connection final : public StreamUser {
 public:
  Connection(RedisServer& server, std::unique_ptr<Stream> stream, size_t thread)
      : server_(server), stream_(std::move(stream)), thread_(thread) {
    stream_->SetUser(*this);
  }
  const Stream& stream() const { return *stream_; }

  /// Nothing more is read until the commands already read are executed.
  void OnReadable() override {
    if (busy_) return;
    const size_t had = in_.size();
    in_.resize(had + stream_->unread());
    stream_->Read(std::span(in_).subspan(had));
    if (!Parse() || commands_.empty()) return;
    busy_ = true;
    const auto n = static_cast<int64_t>(commands_.size());
    const Time parse = server_.p_.parse * n, command = server_.p_.command * n;
    if (thread_ == 0)
      return own().GoOn(CoreWork::operation, parse + command, [this] {
        Execute();
        AskToWrite();
      });
    own().GoOn(CoreWork::operation, parse, [this, command] {
      server_.threads_.front().Do(CoreWork::operation, command, [this] {
        Execute();
        own().Do(CoreWork::operation, Time(0), [this] {
          Write();
          Continue();
        });
      });
    });
  }
  void OnEnded(bool) override { ended_ = true; }

 private:
  static constexpr size_t kMostOfATurn = 64 * 1024;  ///< NET_MAX_WRITES_PER_EVENT

  Process& own() { return server_.threads_[thread_]; }
  /// Parses the complete commands that have arrived. Returns false for any other data, which ends the
  /// connection.
  bool Parse() {
    commands_.clear();
    parsed_ = 0;
    for (;;) {
      const resp::Parsed<resp::Command> next = resp::ParseCommand(std::span(in_).subspan(parsed_));
      const bool wrong = next.wrong || (next.taken > 0 && next.item.key.size() < RedisKey::kShortest);
      if (wrong) {
        ended_ = true;
        stream_->Close();
        return false;
      }
      if (next.taken == 0) return true;
      parsed_ += next.taken;
      commands_.push_back(next.item);
    }
  }
  void Execute() {
    for (const resp::Command& command : commands_) server_.Execute(command, out_);
    server_.requests_[thread_] += commands_.size();
    const bool counted = server_.counts_ && EventQueue::Get().now() >= server_.p_.warmup;
    if (counted) server_.counted_[thread_] += commands_.size();
    in_.erase(in_.begin(), in_.begin() + static_cast<ptrdiff_t>(parsed_));
    busy_ = false;
  }
  void AskToWrite() {
    if (writes_) return;
    writes_ = true;
    own().DoAtEndOfTurn(CoreWork::operation, Time(0), [this] {
      writes_ = false;
      Write();
      Continue();
    });
  }
  void Write() {
    if (ended_) return;
    const size_t n = std::min(kMostOfATurn, out_.size());
    stream_->Write(std::span(out_).first(n));
    out_.erase(out_.begin(), out_.begin() + static_cast<ptrdiff_t>(n));
    if (!out_.empty()) own().Do(CoreWork::operation, Time(0), [this] { Write(); });
  }
  void Continue() {
    if (!ended_ && stream_->unread() > 0) OnReadable();
  }

  RedisServer& server_;
  const std::unique_ptr<Stream> stream_;
  const size_t thread_;
  resp::Bytes in_, out_;
  std::vector<resp::Command> commands_;  ///< positions in `in_`
  size_t parsed_ = 0;                    ///< number of parsed bytes in `in_`
  bool busy_ = false;                    ///< some commands wait to be executed
  bool writes_ = false;                  ///< it writes at the end of this turn
  bool ended_ = false;
};

RedisServer::RedisServer(const Parameters& parameters, std::deque<Process>& threads)
    : p_(parameters),
      threads_(threads),
      store_(parameters.keys, parameters.value),
      requests_(threads.size()),
      counted_(threads.size()) {}
RedisServer::~RedisServer() = default;

void RedisServer::Add(std::unique_ptr<Stream> stream, size_t thread) {
  connections_.emplace_back(*this, std::move(stream), thread);
}

void RedisServer::Execute(const resp::Command& command, resp::Bytes& out) {
  const Key key = RedisKey::Of(command.key);
  if (command.sets) {
    store_.Set(key, command.value);
    return resp::AppendOk(out);
  }
  const auto value = store_.Get(key);
  value ? resp::AppendValue(*value, out) : resp::AppendNil(out);
}

void RedisServer::ForEachQueuePair(const Stream::UseQueuePair& use) const {
  for (const Connection& c : connections_) c.stream().ForEachQueuePair(use);
}

}  // namespace headroom
