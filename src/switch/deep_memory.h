// The two memories of a line card: a small one on the chip and a deep one behind it, with its own bandwidth.
//
// A virtual output queue begins on the chip. Once it has `spill` bytes there, later frames go to the deep
// memory until that part is empty again. So a queue always consists of a part on the chip and a following
// part in the deep memory. Frames that wait to be written there are still on the chip. If the chip has no
// room, a frame is lost, whatever its class. Writing and reading each have the full bandwidth.
//
// Identity: on_chip() = Σ over queues of their part on the chip + frames that wait to be written.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

/// The parts of a virtual output queue on the chip and in the deep memory.
struct QueueParts {
  uint32_t frames_on_chip = 0, frames_deep = 0;
  int64_t bytes_on_chip = 0;
};

class DeepMemory {
 public:
  /// `bandwidth`: for writing, and the same for reading.
  DeepMemory(Bytes on_chip, Bytes spill, Rate bandwidth)
      : on_chip_size_(on_chip.v), spill_(spill.v), bandwidth_(bandwidth) {}

  bool HasRoom(int64_t bytes, Time now) const { return on_chip(now) + bytes <= on_chip_size_; }
  /// Puts a frame at the end of a queue; returns the time from which it can be read. REQUIRES: HasRoom
  /// returned true.
  Time Write(QueueParts& queue, int64_t bytes, Time now);
  /// Takes the first frame of a queue; returns the time when it has left the memory. `written` is the result
  /// of Write.
  Time Read(QueueParts& queue, int64_t bytes, Time written, Time now);

  /// Bytes on the chip.
  int64_t on_chip(Time now) const { return queued_ + WaitingToBeWritten(now); }
  int64_t on_chip_size() const { return on_chip_size_; }
  int64_t peak_on_chip() const { return peak_; }
  void ResetPeak(Time now) { peak_ = on_chip(now); }
  /// Bytes that passed through the deep memory.
  uint64_t deep_bytes() const { return deep_bytes_; }

 private:
  int64_t WaitingToBeWritten(Time now) const {
    return write_free_ > now ? BytesIn(write_free_ - now, bandwidth_).v : 0;
  }

  int64_t on_chip_size_, spill_;
  Rate bandwidth_;
  int64_t queued_ = 0, peak_ = 0;
  uint64_t deep_bytes_ = 0;
  Time write_free_, read_free_;
};

}  // namespace headroom
