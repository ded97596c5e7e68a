#include "report/bands.h"

#include <algorithm>

namespace headroom {

void Bands::Count(Time took, const RowKey& row) {
  if (!exact()) return buckets_.Add(took.v);
  if (each_.size() < most_) return each_.push_back({took, row});
  for (const Place& each : each_) buckets_.Add(each.took.v);
  std::vector<Place>().swap(each_);
  buckets_.Add(took.v);
}

void Bands::Choose() {
  if (empty()) return;
  std::ranges::sort(each_);
  const auto rank = [n = count()](size_t share) { return (n * share + 9999) / 10000; };
  for (size_t i = 0; i < kBands.size(); ++i) {
    const size_t first = std::max<size_t>(1, rank(kBands[i].at - kBands[i].around));
    const size_t last = rank(kBands[i].at + kBands[i].around);
    if (exact()) {
      chosen_[i].from = each_[first - 1];
      chosen_[i].to = each_[last - 1];
    } else {
      chosen_[i].from_bucket = buckets_.BucketAtRank(first);
      chosen_[i].to_bucket = buckets_.BucketAtRank(last);
    }
  }
  if (!exact()) return;
  each_.resize(1);  // not empty, and the rest is no longer needed
  each_.shrink_to_fit();
}

void Bands::Add(const Split& split) {
  const Place place{split.took, split.row};
  const uint32_t bucket = LogBuckets::BucketOf(split.took.v);
  for (Chosen& band : chosen_) {
    if (!exact()) {
      if (bucket >= band.from_bucket && bucket <= band.to_bucket) AddTo(band, split);
    } else if (band.from <= place && place <= band.to) {
      band.members.push_back(
          {place, {split.parts.begin(), split.parts.end()}, {split.waits.begin(), split.waits.end()}});
    }
  }
}

void Bands::AddTo(Chosen& band, const Split& split) {
  ++band.count;
  band.parts.resize(split.parts.size());
  for (size_t i = 0; i < split.parts.size(); ++i) band.parts[i] += split.parts[i].v;
  for (const WaitRecord& w : split.waits) {
    WholeSum& sum = band.waits[{w.node, w.port, w.queue}];
    (w.back ? sum.ack_queued : sum.queued) += w.queued.v;
    (w.back ? sum.ack_paused : sum.paused) += w.paused.v;
  }
}

BandSums Bands::SumsOf(const Chosen& band) {
  BandSums sums;
  sums.count = band.count;
  for (const int64_t part : band.parts) sums.parts_us.push_back(InMicroseconds(Time(part)));
  for (const auto& [place, sum] : band.waits)
    sums.waits[place] = {InMicroseconds(Time(sum.queued)), InMicroseconds(Time(sum.paused)),
                         InMicroseconds(Time(sum.ack_queued)), InMicroseconds(Time(sum.ack_paused))};
  return sums;
}

BandSums Bands::Sums(size_t band) const {
  if (!exact()) return SumsOf(chosen_[band]);
  std::vector<const Member*> members;
  for (const Member& member : chosen_[band].members) members.push_back(&member);
  std::ranges::sort(members, {}, [](const Member* m) { return m->place; });
  BandSums sums;
  sums.count = members.size();
  sums.parts_us.resize(members.front()->parts.size());
  for (const Member* const member : members) {
    for (size_t i = 0; i < sums.parts_us.size(); ++i) sums.parts_us[i] += InMicroseconds(member->parts[i]);
    for (const WaitRecord& w : member->waits) {
      WaitSum& sum = sums.waits[{w.node, w.port, w.queue}];
      (w.back ? sum.ack_queued : sum.queued) += InMicroseconds(w.queued);
      (w.back ? sum.ack_paused : sum.paused) += InMicroseconds(w.paused);
    }
  }
  return sums;
}

}  // namespace headroom
