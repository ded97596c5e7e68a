#include "workload/operations/io_offsets.h"

#include <algorithm>

namespace headroom {

uint64_t IoOffsets::BlocksOf(Bytes region, std::array<Bytes, 2> aligned) {
  return static_cast<uint64_t>(std::max<int64_t>(1, region / std::min(aligned[0], aligned[1])));
}

IoOffsets::IoOffsets(const IoAddresses& addresses, Bytes region, std::array<Bytes, 2> aligned, bool wraps,
                     std::shared_ptr<const AddressDistribution> distribution, const std::string& name)
    : addresses_(addresses),
      region_(region.v),
      aligned_(aligned),
      block_(std::min(aligned[0], aligned[1]).v),
      wraps_(wraps),
      distribution_(std::move(distribution)),
      places_(name + "/places"),
      orders_(name + "/orders"),
      visited_(BlocksOf(region, aligned)),
      run_(addresses.run) {}

std::optional<int64_t> IoOffsets::Next(bool writes) {
  again_ = false;
  if (addresses_.order == IoAddresses::Order::sequential) return Following(writes);
  if (--run_ > 0) {
    again_ = true;
    if (addresses_.repeated) return last_[writes];
  } else {
    run_ = addresses_.run;
    const int random = writes ? addresses_.random_writes : addresses_.random_reads;
    if (random == 100 || orders_.Uniform() * 100 < random) return Drawn(writes);
    again_ = true;
  }
  const std::optional<int64_t> next = Following(writes);
  return next ? next : Drawn(writes);
}

std::optional<int64_t> IoOffsets::Drawn(bool writes) {
  if (!first_) first_ = distribution_->First(places_);
  const int64_t align = aligned_[writes].v, places = region_ / align;
  if (places == 0) return std::nullopt;
  if (!addresses_.once) {
    const uint64_t place = distribution_->Draw(places_, *first_, writes);
    return static_cast<int64_t>(place % static_cast<uint64_t>(places)) * align;
  }
  const auto place = static_cast<int64_t>(places_.Uniform() * static_cast<double>(places));
  const auto free = visited_.NextFree(static_cast<uint64_t>(place * align / block_));
  if (!free) return std::nullopt;
  return static_cast<int64_t>(*free) * block_ / align * align;
}

std::optional<int64_t> IoOffsets::Following(bool writes) {
  int64_t& position = position_[writes];
  if (position >= region_ && wraps_) position = 0;
  if (position >= region_) return std::nullopt;
  int64_t at = position;
  if (at == 0) return at;
  at += addresses_.hole.v;
  if (at < 0) at = region_ + addresses_.hole.v;
  return at < region_ ? at : 0;
}

int64_t IoOffsets::Take(bool writes, int64_t offset, int64_t bytes) {
  if (addresses_.once && !again_) {
    const auto blocks = static_cast<uint64_t>((bytes + block_ - 1) / block_);
    const uint64_t fresh = visited_.Visit(static_cast<uint64_t>(offset / block_), blocks);
    bytes = std::min(bytes, std::max<int64_t>(static_cast<int64_t>(fresh), 1) * block_);
  }
  last_[writes] = offset;
  position_[writes] = offset + bytes;
  return bytes;
}

void IoOffsets::Restart() {
  visited_.Clear();
  position_ = {};
}

}  // namespace headroom
