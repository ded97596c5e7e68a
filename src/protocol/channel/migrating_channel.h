// A channel with two legs to one server, which moves between them: RDMA, and TCP on standby.
//
// New calls go over the active leg. A move opens the other leg and makes it active once it is joined. Open
// calls drain on their own leg while that is joined. If it is broken, the move is immediate: open calls are
// repeated on the other leg under the same request, and later answers of the broken one are ignored. So the
// server may get a request twice, and executes it once (duplicate_filter.h). A leg that nothing waits for is
// closed, and opened again before its next use.
//
// Source: Bai et al., NSDI 2023, section 3.3: connections are closed and reopened on the other transport.
#pragma once

#include <list>
#include <map>

#include "protocol/channel/storage_call.h"
#include "protocol/trail.h"

namespace headroom {

class MigratingChannel final : public StorageChannel {
 public:
  enum class Way : uint8_t { main, standby };
  /// It begins with the main way. All outlive this; `trail` may be null.
  MigratingChannel(StorageChannel& main, StorageChannel& standby, Trail* trail);

  void Open(std::function<void()> joined) override;
  void Call(StorageCall call, Done done) override;
  void Close() override;
  size_t open() const override { return calls_.size(); }
  bool joined() const override { return At(active_).channel->joined(); }
  /// Both ways'.
  void Count(StorageRecord& record) const override;
  void ForEachQueuePair(const UseQueuePair& use) const override;

  /// The way of new calls.
  Way active() const { return active_; }
  /// It waits for the other way to be joined, and is active there then.
  bool moving() const { return moving_; }
  /// Calls that wait for this leg, and when the oldest began to wait: kNever without any.
  size_t waiting(Way way) const { return At(way).waiting.size(); }
  Time waiting_since(Way way) const { return At(way).waiting.empty() ? kNever : At(way).waiting.front(); }
  /// Whether this way, once joined, is so no more; and whether it is.
  bool lost(Way way) const { return At(way).attached && !At(way).channel->joined(); }
  bool joined(Way way) const { return At(way).attached && At(way).channel->joined(); }

  /// The other way, as soon as it is joined.
  void Move();
  /// Switches to the other leg at once, because this one is broken.
  void Abandon();
  /// Calls that still wait for the inactive leg are repeated.
  void StopDraining();
  /// Opens the way that is not active, to see whether it works, and keeps it open.
  void TryOther();
  /// Does not keep it open any more.
  void StopTrying();

 private:
  struct End {
    StorageChannel* channel = nullptr;
    bool open = false, attached = false;
    bool kept = false;        ///< open though nothing waits for it
    std::list<Time> waiting;  ///< since when calls do, the oldest first
    uint32_t openings = 0;
  };
  struct OpenCall {
    StorageCall call;
    Done done;
    Way way = Way::main;
    uint32_t asked = 0;                 ///< how often
    std::list<Time>::iterator since{};  ///< among those that wait for that way
    uint64_t step = 0;                  ///< the step that asked
  };
  using Calls = std::map<uint64_t, OpenCall>;

  static Way Other(Way way) { return way == Way::main ? Way::standby : Way::main; }
  End& At(Way way) { return ends_[static_cast<size_t>(way)]; }
  const End& At(Way way) const { return ends_[static_cast<size_t>(way)]; }
  void OpenWay(Way way);
  void OnJoined(Way way, uint32_t opening);
  void Switch();
  void Ask(uint64_t number, OpenCall& open);
  void AskAgain(Way from);
  void OnAnswer(uint64_t number, uint32_t asked, StorageAnswer answer);
  void CloseIfIdle(Way way);

  End ends_[2];
  Trail* trail_;
  Way active_ = Way::main;
  bool moving_ = false, closed_ = false;
  Calls calls_;  ///< by number, in the order in which they came
  uint64_t next_ = 0;
  std::function<void()> on_joined_;
  uint64_t moves_[2] = {};  ///< to this way
  uint64_t asked_again_ = 0;
  uint64_t late_ = 0;       ///< answers that came over the inactive leg
  uint64_t bytes_[2] = {};  ///< of data, by the leg that answered
};

}  // namespace headroom
