#include "protocol/storage/extents/sparse_bytes.h"

#include <algorithm>

namespace headroom {

void SparseBytes::Write(uint64_t at, std::span<const uint8_t> bytes) {
  const uint64_t end = at + bytes.size();
  for (uint64_t word = at / kWord, from = at; from < end; ++word) {
    const uint64_t to = std::min(end, (word + 1) * kWord);
    Word set = 0, covered = 0;
    for (; from < to; ++from) {
      const uint64_t shift = from % kWord * 8;
      set |= Word{bytes[from - at]} << shift;
      covered |= Word{0xff} << shift;
    }
    if (const auto old = words_.find(word); old != words_.end()) {
      old->second = (old->second & ~covered) | set;
      if (old->second == 0) words_.erase(old);
    } else if (set != 0) {
      words_.emplace(word, set);
    }
  }
}

std::vector<uint8_t> SparseBytes::Read(uint64_t at, uint64_t length) const {
  std::vector<uint8_t> bytes(length);
  const uint64_t end = at + length;
  for (auto word = words_.lower_bound(at / kWord); word != words_.end() && word->first * kWord < end;
       ++word) {
    for (uint64_t i = 0; i < kWord; ++i) {
      const uint64_t place = word->first * kWord + i;
      if (place >= at && place < end) bytes[place - at] = static_cast<uint8_t>(word->second >> (8 * i));
    }
  }
  return bytes;
}

}  // namespace headroom
