// Splits the time of messages into parts, where the time passes: at their queue pair until the packet that
// ends them leaves, then along that packet's path and its ACK's, which an Itinerary returns.
//
// Every message has a mark up to which its time is accounted for. Each call adds a span to one part and moves
// the mark by it. So the parts always sum to the whole.
//
// A bulk message is taken away when it is over (Take). Messages with a work request belong to programs that
// follow causes (SendWr::cause, SendWr::timed). The last such messages of each host are remembered, with
// their arrival at the receiver and their end (NumbersOfVerbs::remembered).
//
// Parts of a network (sim/parts.h) may run ahead of each other by less than the longest window. So a message
// is forgotten one such window after enough later messages of its host were posted: until then no part
// forgets it, and from then on every part does.
//
// Several ranks (sim/parts.h) send each other what they learn of messages with a work request after each
// window. So each of them knows all these messages. A rank knows the bulk messages that it posts.
//
// A bulk READ that another part of the network answers has a share of its time there, from its request's
// arrival until its last response leaves. Within a window either part may run first, so the share joins the
// rest behind it.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "net/port.h"
#include "net/stopped_spans.h"
#include "nic/transport/message_parts.h"
#include "nic/transport/send_request.h"
#include "sim/exchange.h"
#include "sim/number_table.h"
#include "sim/packing.h"
#include "sim/parts.h"
#include "sim/ring.h"

namespace headroom {

class MessageTimes final : public Freight {
 public:
  /// `window`: no part of the network runs ahead of another by as much, wherever the network is cut.
  MessageTimes(FramePool& frames, const NumbersOfVerbs& numbers, Time window)
      : frames_(frames), numbers_(numbers), window_(window) {}
  /// The network is cut, and may have several ranks. `part_of`: by host. REQUIRES: called before the first
  /// message.
  void Cut(std::vector<int> part_of);
  // Freight: of messages with a work request, what this rank has learnt since the last window; and the shares
  // of READs that have changed.
  void Pack(int to_rank, Packer& to) override;
  void Sent() override;
  void Unpack(int from_rank, Unpacker& from) override;
  /// Call once, after the run and Settle. With several ranks, the last shares cross here. Afterwards each
  /// message can be taken.
  void JoinShares();
  /// Packets of a message may arrive in another order than they were sent. REQUIRES: called before the first
  /// message.
  void SetAnyOrder() { any_order_ = true; }

