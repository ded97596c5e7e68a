// A channel controlled by a test.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "protocol/channel/storage_call.h"

namespace headroom {

/// One leg: a call waits, is on its way, is at the server, and has its answer on its way. Calls on their way
/// when the leg is closed may still reach the server; their answers do not return.
class StepByStep final : public StorageChannel {
 public:
  explicit StepByStep(StorageServer& server) : server_(server) {}
  void Open(std::function<void()> joined) override {
    opened = true;
    on_joined_ = std::move(joined);
    if (joins_at_once) Join();
  }
  void Join() {
    is_joined = true;
    if (on_joined_) std::exchange(on_joined_, {})();
  }
  void Call(StorageCall call, Done done) override {
    EXPECT_TRUE(opened);
    calls_.push_back(std::make_shared<Item>(Item{std::move(call), std::move(done), 0}));
  }
  void Close() override {
    opened = is_joined = false;
    ++closed;
    on_joined_ = {};
    for (const auto& item : calls_) ended_.push_back(item);
    if (fails_at_once) FailEnded();
  }
  /// Waiters on a closed channel get a failure.
  void FailEnded() {
    for (const auto& item : std::exchange(ended_, {})) {
      if (item->done) std::exchange(item->done, {})(StorageAnswer{OperationStatus::failed, {}, {}, 0, 0});
    }
  }
  /// Advances the i-th call under way; returns false if it cannot.
  bool Step(size_t i = 0) {
    if (i >= calls_.size()) return false;
    const std::shared_ptr<Item> item = calls_[i];
    if (item->stage == 0 && !is_joined) return false;
    if (item->stage == 2 || (item->stage == 3 && !item->done)) return false;
    if (++item->stage == 2) {
      server_.Execute(item->call, [item](OperationStatus status, std::vector<uint8_t>) {
        item->stage = 3;
        item->status = status;
      });
    } else if (item->stage == 4) {
      calls_.erase(calls_.begin() + static_cast<std::ptrdiff_t>(i));
      std::exchange(item->done, {})(StorageAnswer{item->status, {}, {}, 0, 0});
    }
    return true;
  }
  size_t open() const override { return calls_.size(); }
  bool joined() const override { return is_joined; }
  void Count(StorageRecord&) const override {}
  void ForEachQueuePair(const UseQueuePair&) const override {}

  bool opened = false, is_joined = false, fails_at_once = true, joins_at_once = false;
  int closed = 0;

 private:
  struct Item {
    StorageCall call;
    Done done;
    int stage = 0;
    OperationStatus status = OperationStatus::ok;
  };
  StorageServer& server_;
  std::function<void()> on_joined_;
  std::vector<std::shared_ptr<Item>> calls_, ended_;
};

}  // namespace headroom
