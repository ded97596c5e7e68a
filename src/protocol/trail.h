// Records causes and effects, so that the path of an operation can be followed back from its end: pieces of
// work on cores, and between them messages, devices and waits.
//
// A step begins where its parent, the step that caused it, ended. The current step is the one that runs now.
// Work requests that it posts carry its number (SendWr::cause), and so do their completions. At the other
// end, the completions of the RECVs that they use and the WRITEs into watched memory carry it too.
//
// Each host has the steps of its own events; a step's number names its host. The last steps of each host are
// remembered, kRemembered in all. Parts of a network (sim/parts.h) may run ahead of each other by less than
// the longest window. So a step is forgotten one such window after enough later steps of its host: until then
// no part forgets it, and from then on every part does.
//
// If several ranks (sim/parts.h) run the hosts of services, they send each other their steps after each
// window. So each of them knows all steps.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "net/identifiers.h"
#include "sim/exchange.h"
#include "sim/parts.h"
#include "workload/operation.h"

namespace headroom {

class MessageTimes;

/// How a piece of work that ends now was done.
struct WorkDone {
  WorkDone(Time taken_up) : begun(taken_up) {}  // NOLINT: most work needs only this
  WorkDone(Time taken_up, Time for_copies, Time wakes, Time runs)
      : begun(taken_up), copied(for_copies), woke_from(wakes), woke_to(runs) {}
  Time begun;               ///< time when its core took it up
  Time copied;              ///< the part in which the core copied data
  Time woke_from, woke_to;  ///< the thread's last wake-up
};

class Trail final : public Freight {
 public:
  static constexpr uint64_t kRemembered = 1u << 20;
  /// Parts of a time, by OperationPart.
  using Parts = std::array<Time, kOperationParts>;
  /// A message that was waited for: until it arrived, or until it ended at its sender.
  struct Message {
    uint32_t number = kNoMessage;
    bool received = false;
  };

  /// `hosts`: number of hosts with steps. `window`: no part of the network runs ahead of another by as much,
  /// wherever the network is cut.
  explicit Trail(size_t hosts = 1, Time window = Time(0))
      : remembered_(RememberedEach(kRemembered, hosts, 64)), window_(window) {}

  /// Sets the source of the parts of messages' times, or null. It must outlive this object.
  void SetTimes(const MessageTimes* times) { times_ = times; }

  /// Other ranks run hosts with steps, too. REQUIRES: there is no step yet; all ranks call it.
  void JoinRanks() {
    shares_ = true;
    headroom::Parts::Get().Add(*this);
  }

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

  // Freight: the steps of this rank's hosts since the last window.
  void Pack(int, Packer& to) override { to(news_); }
  void Sent() override { news_.clear(); }
  void Unpack(int, Unpacker& from) override;

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
  /// The last steps of a host.
  struct OfHost {
    std::vector<Step> ring;  ///< indexed by the last bits of a step's count
    uint64_t next = 0;       ///< count of the next step
    Step& At(uint64_t count) { return ring[count & (ring.size() - 1)]; }
    const Step& At(uint64_t count) const { return ring[count & (ring.size() - 1)]; }
  };
  /// A number is the host's place in hosts_, from 1 on, then the step's count there.
  static constexpr int kCountBits = 40;

  /// Null if there is no such step, or no longer.
  const Step* Find(uint64_t step) const;
  uint64_t Append(const Step& step);
  uint64_t AppendAt(size_t place, const Step& step);
  void MakeRoom(OfHost& host, Time now) const;
  bool SplitMessage(Message message, Time from, Time to, Parts& parts,
                    std::vector<Itinerary::Wait>* waits) const;

  const MessageTimes* times_ = nullptr;
  uint64_t remembered_;  ///< so many later steps of its host do not make a step be forgotten
  Time window_;
  /// Indexed by 1 + ns-3 node; the first one has the steps of events of no node that act on no node.
  std::vector<OfHost> hosts_;
  struct News {
    uint64_t place = 0;
    Step step;
  };
  bool shares_ = false;
  std::vector<News> news_;  ///< if it shares
  uint64_t current_ = 0;
};

}  // namespace headroom
