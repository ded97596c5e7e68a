#include "switch/deep_memory.h"

#include <algorithm>

namespace headroom {

Time DeepMemory::Write(QueueParts& queue, int64_t bytes, Time now) {
  Time written = now;
  if (queue.frames_deep > 0 || queue.bytes_on_chip + bytes > spill_) {
    write_free_ = std::max(write_free_, now) + SerializationTime(Bytes(bytes), bandwidth_);
    written = write_free_;
    ++queue.frames_deep;
    deep_bytes_ += static_cast<uint64_t>(bytes);
  } else {
    ++queue.frames_on_chip;
    queue.bytes_on_chip += bytes;
    queued_ += bytes;
  }
  peak_ = std::max(peak_, on_chip(now));
  return written;
}

Time DeepMemory::Read(QueueParts& queue, int64_t bytes, Time written, Time now) {
  if (queue.frames_on_chip > 0) {
    --queue.frames_on_chip;
    queue.bytes_on_chip -= bytes;
    queued_ -= bytes;
    return std::max(written, now);
  }
  --queue.frames_deep;
  read_free_ = std::max({read_free_, written, now}) + SerializationTime(Bytes(bytes), bandwidth_);
  return read_free_;
}

}  // namespace headroom
