// Part of message_times.h: messages between ranks.
//
// Of a bulk READ, the responder's rank accounts for the time from the arrival of the request, as if the
// message began with the transmission of that request. The last response leaves before the READ can end. So
// the share is complete when the requester's rank needs it.
//
// A message with a work request has one account, which its sender's rank and its receiver's rank continue in
// turn. No packet arrives before the window in which it left is over, so the account is there first.
#include <algorithm>

#include "nic/transport/message_times.h"

namespace headroom {

void MessageTimes::BeginShare(const Itinerary& request) {
  MakePlace(request.message);
  State& s = Of(request.message).state;
  s.number = request.message;
  s.mark = request.sent;
  share_of_[request.message] = shares_.size();
  Share& share = shares_.emplace_back();
  share.message = request.message;
  share.sent = request.sent;
}

void MessageTimes::NoteRepeated(uint32_t message) {
  Share& share = shares_[share_of_.at(message)];
  share.repeated = true;
  share.repeats = Parts::Get().Now();
}

std::vector<Packet> MessageTimes::PackShares() {
  std::vector<std::vector<Share>> to(ranks_);
  for (Share& share : shares_) {
    const Account m = Of(share.message);
    share.parts = m.parts;
    share.mark = m.state.mark;
    waits_.Append(m.parts, share.waits);
    to[share.message % ranks_].push_back(std::move(share));
  }
  std::vector<Packet> packets(ranks_);
  for (size_t r = 0; r < ranks_; ++r) Packer{packets[r]}(to[r]);
  return packets;
}

void MessageTimes::Join(const std::vector<Packet>& shares) {
  std::unordered_map<uint32_t, const End*> end_of;
  for (const End& end : ends_) end_of[end.message] = &end;
  for (size_t r = 0; r < shares.size(); ++r) {
    std::vector<Share> there;
    if (r != rank_) Unpacker{shares[r]}(there);
    for (const Share& share : there) {
      const auto end = end_of.find(share.message);
      AddShare(Of(share.message), share, end == end_of.end() ? nullptr : end->second);
    }
  }
  for (const End& end : ends_) EndWith(Of(end.message), end.path ? &*end.path : nullptr, end.at);
}

/// The time between both shares passed until a request was sent that arrived. `end`: null for a READ that has
/// not ended.
void MessageTimes::AddShare(Account m, const Share& share, const End* end) {
  m.Add(MessagePart::recovery, share.sent);
  if (m.parts[MessagePart::limiter] == Time{}) m.parts.limited_since = share.parts.limited_since;
  for (size_t part = 0; part < m.parts.of.size(); ++part) m.parts.of[part] += share.parts.of[part];
  m.state.mark = share.mark;
  m.state.repeated |= share.repeated && (end == nullptr || share.repeats < end->place);
  waits_.Keep(m.parts, share.waits);
}

void MessageTimes::Tell(uint32_t message, bool OfVerbs::*what) {
  OfVerbs& m = PlaceAmongVerbs(message);
  if (!m.news_of_path && !m.news_of_delivery) news_.changed.push_back(message);
  m.*what = true;
}

void MessageTimes::Pack(int, Packer& to) {
  uint64_t count = news_.changed.size();
  to(news_.posted, count);
  for (uint32_t message : news_.changed) {
    OfVerbs& m = PlaceAmongVerbs(message);
    to(message, m.news_of_path, m.news_of_delivery);
    if (m.news_of_path) to(m.state, m.ended, m.running);
    if (m.news_of_delivery) to(m.at_delivery);
  }
}

void MessageTimes::Sent() {
  for (const uint32_t message : news_.changed) {
    OfVerbs& m = PlaceAmongVerbs(message);
    m.news_of_path = m.news_of_delivery = false;
  }
  news_.posted.clear();
  news_.changed.clear();
}

void MessageTimes::Unpack(int, Unpacker& from) {
  std::vector<Posted> posted;
  uint64_t count = 0;
  from(posted, count);
  for (const Posted& p : posted) own_.PostElsewhere(AddOfVerbs(p.host, p.at));
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
}

}  // namespace headroom
