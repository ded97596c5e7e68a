// A sender's requests for contexts at its receiver, and contexts for its READs.
//
// Source: Wang et al., A fast RDMA method for unreliable networks: a message first requests a context, and
// repeats a refused request later. Ours: contexts are requested and granted in the order of a queue pair's
// messages, for up to `ahead` of them, so that messages that wait for each other cannot hold all contexts.
#pragma once

#include <functional>
#include <optional>

#include "nic/transport/message_parts.h"
#include "nic/transport/nic_interface.h"
#include "nic/transport/recovery/context_table.h"
#include "nic/transport/requester.h"
#include "sim/deque.h"

namespace headroom {

/// A grant of a context, or its refusal because none is free; other syndromes are those of RNR.
inline constexpr uint8_t kGranted = 0, kNoContext = 1;
/// Bits of a message's number in its packets.
inline constexpr uint32_t kMessageIdBits = 20;
/// Whether two numbers are equal on the wire.
constexpr bool SameMessageId(uint32_t a, uint32_t b) { return ((a ^ b) << (32 - kMessageIdBits)) == 0; }

class ContextRequests {
 public:
  /// A message that requests a context, or has one.
  struct Asked {
    enum class State : uint8_t { asked, refused, granted };
    uint32_t number = 0;
    uint64_t first_psn = 0, end_psn = 0;
    State state = State::asked;
    std::optional<MessagePart> waited;  ///< after a refusal: its cause
    bool again = false;                 ///< the request was sent again
    bool sent = false;                  ///< all of it has been sent once
    Time due;                           ///< after this time the silence is too long
    uint32_t context = ContextTable::kNone;
    Time retry_at;
  };
  /// `holds`: whether the READ with this first PSN has a context at this end.
  ContextRequests(Requester& r, std::function<bool(uint64_t)> holds)
      : r_(r), p_(r.nic().constants().transport.recovery), holds_(std::move(holds)) {}

  /// Requests contexts for all messages that may have one. It stops at a step that is not taken, a fence, or
  /// a READ that has no context here. Messages behind these would wait while they keep contexts from others,
  /// which may be needed first.
  void Ask();
  /// Repeats a refused request, if its time has come.
  void AskRefused() {
    if (!asked_.empty() && asked_.back().state == Asked::State::refused) Ask();
  }
  /// Whether a request has had no answer for `timer`.
  bool Overdue(const Asked& asked) const {
    return asked.state == Asked::State::asked && asked.due <= r_.nic().now();
  }
  /// Repeats a request.
  void AskAgain(Asked& asked);
  /// Takes the answer to a request. Returns false if no message awaits it.
  bool OnGrant(const Frame& grant);
  /// A context for a READ at this end; kNone if none is free. Then the requester is woken for the next try.
  uint32_t TakeForRead(ContextUser& user, const SendRequest& read);
  /// Whether a request has no answer yet.
  bool Awaits() const;
  /// Whether the message has a context.
  bool Granted(uint64_t first_psn) {
    const Asked* const asked = Find(first_psn);
    return asked != nullptr && asked->state == Asked::State::granted;
  }
  /// Further messages have been executed.
  void OnExecuted();
  /// The message with this first PSN; null if it requests no context, or is executed.
  Asked* Find(uint64_t first_psn);
  /// Messages that are not executed, in order.
  Deque<Asked>& asked() { return asked_; }
  const Deque<Asked>& asked() const { return asked_; }
  void Forget();

 private:
  void SendAsk(Asked& asked, const SendRequest& request, uint32_t index);
  void Refused(Asked& asked, uint8_t syndrome);
  void Note(const Asked& asked, std::optional<MessagePart> waited) const;

  Requester& r_;
  const RecoveryParameters& p_;
  const std::function<bool(uint64_t)> holds_;
  Deque<Asked> asked_;
  uint64_t asked_to_ = 0;  ///< PSN of the next message that has not requested a context
  uint32_t next_number_ = 0;
  bool reading_refused_ = false;
  Time reading_retry_;  ///< no READ takes a context before this time
};

}  // namespace headroom
