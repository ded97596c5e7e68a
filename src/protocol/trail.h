// What led to what, so that the way of an operation can be followed back from its end: pieces of work on
// cores, and between them messages, devices and waits.
//
// A step begins where the one that led to it, its parent, ended. The current step is the one that runs now.
// Work requests that it posts carry its number (SendWr::cause), and so do their completions. At the other
// end, the completions of the RECVs they take and the WRITEs into watched memory carry it too. The last
// kRemembered steps are remembered.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "nic/transport/message_times.h"
#include "workload/operation.h"

namespace headroom {

/// How a piece of work was done that ends now.
struct WorkDone {
  WorkDone(Time taken_up) : begun(taken_up) {}  // NOLINT: most work is no more than that
  WorkDone(Time taken_up, Time for_copies, Time wakes, Time runs)
      : begun(taken_up), copied(for_copies), woke_from(wakes), woke_to(runs) {}
  Time begun;               ///< its core took it up
  Time copied;              ///< part of it in which the core copied data
  Time woke_from, woke_to;  ///< when the thread woke up last
};

class Trail {
 public:
  static constexpr uint64_t kRemembered = 1u << 20;
  /// Parts of a time, by OperationPart.
  using Parts = std::array<Time, kOperationParts>;
  /// One that was waited for: until it came in, or until it ended at its sender.
  struct Message {
    uint32_t number = kNoMessage;
    bool received = false;
  };

  /// Who knows where the time of messages goes; null: nobody. Outlives this.
  void SetTimes(const MessageTimes* times) { times_ = times; }

  /// The step that is being done; 0: none.
  uint64_t current() const { return current_; }
  void SetCurrent(uint64_t step) { current_ = step; }

  /// While it lives, a step is what is being done. Without a trail nothing is.
  class CurrentStep {
   public:
    CurrentStep(Trail* trail, uint64_t step)
        : trail_(trail), before_(trail == nullptr ? 0 : trail->current()) {
      if (trail_ != nullptr) trail_->SetCurrent(step);
    }
    /// The step that `make` adds to the trail.
    template <class Make>
    requires std::invocable<Make, Trail&> CurrentStep(Trail* trail, const Make& make)
        : CurrentStep(trail, trail == nullptr ? 0 : make(*trail)) {}
    ~CurrentStep() {
      if (trail_ != nullptr) trail_->SetCurrent(before_);
    }
    CurrentStep(const CurrentStep&) = delete;
    CurrentStep& operator=(const CurrentStep&) = delete;

   private:
    Trail* trail_;
    uint64_t before_;
  };

  /// Ends now: a piece of work that `cause` led to by way of `via`, that arrived at its core and was begun
  /// there. Returns its number.
  uint64_t Add(uint64_t cause, OperationPart via, Time arrived, const WorkDone& work);
  /// The same for work that a message caused, which had arrived at `arrived`.
  uint64_t Add(uint64_t cause, Message message, Time arrived, const WorkDone& work);
  /// The same for work that a completion caused.
  uint64_t Add(const Wc& wc, const WorkDone& work) {
    return Add(wc.cause, {wc.message, wc.IsReceive()}, wc.times.completed, work);
  }
  /// What has been `since` that step, for which it waited for something until what is being done now arrived,
  /// but no longer than `longest`; then for its core. Returns the step to be named as cause of what is
  /// posted; `since` itself where that is being done now.
  uint64_t Since(uint64_t since, OperationPart waited_for, Time longest = kNever);

  /// The order of the waits of an operation's messages.
  enum class WaitOrder : uint8_t { last_message_first, first_message_first };
  /// The time from `start` to the end of the step `last`, along the way that led there. They sum to it.
  /// `waits`: null, or gets what its messages waited for on their ways.
  Parts Split(uint64_t last, Time start, std::vector<Itinerary::Wait>* waits = nullptr,
              WaitOrder order = WaitOrder::last_message_first) const;

 private:
  struct Step {
    uint64_t parent = 0;
    uint64_t trigger = 0;  ///< its end's cause; 0: none
    Time arrived, begun, ended;
    OperationPart via = OperationPart::other;  ///< from the parent's end to `arrived`
    Message message = {};                      ///< of the completion
    Time copied;                               ///< of begun to ended, its last part
    Time woke;                                 ///< of arrived to begun, its first part: the thread woke up
  };

 public:
  static constexpr size_t kStepBytes = sizeof(Step);  ///< of this process's memory

 private:
  const Step* Find(uint64_t step) const {
    return step == 0 || step + kRemembered < next_ || step >= next_ ? nullptr : &steps_[step % kRemembered];
  }
  uint64_t Append(const Step& step);
  bool SplitMessage(Message message, Time from, Time to, Parts& parts,
                    std::vector<Itinerary::Wait>* waits) const;

  const MessageTimes* times_ = nullptr;
  std::vector<Step> steps_;
  uint64_t next_ = 1, current_ = 0;
};

}  // namespace headroom
