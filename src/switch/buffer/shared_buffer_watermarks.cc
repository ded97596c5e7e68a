// Watermarks of groups and pools: each is a register that is updated where its value changes.
#include <algorithm>

#include "switch/buffer/shared_buffer.h"

namespace headroom {

size_t SharedBuffer::Registers(Measure m) const {
  switch (m) {
    case Measure::group_shared:
    case Measure::group_headroom:
      return groups_.size();
    case Measure::pool_shared:
    case Measure::pool_headroom:
      break;
  }
  return pools_.size();
}

int64_t SharedBuffer::Register(Measure m, size_t i) const {
  switch (m) {
    case Measure::group_shared:
      return groups_[i].peak;
    case Measure::group_headroom:
      return group_peaks_.empty() ? 0 : group_peaks_[i].headroom;
    case Measure::pool_shared:
      return pool_uses_[i].peak_shared;
    case Measure::pool_headroom:
      break;
  }
  return pools_[i].peak_headroom;
}

void SharedBuffer::SetRegister(Measure m, size_t i, int64_t value) {
  switch (m) {
    case Measure::group_shared:
      groups_[i].peak = value;
      break;
    case Measure::group_headroom:
      if (!group_peaks_.empty()) group_peaks_[i].headroom = value;
      break;
    case Measure::pool_shared:
      pool_uses_[i].peak_shared = value;
      break;
    case Measure::pool_headroom:
      pools_[i].peak_headroom = value;
      break;
  }
}

/// The value with which the register restarts.
int64_t SharedBuffer::RegisterNow(Measure m, size_t i) const {
  switch (m) {
    case Measure::group_shared:
      return groups_[i].used;
    case Measure::group_headroom:
      return groups_[i].headroom;
    case Measure::pool_shared:
      return pool_uses_[i].shared;
    case Measure::pool_headroom:
      break;
  }
  return pools_[i].headroom_used;
}

void SharedBuffer::ClearWatermarks(Watermark set, Measure m) {
  std::vector<int64_t> live(Registers(m));
  for (size_t i = 0; i < live.size(); ++i) live[i] = Register(m, i);
  watermarks_[static_cast<size_t>(m)].Clear(set, live);
  for (size_t i = 0; i < live.size(); ++i) SetRegister(m, i, RegisterNow(m, i));
}

int64_t SharedBuffer::watermark(Watermark set, Measure m, uint32_t port, int group) const {
  const size_t i = At(port, group);
  if (m == Measure::group_headroom) return Read(set, m, i);
  return std::max<int64_t>(0, Read(set, m, i) - ProfileOf(groups_[i]).limit.reserved);
}

std::vector<SharedBuffer::PoolWatermark> SharedBuffer::pool_watermarks(Watermark set) const {
  std::vector<PoolWatermark> all;
  for (size_t side = 0; side < sides_.size(); ++side) {
    PoolWatermark w{sides_[side].name, sides_[side].egress, 0, 0};
    for (size_t i = 1 + side * slices_; i < 1 + (side + 1) * slices_; ++i) {
      w.shared += Read(set, Measure::pool_shared, i);
      w.headroom += Read(set, Measure::pool_headroom, i);
    }
    all.push_back(w);
  }
  return all;
}

int64_t SharedBuffer::peak_group(uint32_t port, int group) const {
  const size_t i = At(port, group);
  const int64_t in_groups = Read(Watermark::run, Measure::group_shared, i);
  return group_peaks_.empty() ? in_groups : std::max(in_groups, group_peaks_[i].total);
}

void SharedBuffer::ResetPeaks() {
  for (int m = 0; m < kMeasures; ++m) ClearWatermarks(Watermark::run, static_cast<Measure>(m));
  hot_.closest = 0;
  for (size_t i = 0; i < groups_.size(); ++i) {
    const Group& g = groups_[i];
    if (!group_peaks_.empty()) group_peaks_[i].total = g.used + g.headroom;
    if (!g.lossless) continue;
    const Limit& own = ProfileOf(g).limit;
    const Question q{ObjectOf(g), FirstWindow::no};
    NoteClosest(HeldBy<true>(own, q, g.used - own.reserved), LimitNow<true>(own, q));
    if (g.xoff) hot_.closest = 1;
  }
  peak_with_headroom_ = hot_.headroom > 0 ? resident() : 0;
  peak_headroom_ = hot_.headroom;
  hot_.least_room = hot_.room + hot_.headroom;
}

}  // namespace headroom
