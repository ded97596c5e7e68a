#include "nic/transport/message_times.h"

#include <algorithm>
#include <utility>

#include "net/opcode.h"
#include "nic/transport/send_request.h"

namespace headroom {

MessageTimes::Sender& MessageTimes::NewSender(NodeId host, uint32_t requester) {
  if (host >= hosts_.size()) hosts_.resize(host + 1);
  std::vector<Sender>& of_host = hosts_[host].senders;
  of_host.resize(requester + 1);
  return of_host[requester];
}

Ring<MessageTimes::Made>& MessageTimes::MadeBy(NodeId host, uint32_t requester) {
  if (host >= hosts_.size()) hosts_.resize(host + 1);
  std::vector<Ring<Made>>& of_host = hosts_[host].made;
  if (requester >= of_host.size()) of_host.resize(requester + 1);
  return of_host[requester];
}

void MessageTimes::OnPosted(const SendRequest& request, NodeId host, NodeId peer, Time now, Time registers) {
  const uint32_t message = request.message;
  if (IsBulk(message)) {
    OfBulk& m = bulk_.Add(message);
    m.state = {};
    m.parts = {};
    m.waits.clear();
  }
  State& s = Of(message).state;
  s.mark = now;
  s.available = request.available;
  s.registers = registers;
  s.shared = !part_of_.empty() && IsBulk(message) && request.IsRead() && part_of_[host] != part_of_[peer];
}

void MessageTimes::OnWoken(NodeId host, uint32_t requester, Time now, Time earliest) {
  Sender& s = SenderOf(host, requester);
  s.woken = now;
  s.earliest = std::max(s.earliest, earliest);
}

/// Adds the time until its queue pair could send it. For a first packet: the work request was in the NIC, and
/// earlier work was complete.
void MessageTimes::AddBeforeSending(Account m, const Sender& sender, const Made& made, Time now) {
  const bool first = !m.state.begun;
  if (first) {
    m.Add(MessagePart::own_queue, std::min(now, sender.until));
    m.Add(MessagePart::nic, std::min(now, m.state.available));
  }
  if (made.opened > m.state.mark) {
    AddLimiter(m, made, std::min(now, made.shut));
    m.Add(MessagePart::window, std::min(now, made.opened));
    m.Add(MessagePart::nic, std::min(now, std::max(made.opened, sender.earliest)));
  }
  // It waited for a registration, a fence, or too many outstanding READs, and was woken when that ended.
  m.Add(first ? MessagePart::own_queue : MessagePart::own_packets,
        std::min(now, first ? sender.woken - m.state.registers : sender.woken));
  if (first) m.Add(MessagePart::nic, std::min(now, std::max(sender.woken, sender.earliest)));
}

void MessageTimes::AddLimiter(Account m, const Made& made, Time until) {
  if (until <= m.state.mark) return;
  if (m.parts[MessagePart::limiter] == Time{} && made.cut >= Time{}) m.parts.limited_since = made.cut;
  m.Add(MessagePart::limiter, until);
}

/// Adds the part of the wait since then that has no cause yet.
void MessageTimes::AddWaitForPort(Account m, const Port& port, int queue, Time since, Time until) {
  if (until <= m.state.mark) return;
  const Time paused = std::min(port.PausedWithin(queue, since, until), until - m.state.mark);
  m.Add(MessagePart::port, until - paused);
  m.Add(MessagePart::paused, until);
}

void MessageTimes::OnMade(NodeId host, uint32_t requester, const Made& made) {
  MadeBy(host, requester).PushBack(made);
}

void MessageTimes::OnPiped(NodeId host, uint32_t requester, Time ready) {
  MadeBy(host, requester).Back().piped = ready;
}

void MessageTimes::OnDropped(NodeId host) {
  if (host >= hosts_.size()) return;
  for (Ring<Made>& made : hosts_[host].made) made.Clear();
}

void MessageTimes::OnSent(NodeId host, uint32_t requester, Frame& frame, const Port& port, Time now,
                          Time end) {
  Ring<Made>& waiting = MadeBy(host, requester);
  const Made made = waiting.Empty() ? Made{} : waiting.Front();  // empty: the NIC has restarted
  if (!waiting.Empty()) waiting.PopFront();
  OnSent(host, requester, made, frame, port, now, end);
}

void MessageTimes::OnSent(NodeId host, uint32_t requester, const Made& made, Frame& frame, const Port& port,
                          Time now, Time end) {
  Sender& sender = SenderOf(host, requester);
  LeaveMessage(sender);
  const uint32_t message = frame.message;
  const bool share = IsReadResponse(frame.opcode) && HasShare(message);
  if (share) BeginShare(message, true);
  // A bulk message that is over may have been taken away; its packets still leave.
  const bool knows = share || Knows(message), counts = knows || IsBulk(message);
  if (counts && made.repeats) sender.went_back = true;
  if (knows) {
    const Account m = share ? OfShare(message) : Of(message);
    if (made.repeats) {
      if (share) NoteRepeated(message);
      // A request that leaves after the end of its READ does not count.
      m.state.repeated |= share || !m.state.shared || !m.state.answered;
    } else if (!m.state.begun && m.state.mark >= sender.until) {
      sender.went_back = false;  // it was posted when all retransmissions had left
    }
    // A request for a READ that has sent some responses already asks for its lost responses.
    const bool asks_again = m.state.answered && IsReadRequest(frame.opcode);
    if (!m.state.closed && !asks_again) {
      AddSending(m, sender, made, frame, port, now, end);
      if (frame.data.last || IsReadResponse(frame.opcode)) TellOfPath(message);
      // Responses to READs may be sent by two queue pairs at the same time.
      if (!frame.data.last && !made.repeats && !IsReadResponse(frame.opcode))
        EnterMessage(m, sender, message);
    }
    frame.data.of_several = !(frame.data.first && frame.data.last);
    // The answer to this packet may end its message. So may an answer to a retransmission, if ACKs were lost.
    if (frame.data.last || made.repeats) {
      Itinerary& i = frames_.BeginItinerary(frame);
      i.message = message;
      i.sent = i.mark = now;
    }
  }
  if (counts && !made.repeats) sender.went_back = false;
  sender.until = end;
}

void MessageTimes::EnterMessage(Account m, Sender& sender, uint32_t message) {
  sender.message = message;
  sender.mark = m.state.mark;
  sender.limited = m.parts[MessagePart::limiter] > Time{};
}

/// Moves the accumulated times to the message.
void MessageTimes::LeaveMessage(Sender& sender) {
  if (sender.message == kNoMessage) return;
  if (Knows(sender.message)) {
    const Account m = Of(sender.message);
    m.parts[MessagePart::own_packets] += sender.own;
    m.parts[MessagePart::limiter] += sender.limiter;
    m.state.mark = sender.mark;
  }
  sender.own = sender.limiter = Time{};
  sender.message = kNoMessage;
}

void MessageTimes::Settle() {
  for (Senders& host : hosts_) {
    for (Sender& sender : host.senders) LeaveMessage(sender);
  }
}

/// Adds the time until its last packet has left for the first time.
void MessageTimes::AddSending(Account m, const Sender& sender, const Made& made, const Frame& frame,
                              const Port& port, Time now, Time end) {
  State& s = m.state;
  if (sender.went_back) {
    m.Add(MessagePart::recovery, now);
  } else {
    AddBeforeSending(m, sender, made, now);
    AddLimiter(m, made, std::min(now, made.eligible));
    if (now > s.mark) {
      const Time since = std::max(s.mark, made.piped);
      // It was made when its round resumed, before the pipeline.
      const Time in_round = made.piped > Time{} ? std::min(now, made.piped) : now;
      if (made.holds != nullptr && in_round > s.mark)
        m.Add(MessagePart::limiter, s.mark + made.holds->Within(s.mark, in_round));
      m.Add(MessagePart::nic, std::min(now, made.piped));
      AddWaitForPort(m, port, frame.priority, since, now);
    }
  }
  s.begun = true;
  s.closed = frame.data.last;
  if (!frame.data.last) m.Add(sender.went_back ? MessagePart::recovery : MessagePart::own_packets, end);
}

void MessageTimes::OnReadTaken() {
  const Itinerary* i = effect_ == nullptr ? nullptr : frames_.ItineraryOf(*effect_);
  if (i == nullptr) return;
  if (HasShare(i->message)) return TakeInShare(*i);
  if (!Knows(i->message)) return;
  const Account m = Of(i->message);
  State& s = m.state;
  if (s.answered || !Merge(m, *i)) return;
  s.answered = true;
  s.begun = s.closed = false;
  s.registers = Time{};
  TellOfPath(i->message);
}

void MessageTimes::PassOn(Frame& answer, Time ready) {
  if (answer.kind == FrameKind::cnp || answer.dst != effect_->src) return;
  if (answer.kind == FrameKind::ack && answer.opcode == kResponseAckOpcode) return;
  frames_.PassItinerary(*effect_, answer);
  Itinerary* i = frames_.ItineraryOf(answer);
  if (i == nullptr) return;
  i->back = true;
  i->PassInNic(ready);
}

void MessageTimes::OnAsk(Frame& ask, Time ready) {
  if (ask.about.credits || ask.message == kNoMessage || !Knows(ask.message)) return;
  Itinerary& i = frames_.BeginItinerary(ask);
  i.message = ask.message;
  i.sent = i.mark = ready;
}

void MessageTimes::OnContext(NodeId host, uint32_t requester, uint32_t message, Time now,
                             std::optional<MessagePart> waited, bool again) {
  if (!Knows(message)) return;
  Account m = Of(message);
  if (m.state.begun) return;
  const Sender& sender = SenderOf(host, requester);
  m.Add(MessagePart::own_queue, std::min(now, sender.until));
  m.Add(MessagePart::nic, std::min(now, m.state.available));
  m.Add(MessagePart::own_queue, std::min(now, sender.woken - m.state.registers));
  if (waited) return m.Add(*waited, now);
  const Itinerary* i = effect_ == nullptr ? nullptr : frames_.ItineraryOf(*effect_);
  if (i != nullptr && !again) m.Add(MessagePart::nic, std::min(now, i->sent));
  if (i != nullptr && !Merge(m, *i)) MergeEnd(m, *i);
  m.Add(MessagePart::recovery, now);
}

/// The rest of the time is the end of this path: earlier messages advanced meanwhile, and hid the beginning.
void MessageTimes::MergeEnd(Account m, const Itinerary& i) {
  const auto& [there, back] = i.directions;
  const std::pair<MessagePart, Time> spans[] = {
      {MessagePart::ack_wire, back.wire},     {MessagePart::ack_queued, back.queued},
      {MessagePart::ack_paused, back.paused}, {MessagePart::nic, i.nic},
      {MessagePart::wire, there.wire},        {MessagePart::queued, there.queued},
      {MessagePart::paused, there.paused}};
  for (const auto& [part, span] : spans) m.Add(part, std::min(i.mark, m.state.mark + span));
}

/// Merges the path of a packet that left when the message was accounted for, or later, after a loss. Returns
/// false if the packet left earlier, so that its path contains no later time.
bool MessageTimes::Merge(Account m, const Itinerary& i) {
  if (i.sent < m.state.mark) return false;
  m.Add(MessagePart::recovery, i.sent);
  MessageParts& p = m.parts;
  const auto& [there, back] = i.directions;
  p[MessagePart::own_packets] += there.own;
  p[MessagePart::queued] += there.queued;
  p[MessagePart::paused] += there.paused;
  p[MessagePart::wire] += there.wire;
  p[MessagePart::ack_queued] += back.queued;
  p[MessagePart::ack_paused] += back.paused;
  p[MessagePart::ack_wire] += back.wire;
  p[MessagePart::nic] += i.nic;
  m.state.mark = i.mark;
  // The path may be that of a later message of the same queue pair, whose answer ended this one, too.
  m.waits.insert(m.waits.end(), i.waits.begin(), i.waits.end());
  return true;
}

void MessageTimes::OnDelivered(uint32_t message, Time now) {
  if (!Knows(message)) return;
  OfVerbs& m = PlaceAmongVerbs(message);
  if (m.delivered) return;
  m.delivered = true;
  m.at_delivery = m.running;
  State state = m.state;
  Account account{state, m.at_delivery.parts, m.at_delivery.waits};
  const Itinerary* i = effect_ == nullptr ? nullptr : frames_.ItineraryOf(*effect_);
  if (i != nullptr) Merge(account, *i);
  account.Add(MessagePart::recovery, now);
  m.at_delivery.until = state.mark;
  TellOfDelivery(message);
}

void MessageTimes::OnEnded(uint32_t message, Time now) {
  if (!Knows(message)) return;
  Account m = Of(message);
  const Itinerary* i = effect_ == nullptr ? nullptr : frames_.ItineraryOf(*effect_);
  if (m.state.shared) {
    m.state.answered = true;  // as in EndWith
    ends_[message] = {now, Parts::Get().Now(), i == nullptr ? std::nullopt : std::optional(*i)};
    return;
  }
  EndWith(m, i, IsBulk(message), now);
  if (IsBulk(message)) return;
  OfVerbs& ended = PlaceAmongVerbs(message);
  ended.ended = true;
  ended.running.until = m.state.mark;
  TellOfPath(message);
}

/// `path`: of the answer that ended the message, or null.
void MessageTimes::EndWith(Account m, const Itinerary* path, bool bulk, Time now) {
  if (path != nullptr) Merge(m, *path);
  // Its own answer was lost, and the answer to a later packet replaced it. Or its last packet overtook
  // others.
  const bool overtook = any_order_ && !m.state.repeated && bulk;
  m.Add(overtook ? MessagePart::other : MessagePart::recovery, now);
  // The rest of a late response was added as recovery if the response was sent again.
  if (const Time late = m.state.mark - now; late > m.parts[MessagePart::own_packets]) {
    m.parts[MessagePart::recovery] -= late;
    m.state.mark = now;
  }
  m.End(now);
  m.state.answered = true;  // a repeated READ request that was made before may leave the NIC later
}

void MessageTimes::OnCompleted(uint32_t message, Time at) {
  if (IsBulk(message) && Knows(message)) Of(message).Add(MessagePart::nic, at);
}

MessageParts MessageTimes::Take(uint32_t message, Time at, std::vector<Itinerary::Wait>& waits) {
  waits.clear();
  if (!Knows(message)) return {};
  if (!part_of_.empty()) JoinShare(message);
  if (at != kNever) OnCompleted(message, at);
  OfBulk& m = *bulk_.Find(message);
  waits.swap(m.waits);
  bulk_.Remove(message);
  return m.parts;
}

const MessageTimes::Span* MessageTimes::Delivered(uint32_t message) const {
  const OfVerbs* m = FindOfVerbs(message);
  return m != nullptr && m->delivered ? &m->at_delivery : nullptr;
}

const MessageTimes::Span* MessageTimes::Ended(uint32_t message) const {
  const OfVerbs* m = FindOfVerbs(message);
  return m != nullptr && m->ended ? &m->running : nullptr;
}

}  // namespace headroom
