// What led to what, so that the way of an operation can be followed back from its end: pieces of work on
// cores, and between them messages, devices and waits.
//
// A step begins where the one that led to it, its parent, ended. What is done now is the current step: work
// requests that it posts carry its number (SendWr::cause), and so do their completions and those of the RECVs
// that they take, at the other end. The last kRemembered steps are remembered.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "nic/transport/message_times.h"
#include "workload/operation.h"

namespace headroom {

class Trail {
 public:
  static constexpr uint64_t kRemembered = 1u << 20;
  /// Parts of a time, by OperationPart.
  using Parts = std::array<Time, kOperationParts>;
  /// What the time of an operation went to so far, where who carries it follows it itself.
  struct Account {
    Parts parts{};
    std::vector<Itinerary::Wait> waits;  ///< of its messages, on their ways

    void Add(OperationPart part, Time time) { parts[static_cast<size_t>(part)] += time; }
  };
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

  /// Ends now: a piece of work that `cause` led to by way of `via`, that arrived at its core and was begun
  /// there. Returns its number.
  uint64_t Add(uint64_t cause, OperationPart via, Time arrived, Time begun);
  /// The same of what a completion led to.
  uint64_t Add(const Wc& wc, Time begun);
  /// What has been `since` that step, for which it waited for something until what is being done now arrived,
  /// but no longer than `longest`; then for its core. Returns the step to be named as cause of what is
  /// posted; `since` itself where that is being done now.
  uint64_t Since(uint64_t since, OperationPart waited_for, Time longest = kNever);

  /// The time from `start` to the end of the step `last`, along the way that led there. They sum to it.
  /// `waits`: null, or gets what its messages waited for on their ways, the last message's first.
  Parts Split(uint64_t last, Time start, std::vector<Itinerary::Wait>* waits = nullptr) const;
  /// Adds the time from `from` to `to`, in which this message was posted and waited for: as its parts, or, if
  /// nothing is known of it, as `network`.
  void AddMessage(Message message, Time from, Time to, Account& account) const;

 private:
  struct Step {
    uint64_t parent = 0;
    uint64_t trigger = 0;  ///< what ended the wait; 0: there was none
    Time arrived, begun, ended;
    OperationPart via = OperationPart::other;  ///< from the parent's end to `arrived`
    Message message = {};                      ///< of the completion
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
