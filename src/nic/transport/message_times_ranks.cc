// Part of message_times.h: messages between parts and ranks.
//
// Of a bulk READ, the responder's part accounts for the time from the arrival of the request, as if the
// message began with the transmission of that request. The last response leaves before the READ can end. So
// the share is complete when the requester's part needs it.
//
// A message with a work request has one account, which its sender's rank and its receiver's rank continue in
// turn. No packet arrives before the window in which it left is over, so the account is there first.
#include <algorithm>

#include "nic/transport/message_times.h"

namespace headroom {

void MessageTimes::Cut(std::vector<int> part_of) {
  Parts& parts = Parts::Get();
  part_of_ = std::move(part_of);
  if (parts.ranks() == 1) return;
  rank_ = static_cast<uint32_t>(parts.rank());
  ranks_ = static_cast<uint32_t>(parts.ranks());
  parts.Add(*this);
}

/// `early`: the part sends responses. As long as no path of a request is known, their times are not accounted
/// for.
void MessageTimes::BeginShare(uint32_t message, bool early) {
  const auto [at, fresh] = shares_.try_emplace(message);
  if (!fresh) return;
  at->second.early = early;
  at->second.message = message;
  at->second.state.begun = at->second.state.closed = true;
}

/// As OnReadTaken for a message without a share.
void MessageTimes::TakeInShare(const Itinerary& request) {
  BeginShare(request.message, false);
  Share& share = shares_.at(request.message);
  // A READ that is answered again may end by responses to its first request; with contexts, also by late
  // responses to an earlier READ.
  const FrameExtension* const e = frames_.ExtensionOf(*effect_);
  share.early |= share.state.answered || (e != nullptr && e->context != FrameExtension::kNoContext);
  const Account m = OfShare(request.message);
  if (m.state.answered) return;
  share.taken = Parts::Get().Now();
  share.sent = m.state.mark = request.sent;
  Merge(m, request);
  m.state.answered = true;
  m.state.begun = m.state.closed = false;
}

/// The account is about to change.
MessageTimes::Account MessageTimes::OfShare(uint32_t message) {
  Share& share = shares_.at(message);
  if (!share.changed && IsBulkElsewhere(message)) changed_shares_.push_back(message);
  share.changed = true;
  if (share.early)
    share.earlier.push_back({Parts::Get().Now(), share.state.mark, share.parts, share.waits.size()});
  return {share.state, share.parts, share.waits};
}

void MessageTimes::NoteRepeated(uint32_t message) {
  Share& share = shares_.at(message);
  if (!share.repeated) share.repeated = Parts::Get().Now();
}

std::vector<Packet> MessageTimes::PackShares() {
  std::vector<std::vector<Share>> to(ranks_);
  for (auto& [message, share] : shares_) {
    if (IsBulkElsewhere(message)) to[message % ranks_].push_back(std::move(share));
  }
  std::vector<Packet> packets(ranks_);
  for (size_t r = 0; r < ranks_; ++r) {
    std::ranges::sort(to[r], {}, &Share::message);
    Packer{packets[r]}(to[r]);
  }
  return packets;
}

void MessageTimes::JoinShares() {
  if (part_of_.empty()) return;
  const std::vector<Packet> shares = Parts::Get().Swap(PackShares());
  for (size_t r = 0; r < shares.size(); ++r) {
    std::vector<Share> there;
    if (r != rank_) Unpacker{shares[r]}(there);
    for (Share& share : there) TakeShare(std::move(share));
  }
}

/// Late responses change a share after its message has joined it and left.
void MessageTimes::TakeShare(Share&& share) {
  if (Knows(share.message)) {
    given_[share.message] = std::move(share);
  } else {
    joined_shares_.push_back(share.message);
  }
}

void MessageTimes::JoinShare(uint32_t message) {
  const auto end = ends_.find(message);
  const Account m = Of(message);
  for (auto* const from : {&given_, &shares_}) {
    const auto share = from->find(message);
    if (share == from->end()) continue;
    AddShare(m, share->second, end == ends_.end() ? nullptr : &end->second);
    from->erase(share);
    if (from == &given_) joined_shares_.push_back(message);
  }
  if (end == ends_.end()) return;
  EndWith(m, end->second.path ? &*end->second.path : nullptr, true, end->second.at);
  ends_.erase(end);
}

void MessageTimes::Share::BackTo(const Parts::Place& place) {
  for (const Earlier& before : earlier) {
    if (before.change < place) continue;
    state.mark = before.mark;
    parts = before.parts;
    waits.resize(before.waits);
    return;
  }
}

/// `end`: null for a READ that has not ended. Later changes do not count.
void MessageTimes::AddShare(Account m, Share& share, const End* end) {
  const auto counts = [&](const std::optional<Parts::Place>& at) {
    return at && (end == nullptr || *at < end->place);
  };
  m.state.repeated |= counts(share.repeated);
  if (!counts(share.taken)) return;
  if (end != nullptr) share.BackTo(end->place);
  m.Add(MessagePart::recovery, share.sent);  // until the request was sent that arrived
  if (m.parts[MessagePart::limiter] == Time{}) m.parts.limited_since = share.parts.limited_since;
  for (size_t part = 0; part < m.parts.of.size(); ++part) m.parts.of[part] += share.parts.of[part];
  m.state.mark = share.state.mark;
  m.waits.insert(m.waits.end(), share.waits.begin(), share.waits.end());
}

void MessageTimes::Tell(uint32_t message, bool OfVerbs::*what) {
  OfVerbs& m = PlaceAmongVerbs(message);
  if (!m.news_of_path && !m.news_of_delivery) news_.changed.push_back(message);
  m.*what = true;
}

void MessageTimes::Pack(int to_rank, Packer& to) {
  uint64_t count = news_.changed.size();
  to(news_.posted, count);
  for (uint32_t message : news_.changed) {
    OfVerbs& m = PlaceAmongVerbs(message);
    to(message, m.news_of_path, m.news_of_delivery);
    if (m.news_of_path) to(m.state, m.ended, m.running);
    if (m.news_of_delivery) to(m.at_delivery);
  }
  PackNewShares(to_rank, to);
}

void MessageTimes::PackNewShares(int to_rank, Packer& to) {
  const auto of_rank = [&](uint32_t message) { return message % ranks_ == static_cast<uint32_t>(to_rank); };
  uint64_t count = static_cast<uint64_t>(std::ranges::count_if(changed_shares_, of_rank));
  to(joined_shares_, count);
  for (const uint32_t message : changed_shares_) {
    if (of_rank(message)) to(shares_.at(message));
  }
}

void MessageTimes::UnpackNewShares(Unpacker& from) {
  std::vector<uint32_t> joined;
  uint64_t count = 0;
  from(joined, count);
  for (const uint32_t message : joined) shares_.erase(message);
  for (; count > 0; --count) {
    Share share;
    from(share);
    TakeShare(std::move(share));
  }
}

void MessageTimes::Sent() {
  for (const uint32_t message : news_.changed) {
    OfVerbs& m = PlaceAmongVerbs(message);
    m.news_of_path = m.news_of_delivery = false;
  }
  news_.posted.clear();
  news_.changed.clear();
  for (const uint32_t message : changed_shares_) shares_.at(message).changed = false;
  changed_shares_.clear();
  joined_shares_.clear();
}

void MessageTimes::Unpack(int, Unpacker& from) {
  std::vector<Posted> posted;
  uint64_t count = 0;
  from(posted, count);
  for (const Posted& p : posted) AddOfVerbs(p.host, p.at);
  for (; count > 0; --count) {
    OfVerbs read;
    from(read.number, read.news_of_path, read.news_of_delivery);
    if (read.news_of_path) from(read.state, read.ended, read.running);
    if (read.news_of_delivery) from(read.at_delivery);
    OfVerbs& m = PlaceAmongVerbs(read.number);
    // A READ that has ended here, for instance with an error, takes no more of its responder's account.
    if (read.news_of_path && !m.ended) {
      m.state = read.state;
      m.ended = read.ended;
      m.running = std::move(read.running);
    }
    if (!read.news_of_delivery || m.delivered) continue;
    m.delivered = true;
    m.at_delivery = std::move(read.at_delivery);
  }
  UnpackNewShares(from);
}

}  // namespace headroom
