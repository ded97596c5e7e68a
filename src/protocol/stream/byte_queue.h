// Bytes that wait, in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headroom {

class ByteQueue final {
 public:
  void Append(std::span<const uint8_t> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  size_t size() const { return bytes_.size() - begin_; }
  /// REQUIRES: at least this many bytes wait.
  std::span<const uint8_t> Front(size_t size) const { return std::span(bytes_).subspan(begin_, size); }
  void Pop(size_t size) {
    begin_ += size;
    if (begin_ == bytes_.size()) Clear();
    constexpr size_t kCompact = 64 * 1024;
    if (begin_ < kCompact || begin_ < bytes_.size() / 2) return;
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(begin_));
    begin_ = 0;
  }
  void Clear() {
    bytes_.clear();
    begin_ = 0;
  }

 private:
  std::vector<uint8_t> bytes_;
  size_t begin_ = 0;
};

}  // namespace headroom
