// Splits the time of messages into parts, where it passes: at their queue pair until the packet leaves that
// ends them, then along that packet's way and its ACK's, which an Itinerary brings back.
//
// Every message has a mark up to which its time is accounted for. Each call adds a span to one part and moves
// the mark by it. So the parts sum to the whole, whatever happens.
//
// Messages of bulk are all kept. Messages with a work request belong to programs that follow causes
// (SendWr::cause). The last kRememberedOfVerbs of them are remembered: their arrival at the receiver, and
// their end.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "net/port.h"
#include "net/stopped_spans.h"
#include "nic/transport/message_parts.h"
#include "nic/transport/send_request.h"
#include "nic/transport/wait_log.h"
#include "sim/ring.h"

namespace headroom {

class MessageTimes {
 public:
  /// `hops`: switches on the longest way.
  MessageTimes(FramePool& frames, size_t hops) : frames_(frames), own_(hops) {}
  OwnPackets& own_packets() { return own_; }
  /// Packets of a message may come in another order than they were sent. REQUIRES: before the first message.
  void SetAnyOrder() { any_order_ = true; }

  /// The number of a message that has a work request. A message of UC or UD ends at its arrival.
  uint32_t NewNumber() { return kOfVerbs + (next_++ & (kOfVerbs / 2 - 1)); }
  /// One is posted, behind a registration that takes `registers`.
  void OnPosted(const SendRequest& request, Time now, Time registers);
  /// A queue pair that had nothing to do has something, not before `earliest`.
  void OnWoken(NodeId host, uint32_t requester, Time now, Time earliest);
  /// How a data frame was made.
  struct Made {
    Time eligible;         ///< not before, for the limiter
    Time cut = Time(-1);   ///< its rate had last been cut then when `eligible` was set; negative: never
    Time piped{};          ///< through the transmit pipeline
    bool repeats = false;  ///< it was sent before
    const StoppedSpans* holds = nullptr;  ///< when others' bursts held up its round, with congestion_leaking
    /// Its queue pair's window was full, after the limiter let it go, for the last time between these.
    Time shut{}, opened{};
  };
  /// It waits for the port behind what its queue pair has made before.
  void OnMade(NodeId host, uint32_t requester, const Made& made);
  /// The frame that this queue pair made last is through the transmit pipeline only then.
  void OnPiped(NodeId host, uint32_t requester, Time ready);
  /// The transmission of the oldest frame that the queue pair has made, or of one that it makes now, starts,
  /// and ends at `end`.
  void OnSent(NodeId host, uint32_t requester, Frame& frame, const Port& port, Time now, Time end);
  void OnSent(NodeId host, uint32_t requester, const Made& made, Frame& frame, const Port& port, Time now,
              Time end);
  /// The same in short, of a packet within a message that was not sent before, where NICs have no stations.
  /// True: it waited for nothing but earlier packets of its message and the limiter, and is
  /// accounted for. False: it is not, and needs OnSent.
  bool OnNextSent(NodeId host, uint32_t requester, Frame& frame, Time eligible, Time now, Time end) {
    if (frame.first || frame.last) return false;
    Sender& s = SenderOf(host, requester);
    if (s.message != frame.message) return false;
    if (s.woken > s.mark) return false;  // its window was full
    const Time let_go = std::max(s.mark, std::min(now, eligible));
    if (now != let_go || (let_go > s.mark && !s.limited)) return false;
    s.own += end - let_go;
    s.limiter += let_go - s.mark;
    s.mark = s.until = end;
    frame.of_several = true;
    return true;
  }
  /// Nothing more will be sent: parts() is complete.
  void Settle();
  /// What the host's queue pairs have made and not sent is gone.
  void OnDropped(NodeId host);
  /// A frame takes effect at the host that it was sent to. Until OnEffectOver it is what ends messages.
  /// OnReadTaken: it is a READ request, and will be answered.
  void OnEffect(Frame& frame, Time now) {
    effect_ = &frame;
    if (Itinerary* i = frames_.ItineraryOf(frame)) i->PassInNic(now);
  }
  void OnReadTaken();
  /// A first message in its queue pair, with nothing sent, got the answer about its context. `waited`: its
  /// cause since the refusal; none: for this answer, which takes effect. `again`: its request was
  /// repeated.
  void OnContext(NodeId host, uint32_t requester, uint32_t message, Time now,
                 std::optional<MessagePart> waited, bool again);
  void OnEffectOver() { effect_ = nullptr; }
  /// An ACK or another answer leaves for the wire, caused by the frame that takes effect: it continues that
  /// frame's itinerary. `ready`: when it may be sent.
  void OnAnswer(Frame& answer, Time ready) {
    if (answer.kind == FrameKind::ask) return OnAsk(answer, ready);
    if (effect_ != nullptr && effect_->extension != ExtensionId::none) PassOn(answer, ready);
  }
  /// The frame that takes effect is the last packet of a message with a work request: it has arrived.
  void OnDelivered(uint32_t message, Time now);
  /// What takes effect ends a message at its sender's NIC.
  void OnEnded(uint32_t message, Time now);
  /// The program hears of that, of bulk.
  void OnCompleted(uint32_t message, Time at);

  /// Times of a message with a work request, from its posting until its arrival or end.
  struct Span {
    Time posted, until;
    MessageParts parts;  ///< they sum to the time from `posted` to `until`
  };
  /// Null: it is no longer remembered, or did not get there.
  const Span* Delivered(uint32_t message) const;
  const Span* Ended(uint32_t message) const;
  /// Appends what such a message waited for on its way.
  void AddWaits(const Span& span, std::vector<Itinerary::Wait>& to) const { recent_.Append(span.parts, to); }

