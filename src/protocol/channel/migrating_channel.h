// A channel with two legs to one server, RDMA and TCP on standby, which moves between them.
//
// New calls go over the active leg. A move opens the other leg and makes it active once it is joined. Open
// calls drain on their own leg while that leg is connected. If it is broken, the move is immediate: open
// calls are repeated on the other leg under the same request, and later answers of the broken leg are
// ignored. So the server may get a request twice, and executes it once (duplicate_filter.h). A leg for which
// no call waits is closed, and opened again before its next use.
//
// Source: Bai et al., NSDI 2023, section 4.1: connections are closed and reopened on the other transport.
#pragma once

#include <list>
#include <map>

#include "protocol/channel/storage_call.h"
#include "protocol/trail.h"

namespace headroom {

class MigratingChannel final : public StorageChannel {
 public:
  enum class Path : uint8_t { main, standby };
  /// The channel begins with the main leg. All must outlive this object; `trail` may be null.
  MigratingChannel(StorageChannel& main, StorageChannel& standby, Trail* trail);

  void Open(std::function<void()> joined) override;
  void Call(StorageCall call, Done done) override;
  void Close() override;
  size_t open() const override { return calls_.size(); }
  bool joined() const override { return At(active_).channel->joined(); }
  /// The counts of both legs.
  void Count(StorageRecord& record) const override;
  void ForEachQueuePair(const UseQueuePair& use) const override;

  /// The leg for new calls.
  Path active() const { return active_; }
  /// Whether it waits until the other leg is connected, which then becomes active.
  bool moving() const { return moving_; }
  /// The number of calls that wait for this leg, and the start of the oldest wait; kNever if there is none.
  size_t waiting(Path path) const { return At(path).waiting.size(); }
  Time waiting_since(Path path) const { return At(path).waiting.empty() ? kNever : At(path).waiting.front(); }
  /// Whether this leg was connected and is no longer; and whether it is connected.
  bool lost(Path path) const { return At(path).attached && !At(path).channel->joined(); }
  bool joined(Path path) const { return At(path).attached && At(path).channel->joined(); }

  /// Moves to the other leg as soon as that is connected.
  void Move();
  /// Switches to the other leg immediately, because the current leg is broken.
  void Abandon();
  /// Calls that still wait for the inactive leg are repeated.
  void StopDraining();
  /// Opens the inactive leg, to test whether it works, and keeps it open.
  void TryOther();
  /// Stops keeping the inactive leg open.
  void StopTrying();

 private:
  struct End {
    StorageChannel* channel = nullptr;
    bool open = false, attached = false;
    bool kept = false;        ///< kept open although no call waits for it
    std::list<Time> waiting;  ///< start times of waiting calls, the oldest first
    uint32_t openings = 0;
  };
  struct OpenCall {
    StorageCall call;
    Done done;
    Path path = Path::main;
    uint32_t asked = 0;                 ///< number of times that the call was sent
    std::list<Time>::iterator since{};  ///< its place among the waiting calls of that leg
    uint64_t step = 0;                  ///< the step that made the call
  };
  using Calls = std::map<uint64_t, OpenCall>;

  static Path Other(Path path) { return path == Path::main ? Path::standby : Path::main; }
  End& At(Path path) { return ends_[static_cast<size_t>(path)]; }
  const End& At(Path path) const { return ends_[static_cast<size_t>(path)]; }
  void OpenPath(Path path);
  void OnJoined(Path path, uint32_t opening);
  void Switch();
  void Ask(uint64_t number, OpenCall& open);
  void AskAgain(Path from);
  void OnAnswer(uint64_t number, uint32_t asked, StorageAnswer answer);
  void CloseIfIdle(Path path);

  End ends_[2];
  Trail* trail_;
  Path active_ = Path::main;
  bool moving_ = false, closed_ = false;
  Calls calls_;  ///< keyed by number, in order of arrival
  uint64_t next_ = 0;
  std::function<void()> on_joined_;
  uint64_t moves_[2] = {};  ///< number of moves to this leg
  uint64_t asked_again_ = 0;
  uint64_t late_ = 0;       ///< answers that came over the inactive leg
  uint64_t bytes_[2] = {};  ///< data bytes, by the leg that answered
};

}  // namespace headroom
