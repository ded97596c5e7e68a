#include "nic/verbs/buffer_contents.h"

#include <utility>

namespace headroom {

BufferContents::BufferContents(uint32_t buffers, uint32_t bytes, uint32_t spare)
    : bytes_(bytes), spare_(spare), pieces_(buffers) {}

uint8_t* BufferContents::Fill(uint32_t buffer) {
  ++filled_;
  if (free_.empty()) {
    pieces_[buffer] = std::make_unique<uint8_t[]>(bytes_);
  } else {
    pieces_[buffer] = std::move(free_.back());
    free_.pop_back();
  }
  return pieces_[buffer].get();
}

void BufferContents::Release(uint32_t buffer) {
  std::unique_ptr<uint8_t[]> piece = std::move(pieces_[buffer]);
  if (piece == nullptr) return;
  --filled_;
  if (free_.size() < spare_) free_.push_back(std::move(piece));
}

}  // namespace headroom
