#include "protocol/keyvalue/stores/extents.h"

#include <cstring>
#include <stdexcept>

namespace headroom {
namespace {

uint64_t ExtentBytes(uint64_t length) { return (length + 7) / 8 * 8; }

}  // namespace

Extents::Extents(uint64_t capacity) : capacity_(capacity) {
  if (capacity > uint64_t{1} << 48) throw std::invalid_argument("extents have addresses of 48 bits");
  bytes_ = std::make_unique_for_overwrite<uint8_t[]>(capacity);
}

std::optional<uint64_t> Extents::Put(std::span<const uint8_t> value) {
  const uint64_t bytes = ExtentBytes(value.size());
  uint64_t address = used_;
  if (const auto freed = free_.find(bytes); freed != free_.end() && !freed->second.empty()) {
    address = freed->second.back();
    freed->second.pop_back();
  } else if (bytes <= capacity_ - used_) {
    used_ += bytes;
  } else {
    return std::nullopt;
  }
  if (!value.empty()) std::memcpy(bytes_.get() + address, value.data(), value.size());
  return address;
}

void Extents::Free(uint64_t address, uint64_t length) { free_[ExtentBytes(length)].push_back(address); }

}  // namespace headroom