  /// A new number for a message that has a work request, and is posted now. A message of UC or UD ends at its
  /// arrival.
  uint32_t NewNumber(NodeId host, Time now);
  /// A message to `peer` is posted at `host`, behind a registration that takes `registers`.
  void OnPosted(const SendRequest& request, NodeId host, NodeId peer, Time now, Time registers);
  /// An idle queue pair has something to send, not before `earliest`.
  void OnWoken(NodeId host, uint32_t requester, Time now, Time earliest);
  /// The times at which a data frame was made.
  struct Made {
    Time eligible;         ///< the limiter permits it from this time on
    Time cut = Time(-1);   ///< time of the last rate cut when `eligible` was set; negative: never
    Time piped{};          ///< time when it left the transmit pipeline
    bool repeats = false;  ///< it was sent before
    const StoppedSpans* holds = nullptr;  ///< times when bursts of other queue pairs held up its round, with
                                          ///< congestion_leaking
    /// The last span in which its queue pair's window was full after the limiter had let it go.
    Time shut{}, opened{};
  };
  /// A data frame was made. It waits for the port behind earlier frames of its queue pair.
  void OnMade(NodeId host, uint32_t requester, const Made& made);
  /// The last frame that this queue pair made leaves the transmit pipeline at `ready`.
  void OnPiped(NodeId host, uint32_t requester, Time ready);
  /// The transmission of the queue pair's oldest frame, or of one that it makes now, starts, and ends at
  /// `end`.
  void OnSent(NodeId host, uint32_t requester, Frame& frame, const Port& port, Time now, Time end);
  void OnSent(NodeId host, uint32_t requester, const Made& made, Frame& frame, const Port& port, Time now,
              Time end);
  /// A short form for a packet within a message that was not sent before, if NICs have no stations. Returns
  /// true if the packet waited only for earlier packets of its message and for the limiter: it is then
  /// accounted for. Returns false if the packet needs OnSent.
  bool OnNextSent(NodeId host, uint32_t requester, Frame& frame, Time eligible, Time now, Time end) {
    if (frame.data.first || frame.data.last) return false;
    Sender& s = SenderOf(host, requester);
    if (s.message != frame.message) return false;
    if (s.woken > s.mark) return false;  // its window was full
    const Time let_go = std::max(s.mark, std::min(now, eligible));
    if (now != let_go || (let_go > s.mark && !s.limited)) return false;
    s.own += end - let_go;
    s.limiter += let_go - s.mark;
    s.mark = s.until = end;
    frame.data.of_several = true;
    return true;
  }
  /// Nothing more will be sent.
  void Settle();
  /// Frames that the host's queue pairs have made and not sent are gone.
  void OnDropped(NodeId host);
  /// A frame takes effect at the destination host. Until OnEffectOver it is the frame that ends messages.
  /// OnReadTaken: the frame is a READ request, and will be answered.
  void OnEffect(Frame& frame, Time now) {
    effect_ = &frame;
    if (Itinerary* i = frames_.ItineraryOf(frame)) i->PassInNic(now);
  }
  void OnReadTaken();
  /// The first message in its queue pair, not sent yet, received the answer about its context. `waited`: the
  /// cause of its wait since the refusal; none: it waited for this answer, which takes effect. `again`: its
  /// request was repeated.
  void OnContext(NodeId host, uint32_t requester, uint32_t message, Time now,
                 std::optional<MessagePart> waited, bool again);
  void OnEffectOver() { effect_ = nullptr; }
  /// An ACK or another answer leaves for the wire, caused by the frame that takes effect: it continues that
  /// frame's itinerary. `ready`: when it may be sent.
  void OnAnswer(Frame& answer, Time ready) {
    if (answer.kind == FrameKind::ask) return OnAsk(answer, ready);
    if (effect_ != nullptr && effect_->extension != ExtensionId::none) PassOn(answer, ready);
  }
  /// The frame that takes effect is the last packet of a message with a work request, which has now arrived.
  void OnDelivered(uint32_t message, Time now);
  /// The frame that takes effect ends a message at its sender's NIC.
  void OnEnded(uint32_t message, Time now);
  /// The program learns of the end of a bulk message.
  void OnCompleted(uint32_t message, Time at);

  /// Times of a message with a work request, from its posting until its arrival or end.
  struct Span {
    Time posted, until;
    MessageParts parts;                  ///< they sum to the time from `posted` to `until`
    std::vector<Itinerary::Wait> waits;  ///< along its path
    template <class P>
    void Pack(P& pack) {
      pack(posted, until, parts, waits);
    }
  };
  /// Returns null if it is no longer remembered, or did not get so far.
  const Span* Delivered(uint32_t message) const;
  const Span* Ended(uint32_t message) const;

  /// Takes away a bulk message that is over: returns its parts, and its waits along its path. `at`: its
  /// program learns of the end; kNever: it has not ended, and the parts cover the time so far. REQUIRES:
  /// HasShareOf(message), or JoinShares was called.
  MessageParts Take(uint32_t message, Time at, std::vector<Itinerary::Wait>& waits);
  /// Whether the share of a bulk message that has ended on this rank is complete and here.
  bool HasShareOf(uint32_t message) const {
    const auto end = ends_.find(message);
    return end == ends_.end() || end->second.place.window < Parts::Get().Now().window;
  }

 private:
  /// The time up to which a message is accounted for, and its state until it is sent.
  struct State {
    Time mark;
    Time available;
    Time registers;
    bool begun : 1 = false;     ///< its first frame was sent
    bool closed : 1 = false;    ///< its last frame was sent
    bool repeated : 1 = false;  ///< a packet of it was sent again
    bool answered : 1 = false;  ///< for a READ: its request took effect, and the responses follow
    bool shared : 1 = false;    ///< it is a bulk READ, and another part answers it
  };
  /// A queue pair's sending half, in one cache line. Within a message, its times are accumulated here. No
  /// other code moves its mark until its last packet has left.
  struct alignas(64) Sender {
    Time until;  ///< end of its last transmission
    Time woken, earliest;
    Time mark;          ///< the message's mark, and its parts since it was last accounted for
    Time own, limiter;  ///< own_packets, limiter
    uint32_t message = kNoMessage;
    bool limited = false;    ///< the limiter has already delayed the message
    bool went_back = false;  ///< it retransmits earlier packets
  };
  static_assert(sizeof(Sender) == 64);
  /// The times of a host's senders, by requester.
  struct Senders {
    std::vector<Sender> senders;
    std::vector<Ring<Made>> made;  ///< frames that were made and not sent; if NICs have stations
  };

