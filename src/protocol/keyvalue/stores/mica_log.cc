#include "protocol/keyvalue/stores/mica_log.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace headroom {
namespace {

constexpr uint64_t kAlignment = 8;  // in bytes
constexpr uint64_t kHeader = sizeof(Key) + sizeof(uint16_t);

}  // namespace

uint64_t MicaLog::EntryBytes(uint64_t value) {
  return (kHeader + value + kAlignment - 1) / kAlignment * kAlignment;
}

MicaLog::MicaLog(uint64_t size, uint32_t largest_value, uint64_t first)
    : size_(size),
      largest_value_(largest_value),
      piece_(std::min(size, std::max(kPiece, EntryBytes(largest_value)))),
      head_(first) {
  if (size % kAlignment != 0 || first % kAlignment != 0)
    throw std::invalid_argument("a log's size and first offset must be multiples of 8 bytes");
  if (largest_value > UINT16_MAX) throw std::invalid_argument("a log's values must have at most 65535 bytes");
  if (EntryBytes(largest_value) > size)
    throw std::invalid_argument("a log is smaller than its largest entry");
}

void MicaLog::Append(const Key& key, std::span<const uint8_t> value) {
  if (value.size() > largest_value_) throw std::length_error("a value is larger than the log allows");
  if (place_ / piece_ == pieces_.size())
    pieces_.push_back(std::make_unique_for_overwrite<uint8_t[]>(piece_ + EntryBytes(largest_value_)));
  uint8_t* to = pieces_[place_ / piece_].get() + place_ % piece_;
  const auto length = static_cast<uint16_t>(value.size());
  std::memcpy(to, &key, sizeof key);
  std::memcpy(to + sizeof key, &length, sizeof length);
  if (length != 0) std::memcpy(to + kHeader, value.data(), length);
  const uint64_t bytes = EntryBytes(length);
  head_ += bytes;
  place_ += bytes;
  if (place_ >= size_) place_ -= size_;
}

uint64_t MicaLog::reserved() const { return pieces_.size() * (piece_ + EntryBytes(largest_value_)); }

MicaLog::Entry MicaLog::Back(uint64_t age) const {
  const uint64_t place = place_ >= age ? place_ - age : place_ + size_ - age;
  const uint8_t* from = pieces_[place / piece_].get() + place % piece_;
  Key key;
  uint16_t length = 0;
  std::memcpy(&key, from, sizeof key);
  std::memcpy(&length, from + sizeof key, sizeof length);
  return {key, {from + kHeader, length}};
}

}  // namespace headroom