  /// The parts of bulk messages, by message. For an incomplete message, they cover the time so far.
  std::vector<MessageParts>& parts() { return parts_; }
  const std::vector<Itinerary::Wait>& waits() const { return waits_.all(); }

 private:
  /// What a message was accounted up to, and what it needs until it is sent.
  struct State {
    Time mark;
    Time available;
    Time registers;
    bool posted = false;    ///< here: programs of verbs have messages of bulk's numbers that never are
    bool begun = false;     ///< its first frame is sent
    bool closed = false;    ///< its last frame is sent
    bool repeated = false;  ///< a packet of it was sent again
    bool answered = false;  ///< of a READ: its request took effect, the responses are on
  };
  /// A queue pair's sending half, in one cache line. Within a message, its times are added up here. Nothing
  /// else moves its mark until its last packet is out.
  struct alignas(64) Sender {
    Time until;  ///< end of its last transmission
    Time woken, earliest;
    Time mark;          ///< the message's, and its parts since it was last accounted for
    Time own, limiter;  ///< own_packets, limiter
    uint32_t message = kNoMessage;
    bool limited = false;    ///< the limiter has held the message before
    bool went_back = false;  ///< it sends what it has sent before
  };
  static_assert(sizeof(Sender) == 64);
  /// The times of a host's senders, by requester.
  struct Senders {
    std::vector<Sender> senders;
    std::vector<Ring<Made>> made;  ///< and not sent; where NICs have stations
  };

 public:
  /// This process's memory: for a queue pair's sending half, for a message of bulk beside its waits, and for
  /// one that has a work request.
  static constexpr double kSenderBytes = sizeof(Sender) + sizeof(Ring<Made>) + 2 * sizeof(Made);
  static constexpr double kBulkBytes = sizeof(State) + sizeof(MessageParts);
  static constexpr double kOfVerbsBytes = 2 * sizeof(MessageParts) + sizeof(State) + 6 * sizeof(Time);

 private:
  /// One that has a work request.
  struct OfVerbs {
    uint32_t number = kNoMessage;
    bool delivered = false, ended = false;
    State state;
    Span running, at_delivery;
  };
  /// Those with a work request lie in blocks, which do not move as they become more.
  static constexpr uint32_t kBlock = 1024;
  using Block = std::array<OfVerbs, kBlock>;
  /// What is known of a message, to be gone on with.
  struct Account {
    State& state;
    MessageParts& parts;
    /// What has not been accounted for until then, if anything, went to this.
    void Add(MessagePart part, Time until) {
      if (until <= state.mark) return;
      parts[part] += until - state.mark;
      state.mark = until;
    }
    /// It is over. Late responses of it, to a READ that was requested twice, do not
    /// count.
    void End(Time now) {
      state.closed = true;
      if (state.mark <= now) return;
      parts[MessagePart::own_packets] -= state.mark - now;
      state.mark = now;
    }
  };
  bool Knows(uint32_t message) const {
    return IsBulk(message) ? message < states_.size() : FindOfVerbs(message) != nullptr;
  }
  const OfVerbs* FindOfVerbs(uint32_t message) const {
    const uint32_t place = PlaceOfMessage(message);
    if (place >= of_verbs_.size() * kBlock) return nullptr;
    const OfVerbs& there = (*of_verbs_[place / kBlock])[place % kBlock];
    return there.number == message ? &there : nullptr;
  }
  OfVerbs& PlaceAmongVerbs(uint32_t message) {
    const uint32_t place = PlaceOfMessage(message);
    return (*of_verbs_[place / kBlock])[place % kBlock];
  }
  /// REQUIRES: Knows(message).
  Account Of(uint32_t message) {
    if (IsBulk(message)) return {states_[message], parts_[message]};
    OfVerbs& m = PlaceAmongVerbs(message);
    return {m.state, m.running.parts};
  }
  Sender& SenderOf(NodeId host, uint32_t requester) {
    const bool known = host < hosts_.size() && requester < hosts_[host].senders.size();
    return known ? hosts_[host].senders[requester] : NewSender(host, requester);
  }
  Ring<Made>& MadeBy(NodeId host, uint32_t requester);
  Sender& NewSender(NodeId host, uint32_t requester);
  static void EnterMessage(Account m, Sender& sender, uint32_t message);
  void LeaveMessage(Sender& sender);
  static void AddWaitForPort(Account m, const Port& port, int queue, Time since, Time until);
  static void AddSending(Account m, const Sender& sender, const Made& made, const Frame& frame,
                         const Port& port, Time now, Time end);
  static void AddLimiter(Account m, const Made& made, Time until);
  static void AddBeforeSending(Account m, const Sender& sender, const Made& made, Time now);
  bool Merge(Account m, const Itinerary& itinerary);
  static void MergeEnd(Account m, const Itinerary& i);
  void Remember(uint32_t message, Time now);
  void PassOn(Frame& answer, Time ready);
  void OnAsk(Frame& ask, Time ready);

  FramePool& frames_;
  OwnPackets own_;
  bool any_order_ = false;
  Frame* effect_ = nullptr;
  std::vector<MessageParts> parts_;
  std::vector<State> states_;
  std::vector<std::unique_ptr<Block>> of_verbs_;  ///< by PlaceOfMessage
  WaitLog recent_{4 * kRememberedOfVerbs};        ///< of these
  uint32_t next_ = 0;
  std::vector<Senders> hosts_;
  WaitLog waits_{UINT32_MAX};  ///< of bulk
};

}  // namespace headroom