 public:
  /// This process's memory: for a queue pair's sending half, for an open bulk message without its waits, and
  /// for a message with a work request.
  static constexpr double kSenderBytes = sizeof(Sender) + sizeof(Ring<Made>) + 2 * sizeof(Made);
  static constexpr double kBulkBytes =
      sizeof(State) + sizeof(MessageParts) + sizeof(std::vector<Itinerary::Wait>);
  static constexpr double kOfVerbsBytes = 2 * sizeof(Span) + sizeof(State) + sizeof(Time);

 private:
  /// A bulk message that is not over.
  struct OfBulk {
    State state;
    MessageParts parts;
    std::vector<Itinerary::Wait> waits;
  };
  /// A message that has a work request.
  struct OfVerbs {
    uint32_t number = kNoMessage;
    bool delivered = false, ended = false;
    bool news_of_path = false, news_of_delivery = false;  ///< Other ranks do not know it.
    State state;
    Span running, at_delivery;
  };
  /// The last messages with a work request that a host has sent.
  struct OfHost {
    std::vector<OfVerbs> ring;  ///< indexed by the last bits of a message's count
    uint32_t posted = 0;        ///< number of messages so far
    OfVerbs& At(uint32_t count) { return ring[count & (ring.size() - 1)]; }
    const OfVerbs& At(uint32_t count) const { return ring[count & (ring.size() - 1)]; }
  };
  /// The state of a message, to be updated.
  struct Account {
    State& state;
    MessageParts& parts;
    std::vector<Itinerary::Wait>& waits;
    /// The time until `until` that is not accounted for, if any, belongs to this part.
    void Add(MessagePart part, Time until) {
      if (until <= state.mark) return;
      parts[part] += until - state.mark;
      state.mark = until;
    }
    /// The message is over. Its late responses, to a READ that was requested twice, do not count.
    void End(Time now) {
      state.closed = true;
      if (state.mark <= now) return;
      parts[MessagePart::own_packets] -= state.mark - now;
      state.mark = now;
    }
  };
  bool IsBulkElsewhere(uint32_t message) const {
    return ranks_ > 1 && IsBulk(message) && message % ranks_ != rank_;
  }
  bool Knows(uint32_t message) const {
    if (!IsBulk(message)) return FindOfVerbs(message) != nullptr;
    if (IsBulkElsewhere(message)) return shares_.contains(message);
    return bulk_.Find(message) != nullptr;
  }
  /// The number of messages of its host since this one was posted, with this one. A number that was never
  /// given may return anything.
  uint32_t Since(const OfHost& host, uint32_t message) const {
    return (host.posted - numbers_.CountOf(message)) & (numbers_.different() - 1);
  }
  const OfVerbs* FindOfVerbs(uint32_t message) const {
    const NodeId host = numbers_.HostOf(message);
    if (host >= of_verbs_.size() || of_verbs_[host].ring.empty()) return nullptr;
    const OfHost& h = of_verbs_[host];
    const OfVerbs& there = h.At(numbers_.CountOf(message));
    if (there.number != message) return nullptr;
    return Since(h, message) <= numbers_.remembered() || !Forgotten(h, message) ? &there : nullptr;
  }
  bool Forgotten(const OfHost& host, uint32_t message) const;
  /// REQUIRES: Knows(message).
  OfVerbs& PlaceAmongVerbs(uint32_t message) {
    return of_verbs_[numbers_.HostOf(message)].At(numbers_.CountOf(message));
  }
  uint32_t AddOfVerbs(NodeId host, Time now);
  /// The account of this message has changed; or it has been delivered.
  void TellOfPath(uint32_t message) {
    if (ranks_ > 1 && !IsBulk(message)) Tell(message, &OfVerbs::news_of_path);
  }
  void TellOfDelivery(uint32_t message) {
    if (ranks_ > 1) Tell(message, &OfVerbs::news_of_delivery);
  }
  void Tell(uint32_t message, bool OfVerbs::*what);
  /// REQUIRES: Knows(message); a bulk message was posted on this rank.
  Account Of(uint32_t message) {
    if (IsBulk(message)) {
      OfBulk& m = *bulk_.Find(message);
      return {m.state, m.parts, m.waits};
    }
    OfVerbs& m = PlaceAmongVerbs(message);
    return {m.state, m.running.parts, m.running.waits};
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
  static bool Merge(Account m, const Itinerary& itinerary);
  static void MergeEnd(Account m, const Itinerary& i);
  /// The share of a READ that this rank answers.
  struct Share {
    uint32_t message = kNoMessage;
    /// When a request with a known path arrived; none: none did. The path of a request that had to wait for
    /// an earlier one is not known.
    std::optional<Parts::Place> taken;
    Time sent;                             ///< start of the transmission of that request
    std::optional<Parts::Place> repeated;  ///< when a response was first sent again
    /// Responses were sent before. They may end the READ while later ones are still accounted for.
    bool early = false;
    State state;
    MessageParts parts;
    std::vector<Itinerary::Wait> waits;
    /// The account before a change.
    struct Earlier {
      Parts::Place change{};
      Time mark;
      MessageParts parts;
      uint64_t waits = 0;
    };
    std::vector<Earlier> earlier;  ///< if `early`
    bool changed = false;          ///< since the last window
    template <class P>
    void Pack(P& pack) {
      pack(message, taken, sent, repeated, early, state, parts, waits, earlier);
    }
    /// Undoes the changes from this place on.
    void BackTo(const Parts::Place& place);
  };
  /// A READ of this rank has ended, before its share is known.
  struct End {
    Time at;
    Parts::Place place{};
    std::optional<Itinerary> path;  ///< of the response that ended it
  };
  /// A message with a work request was posted.
  struct Posted {
    NodeId host = 0;
    Time at;
  };
  /// What a rank has learnt since the last window.
  struct News {
    std::vector<Posted> posted;
    std::vector<uint32_t> changed;
  };
  /// Whether the responder's time of a message is a share.
  bool HasShare(uint32_t message) const {
    if (part_of_.empty() || !IsBulk(message)) return false;
    if (IsBulkElsewhere(message)) return true;
    const OfBulk* const m = bulk_.Find(message);
    return m != nullptr && m->state.shared;
  }
  Account OfShare(uint32_t message);
  void BeginShare(uint32_t message, bool early);
  void TakeInShare(const Itinerary& request);
  void NoteRepeated(uint32_t message);
  std::vector<Packet> PackShares();
  void TakeShare(Share&& share);
  void JoinShare(uint32_t message);
  void PackNewShares(int to_rank, Packer& to);
  void UnpackNewShares(Unpacker& from);
  void AddShare(Account m, Share& share, const End* end);
  void EndWith(Account m, const Itinerary* path, bool bulk, Time now);
  void PassOn(Frame& answer, Time ready);
  void OnAsk(Frame& ask, Time ready);

  FramePool& frames_;
  bool any_order_ = false;
  Frame* effect_ = nullptr;
  NumberTable<OfBulk> bulk_;  ///< messages that were posted on this rank
  uint32_t rank_ = 0, ranks_ = 1;
  std::vector<int> part_of_;  ///< by host; empty: the network is not cut
  // In a network that is cut, found by message:
  std::unordered_map<uint32_t, Share> shares_;  ///< of messages that this rank answers
  std::unordered_map<uint32_t, Share> given_;   ///< of messages that other ranks answer, before they join
  std::unordered_map<uint32_t, End> ends_;
  // With several ranks:
  std::vector<uint32_t> changed_shares_;  ///< since the last window
  std::vector<uint32_t> joined_shares_;   ///< messages of which other ranks may forget their shares
  News news_;
  NumbersOfVerbs numbers_;
  Time window_;
  std::vector<OfHost> of_verbs_;  ///< indexed by host
  std::vector<Senders> hosts_;
};

}  // namespace headroom
