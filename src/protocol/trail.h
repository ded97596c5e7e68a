// Records causes and effects, so that the path of an operation can be followed back from its end: pieces of
// work on cores, and between them messages, devices and waits.
//
// A step begins where its parent, the step that caused it, ended. The current step is the one that runs now.
// Work requests that it posts carry its number (SendWr::cause), and so do their completions. At the other
// end, the completions of the RECVs that they use and the WRITEs into watched memory carry it too. The last
// kRemembered steps are remembered.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "nic/transport/message_times.h"
#include "workload/operation.h"

namespace headroom {

/// How a piece of work that ends now was done.
struct WorkDone {
  WorkDone(Time taken_up) : begun(taken_up) {}  // NOLINT: most work needs only this
  WorkDone(Time taken_up, Time for_copies, Time wakes, Time runs)
      : begun(taken_up), copied(for_copies), woke_from(wakes), woke_to(runs) {}
  Time begun;               ///< time when its core took it up
  Time copied;              ///< the part in which the core copied data
  Time woke_from, woke_to;  ///< the thread's last wake-up
};

class Trail {
 public:
  static constexpr uint64_t kRemembered = 1u << 20;
  /// Parts of a time, by OperationPart.
  using Parts = std::array<Time, kOperationParts>;
  /// A message that was waited for: until it arrived, or until it ended at its sender.
  struct Message {
    uint32_t number = kNoMessage;
    bool received = false;
  };

  /// Sets the source of the parts of messages' times, or null. It must outlive this object.
  void SetTimes(const MessageTimes* times) { times_ = times; }

  /// The current step; 0 if there is none.
  uint64_t current() const { return current_; }
  void SetCurrent(uint64_t step) { current_ = step; }

  /// While an object lives, its step is the current one. Without a trail there is no current step.
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

  /// A piece of work ends now. `cause` led to it through `via`; it arrived at its core and was begun there.
  /// Returns its number.
  uint64_t Add(uint64_t cause, OperationPart via, Time arrived, const WorkDone& work);
  /// Adds a piece of work that a message caused. The message had arrived at `arrived`.
  uint64_t Add(uint64_t cause, Message message, Time arrived, const WorkDone& work);
  /// Adds a piece of work that a completion caused.
  uint64_t Add(const Wc& wc, const WorkDone& work) {
    return Add(wc.cause, {wc.message, wc.IsReceive()}, wc.times.completed, work);
  }
  /// Work that has been pending since the step `since`: it waited for `via` until the current work arrived,
  /// but at most for `longest`, then for its core. Returns the step to name as the cause of posted requests;
  /// `since` itself if that is the current step.
  uint64_t Since(uint64_t since, OperationPart waited_for, Time longest = kNever);

  /// The order of the waits of an operation's messages.
  enum class WaitOrder : uint8_t { last_message_first, first_message_first };
  /// The parts of the time from `start` to the end of the step `last`, along the path to it. Their sum is
  /// that time. `waits`: null, or gets the waits of its messages along their paths.
  Parts Split(uint64_t last, Time start, std::vector<Itinerary::Wait>* waits = nullptr,
              WaitOrder order = WaitOrder::last_message_first) const;

 private:
  struct Step {
    uint64_t parent = 0;
    uint64_t trigger = 0;  ///< cause of its end; 0: none
    Time arrived, begun, ended;
    OperationPart via = OperationPart::other;  ///< from the parent's end to `arrived`
    Message message = {};                      ///< message of the completion
    Time copied;                               ///< the last part of the span from begun to ended
    Time woke;  ///< the first part of the span from arrived to begun: the thread woke up
  };

 public:
  static constexpr size_t kStepBytes = sizeof(Step);  ///< bytes of this process's memory

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
