// Streams instead of TCP's: written bytes reach the peer after a delay, in order, without loss.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "protocol/stream/stream.h"
#include "sim/event_queue.h"

namespace headroom {

class PipeStream final : public Stream, public EventTarget {
 public:
  PipeStream(Process& process, uint32_t context, Time delay)
      : process_(process), entity_(EventQueue::Get().AddEntity(context)), delay_(delay) {}
  void Join(PipeStream& peer) { peer_ = &peer; }

  void Open() { peer_->After(kOpen, 1), After(kOpen, 2); }
  void Write(std::span<const uint8_t> bytes) override {
    if (ended_ || bytes.empty()) return;
    written += bytes.size();
    peer_->coming_.emplace_back(bytes.begin(), bytes.end());
    peer_->After(kBytes, 1);
  }
  size_t Read(std::span<uint8_t> bytes) override {
    const size_t n = std::min(bytes.size(), unread_.size());
    std::copy_n(unread_.begin(), n, bytes.begin());
    unread_.erase(unread_.begin(), unread_.begin() + static_cast<ptrdiff_t>(n));
    return n;
  }
  uint64_t unsent() const override { return 0; }
  uint64_t unread() const override { return unread_.size(); }
  void Close() override {
    if (!std::exchange(ended_, true)) peer_->After(kEnd, 1);
  }
  bool open() const override { return open_ && !ended_; }

  void OnEvent(uint64_t what) override {
    process_.Do(CoreWork::tcp, Time(0), [this, what] { Come(what); });
  }

  uint64_t written = 0;

 private:
  enum What : uint64_t { kOpen, kBytes, kEnd };
  void After(What what, int delays) {
    EventQueue& events = EventQueue::Get();
    events.PushTarget(events.now() + delay_ * delays,
                      TimedEvent::Order(EventClass::workload, entity_, ++events_), this, what);
  }
  void Come(uint64_t what) {
    if (ended_) return;
    if (what == kOpen) {
      open_ = true;
      user().OnOpen();
    } else if (what == kBytes) {
      unread_.insert(unread_.end(), coming_.front().begin(), coming_.front().end());
      coming_.pop_front();
      user().OnReadable();
    } else {
      ended_ = true;
      user().OnEnded(false);
    }
  }

  Process& process_;
  const EntityId entity_;
  const Time delay_;
  PipeStream* peer_ = nullptr;
  std::deque<std::vector<uint8_t>> coming_;
  std::vector<uint8_t> unread_;
  bool open_ = false, ended_ = false;
  uint64_t events_ = 0;
};

class PipeCarrier final : public StreamCarrier {
 public:
  explicit PipeCarrier(Time delay) : delay_(delay) {}
  Ends Make(const StreamSite& opener, const StreamSite& accepter, const std::string&) override {
    auto from = std::make_unique<PipeStream>(*opener.process, opener.host, delay_);
    auto to = std::make_unique<PipeStream>(*accepter.process, accepter.host, delay_);
    from->Join(*to);
    to->Join(*from);
    return {std::move(from), std::move(to)};
  }
  void Open(Stream& opener) override { static_cast<PipeStream&>(opener).Open(); }

 private:
  const Time delay_;
};

}  // namespace headroom
