// Class Parts where several ranks run one network. Each rank makes the same decisions from the joint state of
// all, so all call Meet in the same order: in the usual case once a window, and once behind each event of no
// node.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/parts.h"

namespace headroom {

void Parts::JoinRanks(Exchange& exchange, EventCarrier& carrier) {
  exchange_ = &exchange;
  carrier_ = &carrier;
  for (auto* of_ranks : {&sent_, &received_}) of_ranks->resize(static_cast<size_t>(exchange.size()));
  outgoing_.resize(static_cast<size_t>(exchange.size()));
}

void Parts::State::Join(const State& o) {
  head = std::min(head, o.head);
  last = std::max(last, o.last);
  stopped = std::max(stopped, o.stopped);
  crossing += o.crossing;
  late += o.late;
  idle &= o.idle;
  worked |= o.worked;
  complete &= o.complete;
  may_be_over |= o.may_be_over;
  asks |= o.asks;
}

Parts::State Parts::Own() const {
  State own;
  for (size_t p = 0; p < queues_.size(); ++p) {
    if (!Here(static_cast<int>(p))) continue;
    own.head = std::min({own.head, queues_[p]->Head(), inboxes_[p].first()});
    own.last = std::max(own.last, inboxes_[p].Last());
    own.idle &= Idle(static_cast<int>(p));
  }
  for (const auto& events : outgoing_) {
    for (const TimedEvent& e : events) {
      own.head = std::min(own.head, KeyOf(e));
      own.last = std::max(own.last, KeyOf(e));
    }
  }
  own.idle &= Idle(kWhole);
  own.crossing = undelivered_;
  own.may_be_over = may_be_over_;
  own.asks = asks_;
  return own;
}

/// Sends what crosses, and takes what came. Returns the joint state.
Parts::State Parts::Meet(State own) {
  may_be_over_ = asks_ = false;
  own.whole = whole_->Head();
  for (int r = 0; r < ranks(); ++r) {
    if (r != rank()) PackFor(r, own, sent_[static_cast<size_t>(r)]);
  }
  for (Freight* freight : freight_) freight->Sent();
  exchange_->Swap(sent_, received_);
  State all = own;
  for (int r = 0; r < ranks(); ++r) {
    if (r != rank()) UnpackFrom(r, received_[static_cast<size_t>(r)], all);
  }
  asked_ |= all.asks;
  return all;
}

void Parts::PackFor(int rank, State own, Packet& packet) {
  std::vector<TimedEvent>& events = outgoing_[static_cast<size_t>(rank)];
  packet.clear();
  Packer pack(packet);
  uint64_t count = events.size();
  pack(own, count);
  for (const TimedEvent& e : events) carrier_->Pack(e, pack);
  undelivered_ -= count;
  events.clear();
  for (Freight* freight : freight_) freight->Pack(rank, pack);
}

void Parts::UnpackFrom(int rank, const Packet& packet, State& all) {
  Unpacker unpack(packet);
  State state;
  uint64_t count = 0;
  unpack(state, count);
  if (state.whole < all.whole || all.whole < state.whole)
    throw std::logic_error("ranks do not agree about the next event without a node");
  all.Join(state);
  undelivered_ += count;
  for (; count > 0; --count) {
    const TimedEvent e = carrier_->Unpack(unpack);
    inboxes_[static_cast<size_t>(Of(whole_->ContextOf(e.Entity())))].Push(e);
  }
  for (Freight* freight : freight_) freight->Unpack(rank, unpack);
}

std::vector<Packet> Parts::Swap(std::vector<Packet> out) {
  std::vector<Packet> in(out.size());
  if (exchange_ != nullptr) exchange_->Swap(out, in);
  return in;
}

bool Parts::OnAll(bool own) {
  std::vector<Packet> out(static_cast<size_t>(ranks()));
  for (Packet& packet : out) Packer{packet}(own);
  for (int r = 0; const Packet& packet : Swap(std::move(out))) {
    bool theirs = own;
    if (r++ != rank()) Unpacker{packet}(theirs);
    own &= theirs;
  }
  return own;
}

void Parts::RunRanksBefore(TimedKey end, const bool& stop, const std::function<void()>& pulse) {
  State all = Meet();
  if (all.may_be_over && all.idle && all.crossing == 0) return on_over_();
  while (!stop) {
    if (std::exchange(asked_, false)) on_asked_();
    if (stop || !(all.head < end)) break;
    const TimedKey to = std::min(TimedKey{0, all.head.time + window_.v}, end);
    Deliver(to);
    if (!Idle(kWhole) || !(all.last < to)) {
      RunAll(to);
      all = Meet();
    } else if (RanksRunToStop(to, all)) {
      return on_over_();
    }
    ArriveAt(to);
    pulse();
  }
  if (!stop) ArriveAt(end);
}

/// As RunToStop.
bool Parts::RanksRunToStop(TimedKey end, State& all) {
  std::ranges::fill(stopped_at_, TimedKey{0, 0});
  for (;;) {
    std::vector<int> busy;
    for (int p = 0; p < static_cast<int>(queues_.size()); ++p) {
      if (Here(p) && !Idle(p)) busy.push_back(p);
    }
    if (!RunOwnToStop(busy, end, all)) break;
    if (AreRanksOverAt(all.stopped)) {
      whole_->AdvanceTo(Time(all.stopped.time));
      return true;
    }
  }
  if (all.complete) return false;
  RunAll(end);
  all = Meet();
  return false;
}

/// Returns false if some rank has a part with work left when the window is over, or none has work.
bool Parts::RunOwnToStop(const std::vector<int>& busy, TimedKey end, State& all) {
  for (const int p : busy) Run(p, end, true);
  const TimedKey stopped = *std::max_element(stopped_at_.begin(), stopped_at_.end());
  // The run goes on. So the other parts may follow, and the ranks need not meet again.
  const bool goes_on = !(stopped < end);
  if (goes_on) RunAll(end);
  State own = Own();
  own.stopped = stopped;
  own.worked = !busy.empty();
  own.complete = goes_on;
  all = Meet(own);
  return all.worked && all.stopped < end;
}

/// As IsOverAt.
bool Parts::AreRanksOverAt(TimedKey last) {
  State own;
  for (int p = 0; p < static_cast<int>(queues_.size()); ++p) {
    TimedKey& at = stopped_at_[static_cast<size_t>(p)];
    if (!Here(p)) continue;
    if (at < last) {
      Run(p, last, false);
      own.idle &= Idle(p);
      at = last;
    } else {
      own.late += late_[static_cast<size_t>(p)];
    }
  }
  std::ranges::fill(late_, 0);
  own.crossing = undelivered_;
  own.asks = asks_;
  const State all = Meet(own);
  return all.idle && all.crossing == all.late;
}

}  // namespace headroom
