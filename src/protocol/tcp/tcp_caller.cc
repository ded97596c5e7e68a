#include "protocol/tcp/tcp_caller.h"

#include <utility>

namespace headroom {

TcpCaller::TcpCaller(Process& process, const TcpPath& path, const TcpMessageParameters& parameters,
                     Time reopen, uint32_t context)
    : process_(process),
      path_(path),
      parameters_(parameters),
      reopen_(reopen),
      entity_(EventQueue::Get().AddEntity(context)) {}

void TcpCaller::Open(std::function<void()> joined) {
  if (std::exchange(open_, true)) return;
  on_joined_ = std::move(joined);
  Connect();
}

void TcpCaller::Connect() {
  dial_.Connect(path_, [this](const auto& socket) { socket == nullptr ? TryAgain() : OnConnected(socket); });
}

void TcpCaller::OnConnected(const ns3::Ptr<ns3::Socket>& socket) {
  Leave();
  stream_ = std::make_shared<TcpMessages>(socket, process_, parameters_, *this);
  for (auto& [number, call] : calls_) Send(call);
  if (const auto joined = std::exchange(on_joined_, nullptr)) joined();
}

/// The core may still work for it.
void TcpCaller::Leave() {
  if (stream_ == nullptr) return;
  stream_->Close();
  ended_ += stream_->counters();
  stream_ = nullptr;
}

void TcpCaller::TryAgain() {
  EventQueue& events = EventQueue::Get();
  events.PushTarget(events.now() + reopen_, TimedEvent::Order(EventClass::workload, entity_, tries_), this,
                    tries_);
}

void TcpCaller::OnBroken(TcpMessages&) { TryAgain(); }

void TcpCaller::OnEvent(uint64_t number) {
  if (open_ && number == tries_) Connect();
}

void TcpCaller::Call(const TcpSaid& said, uint32_t length, std::vector<uint8_t> bytes, Done done,
                     std::function<void()> posted) {
  OpenCall& call = calls_[next_];
  call.header.number = next_++;
  call.header.length = length;
  call.header.said = said;
  call.bytes = std::move(bytes);
  call.done = std::move(done);
  call.posted = std::move(posted);
  call.since = process_.step();
  if (joined()) Send(call);
}

void TcpCaller::Send(OpenCall& call) {
  const bool waited = call.since != process_.step();
  if (waited) call.since = process_.StepSince(call.since, OperationPart::connection);
  ++call.sent;
  stream_->Send(call.header, call.bytes, call.since);
}

void TcpCaller::OnBegun(const TcpMessage& message) {
  const auto at = calls_.find(message.number);
  if (at == calls_.end() || at->second.times.posted != kNever) return;
  at->second.times.posted = EventQueue::Get().now();
  if (at->second.posted) at->second.posted();
}

void TcpCaller::OnMessage(TcpMessages&, const TcpMessage& message, std::vector<uint8_t> bytes, Time arrived,
                          Time taken) {
  const auto at = message.answer ? calls_.find(message.number) : calls_.end();
  if (at == calls_.end()) return;
  OpenCall call = std::move(at->second);
  calls_.erase(at);
  call.times.completed = arrived;
  call.times.polled = taken;
  call.done({false, message.said, std::move(bytes), call.times, call.sent - 1});
}

void TcpCaller::Close() {
  if (!std::exchange(open_, false)) return;
  ++tries_;
  dial_.Close();
  Leave();
  for (auto& [number, call] : std::exchange(calls_, {})) {
    TcpAnswer none;
    none.failed = true;
    none.times = call.times;
    call.done(std::move(none));
  }
}

TcpCounters TcpCaller::counters() const {
  TcpCounters all = ended_;
  if (stream_ != nullptr) all += stream_->counters();
  return all;
}

}  // namespace headroom
