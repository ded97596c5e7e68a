#include "nic/transport/message_times.h"

#include <algorithm>

#include "net/opcode.h"
#include "nic/transport/send_request.h"

namespace headroom {

MessageTimes::Sender& MessageTimes::SenderOf(NodeId host, uint32_t requester) {
  if (host >= senders_.size()) senders_.resize(host + 1);
  std::vector<Sender>& of_host = senders_[host];
  if (requester >= of_host.size()) of_host.resize(requester + 1);
  return of_host[requester];
}

/// What has not been accounted for until then, if anything, went to this.
void MessageTimes::Add(uint32_t message, MessagePart part, Time until) {
  State& s = states_[message];
  if (until <= s.mark) return;
  parts_[message][part] += until - s.mark;
  s.mark = until;
}

void MessageTimes::OnPosted(uint32_t message, uint64_t packets, Time now, Time registers) {
  if (message >= states_.size()) {
    states_.resize(message + 1);
    parts_.resize(message + 1);
  }
  State& s = states_[message];
  s.mark = now;
  s.registers = registers;
  if (packets > 1) own_.Begin(message);
}

void MessageTimes::OnWoken(NodeId host, uint32_t requester, Time now, Time earliest) {
  Sender& s = SenderOf(host, requester);
  s.woken = now;
  s.earliest = std::max(s.earliest, earliest);
}

/// Before its queue pair could turn to it, the work request was in the NIC, and what goes before it was done.
void MessageTimes::AddFirst(uint32_t message, const Sender& sender, Time now) {
  const State& s = states_[message];
  Add(message, MessagePart::own_queue, std::min(now, sender.until));
  Add(message, MessagePart::nic, std::min(now, s.available));
  // A registration or a fence, or too many READs on their way: it was woken when that was over.
  Add(message, MessagePart::own_queue, std::min(now, sender.woken - s.registers));
  Add(message, MessagePart::nic, std::min(now, std::max(sender.woken, sender.earliest)));
}

void MessageTimes::AddWaitForPort(uint32_t message, const Port& port, int queue, Time until) {
  const Time since = states_[message].mark;
  if (until <= since) return;
  const Time paused = port.PausedWithin(queue, since, until);
  Add(message, MessagePart::port, until - paused);
  Add(message, MessagePart::paused, until);
}

void MessageTimes::OnMade(NodeId host, uint32_t requester, const Made& made) {
  SenderOf(host, requester).made.PushBack(made);
}

void MessageTimes::OnPiped(NodeId host, uint32_t requester, Time ready) {
  SenderOf(host, requester).made.Back().piped = ready;
}

void MessageTimes::OnDropped(NodeId host) {
  if (host >= senders_.size()) return;
  for (Sender& s : senders_[host]) s.made.Clear();
}

void MessageTimes::OnSent(NodeId host, uint32_t requester, Frame& frame, const Port& port, Time now,
                          Time end) {
  Ring<Made>& waiting = SenderOf(host, requester).made;
  const Made made = waiting.Empty() ? Made{} : waiting.Front();  // empty: the NIC has restarted
  if (!waiting.Empty()) waiting.PopFront();
  OnSent(host, requester, made, frame, port, now, end);
}

void MessageTimes::OnSent(NodeId host, uint32_t requester, const Made& made, Frame& frame, const Port& port,
                          Time now, Time end) {
  Sender& sender = SenderOf(host, requester);
  const uint32_t message = frame.message;
  if (message < states_.size()) {
    if (made.repeats) sender.went_back = true;
    State& s = states_[message];
    // That of a READ that is being answered already asks for what was lost of the answer.
    const bool asks_again = s.answered && IsReadRequest(frame.opcode);
    if (!s.closed && !asks_again) AddSending(message, sender, made, frame, port, now, end);
    // The answer to this one may end its message; so may one to what is sent again, if ACKs were lost.
    if (frame.last || made.repeats) {
      Itinerary& i = frames_.BeginItinerary(frame);
      i.message = message;
      i.sent = i.mark = now;
    }
    if (!made.repeats) sender.went_back = false;
  }
  sender.until = end;
}

/// Until its last packet has left for the first time.
void MessageTimes::AddSending(uint32_t message, const Sender& sender, const Made& made, const Frame& frame,
                              const Port& port, Time now, Time end) {
  State& s = states_[message];
  if (sender.went_back) {
    Add(message, MessagePart::recovery, now);
  } else {
    if (!s.begun) AddFirst(message, sender, now);
    // It had sent all that it might before it heard of its packets.
    if (s.begun) Add(message, MessagePart::own_packets, std::min(now, sender.woken));
    Add(message, MessagePart::limiter, std::min(now, made.eligible));
    Add(message, MessagePart::nic, std::min(now, made.piped));
    AddWaitForPort(message, port, frame.priority, now);
  }
  s.begun = true;
  s.closed = frame.last;
  if (!frame.last) Add(message, sender.went_back ? MessagePart::recovery : MessagePart::own_packets, end);
}

void MessageTimes::OnEffect(Frame& frame, Time now) {
  effect_ = &frame;
  Itinerary* i = frames_.ItineraryOf(frame);
  if (i == nullptr) return;
  i->PassInNic(now);
  if (frame.kind != FrameKind::data || !IsReadRequest(frame.opcode)) return;
  State& s = states_[i->message];
  if (s.answered || !Merge(i->message, *i)) return;
  s.answered = true;
  s.begun = s.closed = false;
  s.registers = Time{};
}

void MessageTimes::OnAnswer(Frame& answer, Time ready) {
  if (effect_ == nullptr || answer.kind == FrameKind::cnp || answer.dst != effect_->src) return;
  frames_.PassItinerary(*effect_, answer);
  Itinerary* i = frames_.ItineraryOf(answer);
  if (i == nullptr) return;
  i->back = true;
  i->PassInNic(ready);
}

/// The way of a packet that left when the message was accounted for, or later, after a loss. False: it left
/// before, and says nothing about what has happened since.
bool MessageTimes::Merge(uint32_t message, const Itinerary& i) {
  State& s = states_[message];
  if (i.sent < s.mark) return false;
  Add(message, MessagePart::recovery, i.sent);
  MessageParts& p = parts_[message];
  const auto& [there, back] = i.ways;
  p[MessagePart::own_packets] += there.own;
  p[MessagePart::queued] += there.queued;
  p[MessagePart::paused] += there.paused;
  p[MessagePart::wire] += there.wire;
  p[MessagePart::ack_queued] += back.queued;
  p[MessagePart::ack_paused] += back.paused;
  p[MessagePart::ack_wire] += back.wire;
  p[MessagePart::nic] += i.nic;
  s.mark = i.mark;
  Keep(message, i.waits);
  return true;
}

void MessageTimes::Keep(uint32_t message, const std::vector<Itinerary::Wait>& waits) {
  MessageParts& p = parts_[message];
  // A READ has those of its request already: they move to the end, unless they lie there.
  if (p.waits > 0 && p.first_wait + p.waits != waits_.size()) {
    const uint32_t before = p.first_wait;
    p.first_wait = static_cast<uint32_t>(waits_.size());
    for (uint32_t i = 0; i < p.waits; ++i) waits_.push_back(Itinerary::Wait(waits_[before + i]));
  }
  if (p.waits == 0) p.first_wait = static_cast<uint32_t>(waits_.size());
  waits_.insert(waits_.end(), waits.begin(), waits.end());
  p.waits += static_cast<uint32_t>(waits.size());
}

void MessageTimes::OnEnded(uint32_t message, Time now) {
  if (message >= states_.size()) return;
  const Itinerary* i = effect_ == nullptr ? nullptr : frames_.ItineraryOf(*effect_);
  if (i != nullptr) Merge(message, *i);
  // Its own answer was lost: one to a later packet stood for it.
  Add(message, MessagePart::recovery, now);
  own_.End(message);
}

void MessageTimes::OnCompleted(uint32_t message, Time at) {
  if (message >= states_.size()) return;
  Add(message, MessagePart::nic, at);
}

}  // namespace headroom
